# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Each graph whose code would call a library has a message.
# RUN: %{python} %{root}/tests/support/exits.py 1 %{reshapec} %s --target=thumbv6m-none-eabi -Os -o %t.o 2>&1 | FileCheck %s -DFILE=%s --implicit-check-not=moves
# RUN: %{python} %{root}/tests/support/exits.py 1 %{reshapec} %s --target=riscv32-unknown-elf -mattr=-m -o %t.o 2>&1 | FileCheck %s --check-prefix=RISCV --implicit-check-not=moves

graph moves(x: i32[4]) -> y: i32[4] {
    y = flip(x, axes=[0])
}

# CHECK: [[FILE]]:[[#@LINE+2]]:7: error: code of 'thirds' for 'thumbv6m-unknown-none-eabi' would need '__aeabi_idiv' from a library; name a
# RISCV: error: code of 'thirds' for 'riscv32-unknown-unknown-elf' would need '__divsi3'
graph thirds(x: i32[4]) -> y: i32[4] {
    y = x/3
}

# CHECK: [[FILE]]:[[#@LINE+1]]:7: error: code of 'fifths'
graph fifths(x: i32[4]) -> y: i32[4] {
    y = x/5
}

# CHECK: error: code of 'products' for 'thumbv6m-unknown-none-eabi' would need '__aeabi_lmul'
graph products(x: i64[4]) -> y: i64[4] {
    y = x*3333333
}
