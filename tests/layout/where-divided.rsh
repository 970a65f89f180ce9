# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `where` compares the size of the type, also if the layout divides that size.
# RUN: %{reshapec} explain %s | FileCheck --match-full-lines %s
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=VERIFY
# VERIFY: 4 of 4 graphs verified

# CHECK-LABEL: graph more(x: u8[{{.*}}
#  CHECK-NEXT:   needs  A % 3 == 0 or not_divisible, A >= B+1
graph more(x: u8[A] layout "(a 3) -> a 3", z: u8[B]) -> y where A >= B + 1 {
    y = concat(x, z, axis=0)
}

# CHECK-LABEL: graph squares(x: u8[{{.*}}
#  CHECK-NEXT:   needs  A % 4 == 0 or not_divisible, A*A >= B
graph squares(x: u8[A] layout "(a 4) -> 4 a", z: u8[B]) -> y where A*A >= B {
    y = concat(x, z, axis=0)
}

# CHECK-LABEL: graph listed(x: u8[{{.*}}
#  CHECK-NEXT:   needs  A % 3 == 0 or not_divisible, A in [3, 6, 7]
graph listed(x: u8[A] layout "(a 3) -> a 3") -> y where A in [3, 6, 7] {
    y = x[::-1]
}

# CHECK-LABEL: graph remainder(x: u8[{{.*}}
#  CHECK-NEXT:   needs  A % 3 == 0 or not_divisible, A % 2 == 0
graph remainder(x: u8[A] layout "(a 3) -> a 3") -> y where A % 2 == 0 {
    y = x[::-1]
}
