# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Constants of several elements, in every way that code has for them.
# RUN: %{reshapec} verify %s | FileCheck %s
# RUN: %{reshapec} verify --emit=c %s | FileCheck %s
# CHECK: 8 of 8 graphs verified

# Several repetitions of a table, and the remaining rows.
graph pixels(x: u8[71, 3]) -> y: f32[71, 3] {
    y = cast(x, f32)*[0.5, 0.25, 0.125] - [1.0, 2.0, 3.0]
}
# Two tables along different axes, and a third along the axis of the second.
graph across(x: i32[3, 4, N]) -> y {
    y = (x*[[[2]], [[3]], [[5]]] + [[1], [10], [100], [1000]] ^ [[7], [70], [700], [7000]]) |> transpose([2, 0, 1])
}
# A part of the rows, backwards, of a table for all.
graph part(x: i16[N, 5]) -> y {
    y = (x + [1, 20, 300, 4000, 5])[:, 4:1:-1]
}
# Filled elements meet table entries, too.
graph border(x: f32[2, 3]) -> y {
    y = pad(x, [1, 1, 1, 0], value=3.0)/[1.0, 2.0, 4.0, 8.0]
}
# Per-channel scales, partly undone: the rest has other entries.
graph scaled(x: i8[4, N]) -> (y: i8[N, 4], z: i8[N, 4]) {
    d = dequantize(x, [0.5, 0.25, 2.0, 1.0], zero_point=[1, -2, 3, 0], axis=0) |> transpose()
    y = quantize(d, [0.5, 0.25, 2.0, 1.0], zero_point=[1, -2, 3, 0], dtype=i8, axis=1)
    z = quantize(d, [1.0, 0.25, 2.0, 1.0], zero_point=[1, -2, 3, 0], dtype=i8, axis=1)
}
graph requantized(x: i32[2, 3]) -> y: u8[3, 2] {
    y = requantize(x, [1073741824, 2000000000], [-3, 2], zero_point=[1, 128], dtype=u8, axis=0) |> transpose()
}
# A table before pieces and steps, and another after them.
graph thinned(x: i32[60, 7]) -> y {
    y = reshape(roll(x*[1, 2, 3, 4, 5, 6, 7], 3, axes=1), [7, 60])[::2, ::7] + [[1], [2], [3], [4]]
}
# By the runtime.
graph ranked(x: f32[*]) -> y {
    y = x*[1.0, 2.0, 3.0] + 0.5
}
