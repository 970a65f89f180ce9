# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Which NaN a sum or a rounding returns is unspecified, but as a bool each is true. An integer that was cast from an
# approximate number may be any of several, and so may the remainder or the sine of a large approximate number: verify
# accepts what operators compute from each of them.
# RUN: %{reshapec} verify %s | FileCheck %s
# CHECK-NOT: failed
# CHECK: 6 of 6 graphs verified

graph nan_is_true(x: f32[64]) -> y {
    y = cast(round_even(x), bool) & false
}

graph bits_of_whole_part(x: f32[64]) -> y {
    y = cast(floor(x), bool) ^ true
}

graph sum_of_whole_part(x: f32[64]) -> y {
    y = cast(floor(x), i32) + 3
}

graph relu_of_whole_part(x: f32[64]) -> y {
    y = relu(cast(x*0.3, i8))
}

graph remainder_of_square(x: u8[64]) -> y {
    y = cast(x, bf16) |> square() |> mod(-0.3)
}

graph sine_of_square(x: u8[64]) -> y {
    y = cast(x, bf16) |> square() |> sin()
}
