# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Without vectors, a move that begins in the result where the one before it ended starts from that address, which the copy
# routine returns: no register keeps the address of the result across the call.
# RUN: %{reshapec} --emit=asm --target=riscv32-none-elf -Os %s -o - | FileCheck %s
# RUN: %{reshapec} verify --target=riscv32-none-elf -Os %s | FileCheck %s --check-prefix=VERIFY
# RUN: %{reshapec} verify --target=riscv32-none-elf -O2 %s | FileCheck %s --check-prefix=VERIFY
# RUN: %{reshapec} verify --target=thumbv7em-none-eabi -mcpu=cortex-m4 -Os %s | FileCheck %s --check-prefix=VERIFY
# RUN: %{reshapec} verify --target=thumbv6m-none-eabi -O2 %s | FileCheck %s --check-prefix=VERIFY
# VERIFY: 4 of 4 graphs verified

# CHECK-LABEL: {{^}}planes:
# CHECK-NOT: s1
# CHECK: call copy.run
# CHECK-NOT: s1
# CHECK: tail copy.run
graph planes(a: f32[16, 8, 8], b: f32[8, 8, 8]) -> y {
    y = concat(a, b, axis=0)
}

# Rows in a loop, then one run; and runs with loops on both sides of them.
graph rows(a: u8[12, 20], b: u8[200]) -> y {
    y = concat(reshape(a[:, :17], [-1]), b, axis=0)
}

graph turned(a: u8[12, 20], b: u8[200]) -> y {
    y = concat(reshape(flip(a, axes=[1]), [-1]), b, reshape(transpose(a, [1, 0]), [-1]), axis=0)
}

# Three runs, of two inputs.
graph thrice(a: u8[100], b: u8[60]) -> y {
    y = concat(a, b, a, axis=0)
}
