# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Code for other machines is verified, too: called under an emulator through its own header, in memory between
# inaccessible pages.
# RUN: %{reshapec} verify %s --target=thumbv6m-none-eabi -Os | FileCheck %s -DMACHINE=qemu-arm
# RUN: %{reshapec} verify %s --target=aarch64-none-elf | FileCheck %s -DMACHINE=qemu-aarch64
# RUN: %{reshapec} verify %s --target=riscv32-unknown-elf | FileCheck %s -DMACHINE=qemu-riscv32
# RUN: %{reshapec} verify %s --target=s390x-linux-gnu | FileCheck %s -DMACHINE=qemu-s390x

# Others, with a graph or two.
# RUN: %{reshapec} verify %s bordered --target=thumbv7em-none-eabihf -mcpu=cortex-m4 | FileCheck %s --check-prefix ONE
# RUN: %{reshapec} verify %s bordered --target=riscv32-unknown-elf -mattr=+f,+d | FileCheck %s --check-prefix ONE
# RUN: %{reshapec} verify %s bordered --target=riscv64-linux-gnu | FileCheck %s --check-prefix ONE
# RUN: echo 'graph open(x: u8[N, 3]) -> (y, z) { y = transpose(x); z = flip(x, 1) }' > %t.open.rsh
# RUN: %{reshapec} verify %t.open.rsh --target=thumbv7em-none-eabi | FileCheck %s --check-prefix ONE
# RUN: %{reshapec} verify %s bordered --target=powerpc-linux-gnu | FileCheck %s --check-prefix ONE
# RUN: %{reshapec} verify %s bordered --target=x86_64-none-elf | FileCheck %s --check-prefix ONE
# ONE: 1 of 1 graphs verified
# RUN: %{reshapec} verify %s woven --target=powerpc-linux-gnu --json | FileCheck %s --check-prefix JSON
# JSON: "emulator": "qemu-ppc"
# JSON: "outcome": "proved"
# RUN: echo 'graph g(x: u8[2, 3]) -> y { y = transpose(x) }' > %t.rsh
# RUN: %{reshapec} -fverify %t.rsh --target=aarch64-none-elf -o %t.o && llvm-readobj --file-header %t.o | FileCheck %s --check-prefix ELF
# ELF: Machine: EM_AARCH64

# Armv8.1-M code runs in an image for a board, between regions of its memory protection unit.
# RUN: %{reshapec} verify %s --target=thumbv8.1m.main-none-eabihf -mcpu=cortex-m55 | FileCheck %s -DMACHINE=qemu-system-arm
# RUN: %{reshapec} verify %s bordered --target=thumbv7em-none-eabi -mcpu=cortex-m85 -mattr=+mve --json | FileCheck %s --check-prefix M85
# M85: "emulator": "qemu-system-arm"
# M85: "outcome": "proved"
# RUN: rm -f %t.m.o
# RUN: %{reshapec} -fverify %t.rsh --target=thumbv8.1m.main-none-eabihf -mcpu=cortex-m55 -o %t.m.o && test -e %t.m.o

# CHECK-NOT: failed
# CHECK: , run by [[MACHINE]], sha256
# CHECK-NEXT: 10 of 10 graphs verified

graph tiled(x: f32[17, 21]) -> y { y = transpose(x) }
graph woven(x: u8[70, 3]) -> y { y = transpose(x) }
graph wide(x: c128[2, 5]) -> y { y = transpose(x) }
graph packed(x: i4[5, 7]) -> (y, z) {
    y = transpose(x)
    z = x[1:, 3:]
}
graph bordered(x: i32[3, 4], y: f16[5]) -> (p, q) {
    p = pad(x, [1, 0, 2, 1], value=305419896)
    q = y[::-1]
}
graph words(x: u8[6, 16] align 4) -> y: u8[3, 16] align 8 { y = x[::2, :] }
graph computed(x: u8[4, 6]) -> y { y = transpose(x) |> cast(i32) }
graph viewed(x: f32[6, 4]) -> y { y = x[2:] }
graph heads(x: f16[B, S, 24]) -> y where S <= 9, B in [1, 2] {
    y = x |> reshape([0, 0, 3, 8]) |> transpose([0, 2, 1, 3])
}
graph looked_up(x: u8[7, 9]) -> y { y = x |> transpose() |> reshape([7, 9]) |> transpose() }
