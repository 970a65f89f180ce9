# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Parts of bytes at -Os: loops over single elements, if these take less code than fields. A border of bits is filled
# first, in whole bytes.
# RUN: %{reshapec} %s --target=thumbv7em-none-eabi -mcpu=cortex-m4 --dump=plan -Os | FileCheck %s --check-prefixes=CHECK,SMALL
# RUN: %{reshapec} %s --target=thumbv7em-none-eabi -mcpu=cortex-m4 --dump=plan -O2 | FileCheck %s --check-prefixes=CHECK,FAST
# RUN: %{reshapec} %s --target=thumbv7em-none-eabi -mcpu=cortex-m4 -Os --max-text=130 -o %t.o
# RUN: %{reshapec} verify %s -Os --target=riscv32-unknown-elf | FileCheck %s --check-prefix=VERIFY

# CHECK-LABEL: graph turned
# SMALL: for 24: dst 17, src 1
# SMALL-NEXT: for 17: dst 1, src 24
# SMALL-NEXT: element, align 1
# FAST: element at 16: 7+1 of 27 at 0
# VERIFY: turned
graph turned(x: u1[17, 24]) -> y {
    y = transpose(x)
}

# Six fields, of which each would be a nest.
# CHECK-LABEL: graph pixels
# CHECK: element at 2: 2+3 at 0 0+5 at 3
# VERIFY: pixels
graph pixels(x: u16[4, 4]) -> y: u8[4, 4, 3] {
    bits = bitcast(x, u1)
    r = concat(bits[:, :, 13:], bits[:, :, 11:], axis=2)
    g = concat(bits[:, :, 9:11], bits[:, :, 5:11], axis=2)
    b = concat(bits[:, :, 2:5], bits[:, :, :5], axis=2)
    y = stack(r, g, b, axis=2) |> bitcast(u8)
}

# CHECK-LABEL: graph border
# SMALL: ff to 0
# SMALL-NEXT: fill 15
# SMALL: for 8: dst 12, src 10
# SMALL-NOT: ff to
# FAST: element at 14
# VERIFY: border
graph border(x: u1[8, 10]) -> y {
    y = pad(x, [1, 1, 1, 1], 1)
}

# The last byte of a border has one nibble.
# VERIFY: nibbles
graph nibbles(x: i4[7, 9]) -> y {
    y = pad(x, [1, 0, 1, 0], -3)
}

# Eight elements of a byte, one by one; two, together.
# CHECK-LABEL: graph bytes
# SMALL-NOT: at once
# FAST: 8 of a byte at once
# VERIFY: bytes
graph bytes(x: u1[64]) -> y: u8[64] {
    y = cast(x, u8)
}

# CHECK-LABEL: graph packed
# CHECK: 2 of a byte at once
# VERIFY: packed
graph packed(x: u8[64]) -> y: u4[64] {
    y = cast(x, u4)
}
