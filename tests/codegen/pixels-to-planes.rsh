# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Pixels of up to 8 narrow channels are read once, and all planes are written in turn, on processors whose vectors part as
# many; others write one plane after another.
# RUN: %{reshapec} %s --dump=plan -mcpu=znver4 | FileCheck %s --check-prefixes=CHECK,TURN
# RUN: %{reshapec} %s --dump=plan -mcpu=znver3 | FileCheck %s --check-prefixes=CHECK,EACH
# RUN: %{reshapec} verify %s -mcpu=native

# CHECK: graph seven
# TURN: for 100000: dst 2, src 14
# TURN-NEXT: for 7: dst 200000, src 2
# EACH: for 7: dst 200000, src 2
# EACH-NEXT: for 100000: dst 2, src 14
graph seven(x: u16[100000, 7]) -> y {
    y = transpose(x)
}

# CHECK: graph nine
# CHECK: for 9: dst 200000, src 2
# CHECK-NEXT: for 100000: dst 2, src 18
graph nine(x: u16[100000, 9]) -> y {
    y = transpose(x)
}
