# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Declared results that match: ? is any size, * any rank, and `where` may say that two are equal.
# RUN: %{reshapec} --dump=graph %s | FileCheck --match-full-lines --strict-whitespace %s

graph f(x: f32[B, S, N]) -> (a: f32[B*S, ?], b: f32[*], c, d: f32[B, N, S]) where N == B*S {
    a = reshape(x, [-1, N])
    b = flip(x, 0)
    c = flip(x, 1)
    d = transpose(x, [0, 2, 1])
}
#      CHECK:graph f
# CHECK-NEXT:  %0 x: f32[B, S, B*S] = input
# CHECK-NEXT:  where N == B*S, B*S >= 1 or ambiguous_infer
# CHECK-NEXT:  %1 a: f32[B*S, B*S] = reshape(%0, shape=[-1, B*S])
# CHECK-NEXT:  %2 b: f32[B, S, B*S] = flip(%0, axes=[0])
# CHECK-NEXT:  %3 c: f32[B, S, B*S] = flip(%0, axes=[1])
# CHECK-NEXT:  %4 d: f32[B, B*S, S] = transpose(%0, perm=[0, 2, 1])
# CHECK-NEXT:  output a = %1
# CHECK-NEXT:  output b = %2
# CHECK-NEXT:  output c = %3
# CHECK-NEXT:  output d = %4

graph by_condition(x: f32[B, S, N]) -> y: f32[N, B*S] where N == B*S {
    y = reshape(x, [B*S, N])
}
#      CHECK:graph by_condition
# CHECK-NEXT:  %0 x: f32[B, S, B*S] = input
# CHECK-NEXT:  where N == B*S
# CHECK-NEXT:  %1 y: f32[B*S, B*S] = reshape(%0, shape=[B*S, B*S])
# CHECK-NEXT:  output y = %1
