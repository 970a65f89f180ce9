# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Element types with and without sizes, sizes that are expressions, `?` and `*`, `lod`, memory layouts.
# RUN: %{reshapec} --dump=ast %s | FileCheck %s

# CHECK: input a: f32{{$}}
# CHECK: input b: f32[]
# CHECK: input c: f32[*]
# CHECK: input d: u8[?, 3, H]
# CHECK: input e: f16[((B * S) + 1), (C / 2), (-1)]
# CHECK: input f: f32[H, W] layout "h w -> w h"
# CHECK: input g: f32[H, W] strides [W, 1]
# CHECK: input h: f32[H, W] layout "h w -> w h" strides [W, (2 * H)]
# CHECK: input i: f32[H, W] layout "h w -> w h" strides [W, (2 * H)]
# CHECK: input j: f32[T, 8] lod{{$}}
# CHECK: input k: f32[T, 8] lod layout "t c -> c t" strides [T, 1]
# CHECK: result y: no_such_type[2] lod
graph g(
    a: f32, b: f32[], c: f32[*], d: u8[?, 3, H],
    e: f16[B*S + 1, C/2, -1],
    f: f32[H, W] layout "h w -> w h",
    g: f32[H, W] strides [W, 1],
    h: f32[H, W] layout "h w -> w h" strides [W, 2*H],
    i: f32[H, W] strides [W, 2*H] layout "h w -> w h",
    j: f32[T, 8] lod,
    k: f32[T, 8] lod layout "t c -> c t" strides [T, 1],
) -> y: no_such_type[2] lod {
    y = a
}
