# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Casts, element-wise functions and `identity` keep sequence offsets, also those of a tensor of any rank. Operators that
# move elements may move rows, and a list of constants may repeat them.
# RUN: %{reshapec} explain %s | FileCheck %s
# CHECK:      graph kept(x: f32[*] lod) -> (a: f32[*] lod, b: f16[*] lod, c: f32[*] lod, d: u8[*] lod)
# CHECK-NOT:  none
# CHECK:      graph lost(x: f32[*] lod) -> (a: f32[*], b: f32[*])
# CHECK:      lod none: flip does not keep the rows
# CHECK:      lod none: expand does not keep the rows
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
