# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Conditions of a called graph apply to the call: they are known of the caller's sizes, or checked for them.
# RUN: split-file %s %t
# RUN: %{reshapec} --dump=graph %t/good.rsh | FileCheck %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
graph f(x: f32[W, B]) -> y where W % 16 == 0, B == 2 { y = reshape(x, [W/16, -1]) }
# CHECK:      graph symbols
# CHECK-NEXT:   %0 x: f32[M, 2] = input
# CHECK-NEXT:   where M % 16 == 0, K == 2
# CHECK-NEXT:   %1 y: f32[M/16, 32] = reshape(%0, shape=[M/16, -1])
graph symbols(x: f32[M, K]) -> y { y = f(x) }
# CHECK:      graph numbers
# CHECK-NEXT:   %0 x: f32[32, 2] = input
# CHECK-NEXT:   %1 y: f32[2, 32] = reshape(%0, shape=[2, -1])
graph numbers(x: f32[32, 2]) -> y { y = f(x) }
# CHECK:      graph product
# CHECK:        where 8*N % 16 == 0
# CHECK:        %2 y: f32[N/2, 32] = reshape(%1, shape=[N/2, -1])
graph product(x: f32[8, N, 2]) -> y { y = f(rearrange(x, "a b c -> (a b) c")) }
# CHECK:      graph several
# CHECK:        where M*N % 16 == 0, M*N/16 >= 1 or ambiguous_infer
# CHECK:        %2 y: f32[M*N/16, 32] = reshape(%1, shape=[M*N/16, -1])
graph several(x: f32[M, N, 2]) -> y { y = f(rearrange(x, "a b c -> (a b) c")) }

#--- bad.rsh
graph f(x: f32[W, B]) -> y where W % 16 == 0, B == 2 { y = reshape(x, [W/16, -1]) }
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: a condition of 'f' does not hold here: 33 % 16 == 0
graph never(x: f32[33, 2]) -> y { y = f(x) }
# There is room for 32 sizes, including computed ones.
# CHECK: [[FILE]]:[[#@LINE+6]]:{{[0-9]+}}: error: 'f' divides 'W' by 16, but M*N may not be a multiple of it; add a condition after 'where'
graph full(
    s: u8[A, B, C, D, E, F, G, H, I, J, K, L, O, P, Q],
    t: u8[R, S, T, U, V, W, X, Y, Z, AA, AB, AC, AD, AE, AF],
    x: f32[M, N, 2]
) -> y {
    y = f(rearrange(x, "a b c -> (a b) c"))
}
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: this condition is never true, given the others: S == 6
graph excluded(x: f32[S]) -> y where S % 4 == 0, S == 6 { y = x }
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: this condition is never true, given the others: B*S > 20
graph too_much(x: f32[B, S]) -> y where B <= 4, S <= 5, B*S > 20 { y = x }
graph large(x: u8[A]) -> y where A*576460752303423488 >= 1 { y = x }
# CHECK: [[FILE]]:[[#@LINE+2]]:{{[0-9]+}}: error: a number of a condition of 'large' does not fit 64 bits here
# CHECK: note: the condition is 576460752303423488*A >= 1
graph too_large(x: u8[31]) -> y { y = large(x) }
