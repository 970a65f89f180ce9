# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# For size, nests whose outermost loops go over the same rows of the result are one loop on cores without vectors: the inputs
# of a concat, and a constant between elements. At -O2 each has a loop of its own.
# RUN: %{reshapec} --emit=asm --target=thumbv7em-none-eabi -mcpu=cortex-m4 -Os %s -o - | FileCheck %s
# RUN: %{reshapec} --emit=asm --target=thumbv7em-none-eabi -mcpu=cortex-m4 -O2 %s -o - | FileCheck %s --check-prefix=SPEED
# RUN: %{reshapec} verify --target=thumbv7em-none-eabi -mcpu=cortex-m4 -Os %s | FileCheck %s --check-prefix=VERIFY
# RUN: %{reshapec} verify --target=thumbv6m-none-eabi -Os %s | FileCheck %s --check-prefix=VERIFY
# RUN: %{reshapec} verify --target=riscv32-none-elf -Os %s | FileCheck %s --check-prefix=VERIFY
# RUN: %{reshapec} verify --target=thumbv7em-none-eabi -mcpu=cortex-m4 -Oz %s | FileCheck %s --check-prefix=VERIFY
# VERIFY: 9 of 9 graphs verified

# CHECK-LABEL: rows:
# CHECK:       bne
# CHECK-NOT:   bne
# CHECK-LABEL: .size rows
# SPEED-LABEL: rows:
# SPEED:       bne
# SPEED:       bne
# SPEED-LABEL: .size rows
graph rows(a: i8[64, 16], b: i8[64, 8]) -> y { y = concat(a, b, axis=1) }

# CHECK-LABEL: opaque:
# CHECK:       bne
# CHECK-NOT:   bne
# CHECK-LABEL: .size opaque
graph opaque(x: u8[24, 32, 3]) -> y { y = pad(x, [0, 0, 0, 0, 0, 1]) }

# Runs by a call, three inputs, loops inside, and words.
graph long(a: i8[9, 70], b: i8[9, 33]) -> y { y = concat(a, b, axis=1) }
graph three(a: u8[7, 5], b: u8[7, 2], c: u8[7, 40]) -> y { y = concat(a, b, c, axis=1) }
graph turned(a: u16[6, 5, 3], b: u16[6, 4, 3]) -> y {
    y = concat(transpose(a, [0, 2, 1]), transpose(b, [0, 2, 1]), axis=2)
}
graph words(a: f32[6, 3], b: f32[6, 17]) -> y { y = concat(a, b, axis=1) }

# One input twice, and backwards; elements that change keep loops of their own.
graph twice(x: u8[8, 12]) -> y { y = concat(x, flip(x, axes=[0, 1]), axis=1) }
graph changed(a: i8[16, 4], b: i8[16, 4]) -> y { y = concat(a, relu(b), axis=1) }

# More inputs than there are registers: several loops.
# CHECK-LABEL: eight:
# CHECK-COUNT-2: bne
# CHECK-NOT:   bne
# CHECK-LABEL: .size eight
graph eight(a: u8[9, 5], b: u8[9, 4], c: u8[9, 3], d: u8[9, 2], e: u8[9, 5], f: u8[9, 4], g: u8[9, 3], h: u8[9, 2])
    -> y {
    y = concat(a, b, c, d, e, f, g, h, axis=1)
}
