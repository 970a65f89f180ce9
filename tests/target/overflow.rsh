# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# More than 32 bits can address is an error if the size is known, with the number, and no file is left; 64 bits can.
# RUN: rm -f %t.o && %{python} %{root}/tests/support/exits.py 1 %{reshapec} %s --target=thumbv7em-none-eabi -o %t.o 2>&1 | FileCheck %s
# RUN: test ! -e %t.o
# RUN: %{reshapec} %s --target=riscv64-unknown-elf -o %t.o

# CHECK-NOT: error
# CHECK: [[#@LINE+1]]:13: error: 'x' takes 2147483648 bytes: more than the 2147483647 that a pointer difference of 'thumbv7em-unknown-none-eabi' can hold
graph large(x: f32[512, 1048576]) -> y { y = x[0] }
# CHECK: [[#@LINE+1]]:33: error: 'y' takes 8589934592 bytes
graph made(x: u16[65536, 1]) -> y { y = expand(x, [65536, 65536]) }
# CHECK-NOT: error
graph fits(x: f32[511, 1048576]) -> y { y = x[0] }
