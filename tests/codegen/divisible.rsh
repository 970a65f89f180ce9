# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sizes that are multiples of 3 compile for targets without an instruction for the quotient: the function that divides
# is built when a loop first needs the quotient, after the branch that ends the entry block.
# RUN: for target in thumbv6m-none-eabi thumbv7em-none-eabi thumbv8.1m.main-none-eabihf riscv32-unknown-elf powerpc-linux-gnu wasm32-unknown-unknown; do %{reshapec} %s --target=$target -fno-verify -o %t.o || exit 1; done
# RUN: %{reshapec} %s --target=thumbv7em-none-eabi -fno-verify --emit=llvm-ir -o - | FileCheck %s
# RUN: %{reshapec} verify %s

# CHECK-LABEL: @turned(
# CHECK: call fastcc i64 @divide.rest(i64 %A
# CHECK: call fastcc i64 @divide.long(i64 %A
graph turned(x: u8[A, 7]) -> y where A % 3 == 0 { y = transpose(x) }

# CHECK-LABEL: @split(
graph split(x: u8[A, 4]) -> y where A % 3 == 0 { y = x |> reshape([3, -1]) |> transpose() }

# CHECK-LABEL: @there(
graph there(x: u8[A, B]) -> inplace y where A % 3 == 0, B % 5 == 0 { y = transpose(x) }
