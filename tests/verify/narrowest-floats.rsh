# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# f4e2m1 has no NaN, and quantize adds its zero point, 0, which turns -0 into 0; without one, -0 stays. verify took both
# for faults of the compiler.
# RUN: %{reshapec} verify %s | FileCheck %s
# RUN: %{reshapec} verify --emit=c --cc=%{cc} %s | FileCheck %s
# CHECK: 3 of 3 graphs verified
graph not_a_number(x: f8e4m3fn[256]) -> y {
    y = (cast(x, f32)/3.0) |> cast(f4e2m1) |> cast(f32)
}

graph zero_point(x: f8e4m3fn[256]) -> y {
    y = cast(x, f32) |> quantize(3.0, 0, f4e2m1) |> cast(f32)
}

graph no_zero_point(x: f8e4m3fn[256]) -> y {
    y = cast(x, f32) |> quantize(3.0, dtype=f4e2m1) |> cast(f32)
}
