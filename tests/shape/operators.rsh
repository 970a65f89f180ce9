# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The result shape of each operator.
# RUN: %{reshapec} --dump=graph %s | FileCheck --match-full-lines --strict-whitespace %s

graph axes(x: f32[2, 1, 3, 1]) -> (a, b, c, d, e, f, g) {
    a = squeeze(x)
    b = squeeze(x, axes=[-1, 3])
    c = unsqueeze(x, axes=[-1, 0])
    d = flatten(x, axis=-1)
    e = transpose(x)
    f = transpose(x, perm=[3, 0, 2, 1])
    g = flip(x, axes=[0, -2])
}
#      CHECK:graph axes
# CHECK-NEXT:  %0 x: f32[2, 1, 3, 1] = input
# CHECK-NEXT:  %1 a: f32[2, 3] = squeeze(%0)
# CHECK-NEXT:  %2 b: f32[2, 1, 3] = squeeze(%0, axes=[-1, 3])
# CHECK-NEXT:  %3 c: f32[1, 2, 1, 3, 1, 1] = unsqueeze(%0, axes=[-1, 0])
# CHECK-NEXT:  %4 d: f32[6, 1] = flatten(%0, axis=-1)
# CHECK-NEXT:  %5 e: f32[1, 3, 1, 2] = transpose(%0)
# CHECK-NEXT:  %6 f: f32[1, 2, 3, 1] = transpose(%0, perm=[3, 0, 2, 1])
# CHECK-NEXT:  %7 g: f32[2, 1, 3, 1] = flip(%0, axes=[0, -2])
# CHECK-NEXT:  output a = %1
# CHECK-NEXT:  output b = %2
# CHECK-NEXT:  output c = %3
# CHECK-NEXT:  output d = %4
# CHECK-NEXT:  output e = %5
# CHECK-NEXT:  output f = %6
# CHECK-NEXT:  output g = %7

graph parts(x: f32[5, 4]) -> (a, b, c, d, e, f, g) {
    a = slice(x, starts=[-100, 3], ends=[100, -100], steps=[2, -1])
    b = x[5:2]
    c, d = split(x, axis=0, parts=2)
    e, f = split(x, axis=-1, sizes=[4, 0])
    g = concat(c, d, x, axis=0)
}
#      CHECK:graph parts
# CHECK-NEXT:  %0 x: f32[5, 4] = input
# CHECK-NEXT:  %1 a: f32[3, 4] = slice(%0, starts=[-100, 3], ends=[100, -100], steps=[2, -1])
# CHECK-NEXT:  %2 b: f32[0, 4] = slice(%0, starts=[5], ends=[2], axes=[0], steps=[1])
# CHECK-NEXT:  %3 c: f32[3, 4], %4 d: f32[2, 4] = split(%0, axis=0, parts=2)
# CHECK-NEXT:  %5 e: f32[5, 4], %6 f: f32[5, 0] = split(%0, axis=-1, sizes=[4, 0])
# CHECK-NEXT:  %7 g: f32[10, 4] = concat(%3, %4, %0, axis=0)
# CHECK-NEXT:  output a = %1
# CHECK-NEXT:  output b = %2
# CHECK-NEXT:  output c = %3
# CHECK-NEXT:  output d = %4
# CHECK-NEXT:  output e = %5
# CHECK-NEXT:  output f = %6
# CHECK-NEXT:  output g = %7

graph more(x: f32[1, 8, 2, 2], s: f32) -> (a, b, c, d, e) {
    a = expand(x, [3, 1, 1, 2, 2])
    b = expand(s, [2, 0])
    c = depth_to_space(x, 2, mode="CRD")
    d = space_to_depth(x, blocksize=2)
    e = stack(s, s, s, axis=-1)
}
#      CHECK:graph more
# CHECK-NEXT:  %0 x: f32[1, 8, 2, 2] = input
# CHECK-NEXT:  %1 s: f32 = input
# CHECK-NEXT:  %2 a: f32[3, 1, 8, 2, 2] = expand(%0, shape=[3, 1, 1, 2, 2])
# CHECK-NEXT:  %3 b: f32[2, 0] = expand(%1, shape=[2, 0])
# CHECK-NEXT:  %4 c: f32[1, 2, 4, 4] = depth_to_space(%0, blocksize=2, mode="CRD")
# CHECK-NEXT:  %5 d: f32[1, 32, 1, 1] = space_to_depth(%0, blocksize=2)
# CHECK-NEXT:  %6 e: f32[3] = stack(%1, %1, %1, axis=-1)
# CHECK-NEXT:  output a = %2
# CHECK-NEXT:  output b = %3
# CHECK-NEXT:  output c = %4
# CHECK-NEXT:  output d = %5
# CHECK-NEXT:  output e = %6

graph sizes(x: f32[B, 2*B, 8]) -> (a, b, c, d, e) {
    a = flatten(x, axis=2)
    b, c = split(x, axis=1)
    d = concat(x, x, axis=0)
    e = x[:, 1:]
}
#      CHECK:graph sizes
# CHECK-NEXT:  %0 x: f32[B, 2*B, 8] = input
# CHECK-NEXT:  %1 a: f32[2*B*B, 8] = flatten(%0, axis=2)
# CHECK-NEXT:  %2 b: f32[B, B, 8], %3 c: f32[B, B, 8] = split(%0, axis=1)
# CHECK-NEXT:  %4 d: f32[2*B, 2*B, 8] = concat(%0, %0, axis=0)
# CHECK-NEXT:  %5 e: f32[B, 2*B-min(1, B), 8] = slice(%0, starts=[min(1, B)], ends=[2*B], axes=[1], steps=[1])
# CHECK-NEXT:  output a = %1
# CHECK-NEXT:  output b = %2
# CHECK-NEXT:  output c = %3
# CHECK-NEXT:  output d = %4
# CHECK-NEXT:  output e = %5
