# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# LLVM stores a reversed pair of a vector with one strided call, which moves exactly what it is given; and the emulator
# is told to have vectors.
# RUN: %{reshapec} verify %s --target=riscv32 -mattr=+v | FileCheck %s
# RUN: %{reshapec} verify %s --target=riscv64-unknown-elf -mattr=+m,+v -O3 | FileCheck %s
# CHECK: sw proved: 353 runs
# CHECK: run by qemu-riscv{{32|64}}
graph sw(x: u8[2400, 2]) -> inplace y { y = flip(x, axes=[1]) }
