# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Strings are pointers: there is no code for pointers of another size than this machine's.
# RUN: %{python} %{root}/tests/support/exits.py 1 %{reshapec} %s --target=riscv32-unknown-elf -o %t.o 2>&1 | FileCheck %s
# CHECK: [[#@LINE+1]]:13: error: 'x' has strings, which are 64-bit pointers, but pointers of 'riscv32-unknown-unknown-elf' have 32 bits
graph texts(x: string[2, 3]) -> y { y = transpose(x) }
