# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Graphs named like the program's own functions, or with a single letter, are proved like any other.
# RUN: %{reshapec} verify %s --target=riscv32-unknown-elf | FileCheck %s
# CHECK: 4 of 4 graphs verified
graph a(x: u8[2, 3]) -> y { y = transpose(x) }
graph call_0(x: u8[2, 3]) -> y { y = transpose(x) }
graph give(x: u8[2, 3]) -> y { y = transpose(x) }
graph begin(x: u8[2, 3]) -> y { y = transpose(x) }
