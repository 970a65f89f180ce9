# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A signaling NaN cast to an integer is 0, as every NaN is. Arm's vmaxnm and vminnm, with which LLVM clamps floats to
# the range of narrow integers, return a quiet NaN for it, and then the largest number.
# RUN: %{reshapec} verify %s -Os --target=thumbv8m.main-none-eabi -mcpu=cortex-m33 | FileCheck %s
# RUN: %{reshapec} verify %s -O2 --target=thumbv7em-none-eabihf -mcpu=cortex-m7 | FileCheck %s
# RUN: %{reshapec} verify %s -O2 --target=thumbv7em-none-eabi -mcpu=cortex-m4 | FileCheck %s
# CHECK: 7 of 7 graphs verified
graph bytes(x: f32[224]) -> y: u8[224] {
    y = cast(x, u8)
}

graph signed_bytes(x: f32[224]) -> y: i8[224] {
    y = cast(x, i8)
}

graph halves(x: f32[224]) -> y: u16[224] {
    y = cast(x, u16)
}

graph signed_halves(x: f32[224]) -> y: i16[224] {
    y = cast(x, i16)
}

graph words(x: f32[224]) -> y: u32[224] {
    y = cast(x, u32)
}

graph of_doubles(x: f64[224]) -> y: u8[224] {
    y = cast(x, u8)
}

graph of_half_floats(x: f16[224]) -> y: u8[224] {
    y = cast(x, u8)
}
