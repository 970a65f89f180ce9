# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tasks are verified on other machines, too. The number of tasks, and a task's status, are ints: where registers have 64
# bits, C expects them sign-extended. Huge sizes show whether they are.
# RUN: %{reshapec} verify %s --parallel=hook --target=s390x-linux-gnu | FileCheck %s
# RUN: %{reshapec} verify %s --parallel=hook --target=riscv64-linux-gnu | FileCheck %s
# RUN: %{reshapec} verify %s --parallel=hook --target=powerpc-linux-gnu | FileCheck %s
# RUN: %{reshapec} verify %s --parallel --target=thumbv7em-none-eabi -Os | FileCheck %s
# CHECK: open proved in 2 ways for {{[0-9]+}} choices of sizes
# CHECK: whole proved in 2 ways:
# CHECK: 2 of 2 graphs verified

graph open(x: u16[A, 33]) -> y {
    y = transpose(x)
}

graph whole(x: f32[64, 48, 3]) -> (y, z) {
    y = transpose(x, [2, 0, 1])
    z = flip(x, 1)
}
