# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Casts, element-wise functions and `identity` keep sequence offsets, also those of a tensor of any rank. Operators that
# move elements keep them if their arguments say that rows stay: they name other axes than the first, or copy its size.
# RUN: %{reshapec} explain %s | FileCheck %s
# CHECK:      graph kept(x: f32[*] lod) -> (a: f32[*] lod, b: f16[*] lod, c: f32[*] lod, d: u8[*] lod)
# CHECK-NOT:  none
# CHECK:      graph lost(x: f32[*] lod) -> (a: f32[*], b: f32[*])
# CHECK:      lod none: flip does not keep the rows
# CHECK:      lod none: expand does not keep the rows
# CHECK:      graph rows(
# CHECK-SAME: (a: f32[?, ?, ?] lod, b: f32[?, ?] lod, c: f32[?, ?, 2] lod, d: f32[?, ?] lod, e: f32[*] lod, f: f32[*] lod, g: f32[*] lod, h: f32[*] lod, i: f32[*] lod, j: f32[*] lod, k: f32[*] lod)
# CHECK:      graph other_rows(x: f32[*] lod) -> (a: f32[?, ?], c: f32[?, 2], d: f32[*], e: f32[*], f: f32[?, ?])
graph kept(x: f32[*] lod) -> (a: f32[*] lod, b: f16[*] lod, c: f32[*] lod, d: u8[*] lod) {
    a = relu(x)
    b = cast(x, f16)
    c = identity(x)*2.0
    d = quantize(x, 0.5)
}

graph lost(x: f32[*] lod) -> (a, b) {
    a = flip(x, 0)
    b = x + [1.0, 2.0]
}

graph rows(x: f32[*] lod) -> (a, b, c, d, e, f, g, h, i, j, k) {
    a = transpose(x, [0, 2, 1])
    b = paddle.reshape(x, [0, -1])
    c = reshape(x, [0, -1, 2])
    d = flatten(x)
    e = unsqueeze(x, [1, 3])
    f = squeeze(x, [2])
    g = concat(x, x, axis=1)
    h = split(x, axis=1, parts=1)
    i = gather(x, [0, 1], axis=1)
    j = slice(x, [0], [1], axes=[1])
    k = flip(x, 2)
}

graph other_rows(x: f32[*] lod) -> (a, c, d, e, f) {
    a = transpose(x, [1, 0])
    c = reshape(x, [-1, 2])
    d = squeeze(x, [-1])  # axis 0 of a tensor of one axis
    e = concat(x, x, axis=0)
    f = flatten(x, axis=2)
}
