# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A call of a graph is inlined as its nodes, with the caller's sizes; several results work as for an operator.
# RUN: %{reshapec} --dump=graph %s | FileCheck --match-full-lines --strict-whitespace %s

graph heads(x: f16[B, S, H, 12*H]) -> (y: f16[B, 12, S, H, H], z) where B <= 4, S % 8 == 0, H in [2, 64] {
    view y = reshape(x, [0, 0, 12, H, H]) |> reshape([0, 12, S, H, -1])
    z = flatten(x)
}
#      CHECK:graph heads
# CHECK-NEXT:  %0 x: f16[B, S, H, 12*H] = input
# CHECK-NEXT:  where B <= 4, S % 8 == 0, H in [2, 64], B >= 1 or ambiguous_infer, S >= 1 or ambiguous_infer
# CHECK-NEXT:  %1: f16[B, S, 12, H, H] = reshape(%0, shape=[0, 0, 12, H, H])
# CHECK-NEXT:  %2 view y: f16[B, 12, S, H, H] = reshape(%1, shape=[0, 12, S, H, -1])
# CHECK-NEXT:  %3 z: f16[B, 12*S*H*H] = flatten(%0)
# CHECK-NEXT:  output y = %2
# CHECK-NEXT:  output z = %3

graph known(a: f16[2, 16, 64, 768]) -> (p, q) {
    p, q = heads(a)
}
#      CHECK:graph known
# CHECK-NEXT:  %0 a: f16[2, 16, 64, 768] = input
# CHECK-NEXT:  %1: f16[2, 16, 12, 64, 64] = reshape(%0, shape=[0, 0, 12, 64, 64])
# CHECK-NEXT:  %2 view p: f16[2, 12, 16, 64, 64] = reshape(%1, shape=[0, 12, 16, 64, -1])
# CHECK-NEXT:  %3 q: f16[2, 786432] = flatten(%0)
# CHECK-NEXT:  output p = %2
# CHECK-NEXT:  output q = %3

graph through(a: f16[N, M, 2, 24]) -> (p, q) {
    p, q = a |> heads()
}
#      CHECK:graph through
# CHECK-NEXT:  %0 a: f16[N, M, 2, 24] = input
# CHECK-NEXT:  where N <= 4, M % 8 == 0, N >= 1 or ambiguous_infer, M >= 1 or ambiguous_infer
# CHECK-NEXT:  %1: f16[N, M, 12, 2, 2] = reshape(%0, shape=[0, 0, 12, 2, 2])
# CHECK-NEXT:  %2 view p: f16[N, 12, M, 2, 2] = reshape(%1, shape=[0, 12, M, 2, -1])
# CHECK-NEXT:  %3 q: f16[N, 48*M] = flatten(%0)
# CHECK-NEXT:  output p = %2
# CHECK-NEXT:  output q = %3

graph pair(a: u8[R], b: u8[R]) -> c {
    c = stack(a, b)
}
#      CHECK:graph pair
# CHECK-NEXT:  %0 a: u8[R] = input
# CHECK-NEXT:  %1 b: u8[R] = input
# CHECK-NEXT:  %2 c: u8[2, R] = stack(%0, %1)
# CHECK-NEXT:  output c = %2

graph by_name(m: u8[4], n: u8[4]) -> y {
    y = pair(b=m, a=flip(n, 0)) |> flatten()
}
#      CHECK:graph by_name
# CHECK-NEXT:  %0 m: u8[4] = input
# CHECK-NEXT:  %1 n: u8[4] = input
# CHECK-NEXT:  %2: u8[4] = flip(%1, axes=[0])
# CHECK-NEXT:  %3: u8[2, 4] = stack(%2, %0)
# CHECK-NEXT:  %4 y: u8[2, 4] = flatten(%3)
# CHECK-NEXT:  output y = %4
