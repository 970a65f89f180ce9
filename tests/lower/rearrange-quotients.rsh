# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A size that is a quotient: simplified by a fact if possible, otherwise computed on entry (N*M/4). The runtime divides
# sizes that are data: the axis goes last, and a reshape that copies all other sizes divides it.
# RUN: %{reshapec} --dump=graph %s | FileCheck --match-full-lines --strict-whitespace %s

graph fact(x: f32[N]) -> y {
    y = rearrange(x, "(a 4) -> 4 a")
}
#      CHECK:graph fact
# CHECK-NEXT:  %0 x: f32[N] = input
# CHECK-NEXT:  where N % 4 == 0 or not_divisible
# CHECK-NEXT:  %1: f32[N/4, 4] = reshape(%0, shape=[N/4, 4], allowzero=1)
# CHECK-NEXT:  %2 y: f32[4, N/4] = transpose(%1, perm=[1, 0])
# CHECK-NEXT:  output y = %2

graph open(x: f32[N, M], w: u8[A]) -> y {
    y = rearrange(x, "(a b) m -> m b a", a=A)
}
#      CHECK:graph open
# CHECK-NEXT:  %0 x: f32[N, M] = input
# CHECK-NEXT:  %1 w: u8[A] = input
# CHECK-NEXT:  where A >= 1 or ambiguous_infer, N % A == 0 or not_divisible
# CHECK-NEXT:  %2: f32[A, N/A, M] = reshape(%0, shape=[A, N/A, M], allowzero=1)
# CHECK-NEXT:  %3 y: f32[M, N/A, A] = transpose(%2, perm=[2, 1, 0])
# CHECK-NEXT:  output y = %3

graph rest(x: f32[N]) -> (y, z) {
    y, z = rearrange(x, "(q + k k2=2) -> q, k k2", q=1)
}
#      CHECK:graph rest
# CHECK-NEXT:  %0 x: f32[N] = input
# CHECK-NEXT:  where N-1 >= 0 or bad_parts, (N-1) % 2 == 0 or not_divisible
# CHECK-NEXT:  %1 y: f32[1], %2: f32[2*((N-1)/2)] = split(%0, axis=0, sizes=[1, 2*((N-1)/2)])
# CHECK-NEXT:  %3 z: f32[(N-1)/2, 2] = reshape(%2, shape=[(N-1)/2, 2], allowzero=1)
# CHECK-NEXT:  output y = %1
# CHECK-NEXT:  output z = %3

graph stored(x: f32[N, M]) -> y: f32[N*M] layout "(a 4) -> 4 a" {
    y = reshape(x, [-1])
}
#      CHECK:graph stored
# CHECK-NEXT:  %0 x: f32[N, M] = input
# CHECK-NEXT:  where N*M % 4 == 0 or not_divisible
# CHECK-NEXT:  %1 y: f32[N*M] = reshape(%0, shape=[-1])
# CHECK-NEXT:  %2: f32[N*M/4, 4] = reshape(%1, shape=[N*M/4, 4], allowzero=1)
# CHECK-NEXT:  %3 y: f32[4, N*M/4] = transpose(%2, perm=[1, 0])
# CHECK-NEXT:  output y = %3

graph fixed(x: f32[N, M]) -> y {
    y = rearrange(x, "1 m -> m", m=3)
}
#      CHECK:graph fixed
# CHECK-NEXT:  %0 x: f32[1, 3] = input
# CHECK-NEXT:  where N == 1 or bad_pattern, M == 3 or bad_pattern
# CHECK-NEXT:  %1 y: f32[3] = reshape(%0, shape=[3])
# CHECK-NEXT:  output y = %1

graph of_data(x: f32[N], t: i64[2]) -> y {
    y = rearrange(reshape(x, t), "(a 4) m -> 4 a m")
}
#      CHECK:graph of_data
# CHECK-NEXT:  %0 x: f32[N] = input
# CHECK-NEXT:  %1 t: i64[2] = input
# CHECK-NEXT:  %2: f32[?, ?] = reshape(%0, shape=i64 [?, ?])
# CHECK-NEXT:  %3: f32[?, ?] = transpose(%2, perm=[1, 0])
# CHECK-NEXT:  %4: f32[?, ?, 4] = openvino.reshape(%3, shape=[0, -1, 4], special_zero=1)
# CHECK-NEXT:  %5: f32[?, 4, ?] = reshape(%2, shape=[?, 4, ?], allowzero=1)
# CHECK-NEXT:  %6 y: f32[4, ?, ?] = transpose(%5, perm=[1, 0, 2])
# CHECK-NEXT:  output y = %6
