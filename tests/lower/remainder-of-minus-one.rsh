# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A remainder of a division by -1 is 0, as in Python: also of the least integer, whose quotient does not fit.
# RUN: echo 'print(5 %% -1, -5 %% -1, 0 %% -1, -9223372036854775808 %% -1)' > %t.rsh
# RUN: %{reshapec} run %t.rsh | FileCheck %s --check-prefix=NUMBERS
# NUMBERS: 0 0 0 0
# RUN: %{reshapec} --dump=graph %s | FileCheck %s

graph all(x: u8[8]) -> y {
    # CHECK: y: u8[8] = slice(%0, starts=[0]
    y = x[5 % -1:]
}
