# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A quotient that must be one of several values, of a size that other conditions divide.
# RUN: %{reshapec} explain %s | FileCheck --match-full-lines %s
# RUN: %{reshapec} verify %s | FileCheck %s --check-prefix=VERIFY
# VERIFY: 3 of 3 graphs verified

# CHECK-LABEL: graph half(x: u8[W]) -> y: u8[W]
#  CHECK-NEXT:   needs  W % 2 == 0, W//2 in [1, 3]
graph half(x: u8[W]) -> y where W % 2 == 0, W//2 in [1, 3] { y = x[::-1] }

# CHECK-LABEL: graph exact(x: u8[W]) -> y: u8[W]
#  CHECK-NEXT:   needs  W % 4 == 0, W in [4, 12]
graph exact(x: u8[W]) -> y where W % 4 == 0, W/4 in [1, 3] { y = x[::-1] }

# CHECK-LABEL: graph of_layout(x: u8[W] {{.*}}
#  CHECK-NEXT:   needs  W % 3 == 0 or not_divisible, W in [6, 9]
graph of_layout(x: u8[W] layout "(a 3) -> 3 a") -> y where W//3 in [2, 3] { y = x[::-1] }
