# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Two quantizes have the same scale, and differ in the type of the result or in `saturate`. The runtime used the function
# of the first for both.
# RUN: %{reshapec} verify %s | tail -1 | FileCheck %s
# RUN: %{reshapec} verify --emit=c %s | tail -1 | FileCheck %s
# CHECK: 2 of 2 graphs verified
graph types(x: f32[*], t: i64[*]) -> y {
    y = reshape(x, t) |> quantize(3.0, 0, f8e5m2) |> cast(f32) |> quantize(3.0) |> cast(f32) |> quantize(3.0, 0, i4)
}
graph saturate(x: f32[*], t: i64[*]) -> (y, z) {
    v = reshape(x, t)
    y = quantize(v, 0.001, 0, f8e5m2, true)
    z = quantize(v, 0.001, 0, f8e5m2, false)
}
