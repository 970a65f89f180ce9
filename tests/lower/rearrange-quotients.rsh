# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A size that is a quotient: a fact where it can be, else found by the program, for which the axis goes last and is
# divided by a reshape that copies all other sizes. An axis that has to have a size asks for it at entry.
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
# CHECK-NEXT:  where A >= 1 or ambiguous_infer
# CHECK-NEXT:  %2: f32[M, N] = transpose(%0, perm=[1, 0])
# CHECK-NEXT:  %3: f32[M, ?, A] = openvino.reshape(%2, shape=[0, -1, A], special_zero=1)
# CHECK-NEXT:  %4: f32[A, ?, M] = reshape(%0, shape=[A, ?, M], allowzero=1)
# CHECK-NEXT:  %5 y: f32[M, ?, A] = transpose(%4, perm=[2, 1, 0])
# CHECK-NEXT:  output y = %5

graph rest(x: f32[N]) -> (y, z) {
    y, z = rearrange(x, "(q + k k2=2) -> q, k k2", q=1)
}
#      CHECK:graph rest
# CHECK-NEXT:  %0 x: f32[N] = input
# CHECK-NEXT:  where N-1 >= 0 or bad_parts
# CHECK-NEXT:  %1: f32[N-1] = slice(%0, starts=[1], ends=[9223372036854775807], axes=[0])
# CHECK-NEXT:  %2: f32[?, 2] = openvino.reshape(%1, shape=[-1, 2], special_zero=1)
# CHECK-NEXT:  %3 y: f32[1], %4: f32[2*?] = split(%0, axis=0, sizes=[1, 2*?])
# CHECK-NEXT:  %5 z: f32[?, 2] = reshape(%4, shape=[?, 2], allowzero=1)
# CHECK-NEXT:  output y = %3
# CHECK-NEXT:  output z = %5

graph stored(x: f32[N, M]) -> y: f32[N*M] layout "(a 4) -> 4 a" {
    y = reshape(x, [-1])
}
#      CHECK:graph stored
# CHECK-NEXT:  %0 x: f32[N, M] = input
# CHECK-NEXT:  %1 y: f32[N*M] = reshape(%0, shape=[-1])
# CHECK-NEXT:  %2: f32[?, 4] = openvino.reshape(%1, shape=[-1, 4], special_zero=1)
# CHECK-NEXT:  %3: f32[?, 4] = reshape(%1, shape=[?, 4], allowzero=1)
# CHECK-NEXT:  %4 y: f32[4, ?] = transpose(%3, perm=[1, 0])
# CHECK-NEXT:  output y = %4

graph fixed(x: f32[N, M]) -> y {
    y = rearrange(x, "1 m -> m", m=3)
}
#      CHECK:graph fixed
# CHECK-NEXT:  %0 x: f32[1, 3] = input
# CHECK-NEXT:  where N == 1 or bad_pattern, M == 3 or bad_pattern
# CHECK-NEXT:  %1 y: f32[3] = reshape(%0, shape=[3])
# CHECK-NEXT:  output y = %1
