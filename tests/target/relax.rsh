# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# On RISC-V the linker may shorten calls, as it may in objects of C compilers, unless -mattr=-relax bars it.
# RUN: %{reshapec} --target=riscv32-none-elf -Os -g %s -o %t.o && llvm-readelf -r %t.o | FileCheck %s
# RUN: %{reshapec} --target=riscv32-none-elf -mcpu=sifive-e31 -Os %s -o %t.o && llvm-readelf -r %t.o | FileCheck %s
# RUN: %{reshapec} --target=riscv32-none-elf -mattr=-relax -Os %s -o %t.o && llvm-readelf -r %t.o | FileCheck %s --check-prefix=NOT
# CHECK: R_RISCV_CALL_PLT {{.*}} copy.run
# CHECK-NEXT: R_RISCV_RELAX
# NOT-NOT: R_RISCV_RELAX
graph rows(x: u8[32, 100]) -> y { y = x[:, :80] }
