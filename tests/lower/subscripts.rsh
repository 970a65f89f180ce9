# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# x[...] is one slice, and a squeeze of the axes picked by integers. Subscripts that keep everything do nothing.
# RUN: %{reshapec} --dump=graph %s | FileCheck --match-full-lines --strict-whitespace %s

graph f(x: f32[4, 5, 6]) -> (a, b, c, d, e, g, h) {
    a = x[1:3]
    b = x[..., ::-1]
    c = x[-1, ..., 2]
    d = x[:, 4:0:-2, 1:-1]
    e = x[:, :, :]
    g = x[2, 3, 4]
    h = x[1:][:, -2:]
}
#      CHECK:graph f
# CHECK-NEXT:  %0 x: f32[4, 5, 6] = input
# CHECK-NEXT:  %1 a: f32[2, 5, 6] = slice(%0, starts=[1], ends=[3], axes=[0], steps=[1])
# CHECK-NEXT:  %2 b: f32[4, 5, 6] = slice(%0, starts=[5], ends=[-7], axes=[2], steps=[-1])
# CHECK-NEXT:  %3: f32[1, 5, 1] = slice(%0, starts=[3, 2], ends=[4, 3], axes=[0, 2], steps=[1, 1])
# CHECK-NEXT:  %4 c: f32[5] = squeeze(%3, axes=[0, 2])
# CHECK-NEXT:  %5 d: f32[4, 2, 4] = slice(%0, starts=[4, 1], ends=[0, -1], axes=[1, 2], steps=[-2, 1])
# CHECK-NEXT:  %6 e: f32[4, 5, 6] = identity(%0)
# CHECK-NEXT:  %7: f32[1, 1, 1] = slice(%0, starts=[2, 3, 4], ends=[3, 4, 5], axes=[0, 1, 2], steps=[1, 1, 1])
# CHECK-NEXT:  %8 g: f32 = squeeze(%7, axes=[0, 1, 2])
# CHECK-NEXT:  %9: f32[3, 5, 6] = slice(%0, starts=[1], ends=[4], axes=[0], steps=[1])
# CHECK-NEXT:  %10 h: f32[3, 2, 6] = slice(%9, starts=[-2], ends=[5], axes=[1], steps=[1])
# CHECK-NEXT:  output a = %1
# CHECK-NEXT:  output b = %2
# CHECK-NEXT:  output c = %4
# CHECK-NEXT:  output d = %5
# CHECK-NEXT:  output e = %6
# CHECK-NEXT:  output g = %8
# CHECK-NEXT:  output h = %10

graph sizes(x: f32[B, 2*B, 8]) -> (a, b, c, d) {
    a = x[0]
    b = x[:, :B]
    c = x[:, ::-1]
    d = x[-1, ...]
}
#      CHECK:graph sizes
# CHECK-NEXT:  %0 x: f32[B, 2*B, 8] = input
# CHECK-NEXT:  where B >= 1 or bad_index
# CHECK-NEXT:  %1: f32[1, 2*B, 8] = slice(%0, starts=[0], ends=[1], axes=[0], steps=[1])
# CHECK-NEXT:  %2 a: f32[2*B, 8] = squeeze(%1, axes=[0])
# CHECK-NEXT:  %3 b: f32[B, B, 8] = slice(%0, starts=[0], ends=[B], axes=[1], steps=[1])
# CHECK-NEXT:  %4 c: f32[B, 2*B, 8] = slice(%0, starts=[2*B-1], ends=[-2*B-1], axes=[1], steps=[-1])
# CHECK-NEXT:  %5: f32[1, 2*B, 8] = slice(%0, starts=[B-1], ends=[B], axes=[0], steps=[1])
# CHECK-NEXT:  %6 d: f32[2*B, 8] = squeeze(%5, axes=[0])
# CHECK-NEXT:  output a = %2
# CHECK-NEXT:  output b = %3
# CHECK-NEXT:  output c = %4
# CHECK-NEXT:  output d = %6
