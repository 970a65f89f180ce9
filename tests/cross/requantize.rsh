# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# requantize needs no division of 64 bits, for which 32-bit machines call a library, and no product of 64 bits, for which
# the smallest Cortex-M do.
# RUN: %{reshapec} verify %s -Os --target=riscv32-unknown-elf | FileCheck %s
# RUN: %{reshapec} verify %s -Oz --target=thumbv7em-none-eabi -mcpu=cortex-m4 | FileCheck %s
# RUN: %{reshapec} verify %s -Os --target=thumbv6m-none-eabi | FileCheck %s
# RUN: %{reshapec} verify %s -O2 --target=thumbv8m.base-none-eabi | FileCheck %s
# CHECK: one sampled
# CHECK: channels sampled
graph one(x: i32[9, 31]) -> y: i8[31, 9] {
    y = requantize(transpose(x), 1518500250, -8, 3)
}

graph channels(x: i32[9, 4]) -> y: u8[9, 4] {
    y = requantize(x, [1518500250, 0, 1, 2147483647], [-8, 0, 3, -31], 128, dtype=u8, axis=1)
}
