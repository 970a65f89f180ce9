# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A variant is one set of sizes: none has a size below 0, a size that another condition does not list, or those of
# another variant.
# RUN: %{reshapec} --dump=graph %s | FileCheck %s --implicit-check-not='  for'

# CHECK-LABEL: graph negative
# CHECK: {{^}}  for B = 4: its own graph
graph negative(x: u8[B]) -> y where B in [-1, -2, 4] {
    y = flip(x, [0])
}

# CHECK-LABEL: graph negative_of_two
# CHECK: {{^}}  for B = 4, S = 8: its own graph
graph negative_of_two(x: u8[B, S]) -> y where B in [-1, 4], S in [8, -2] {
    y = flip(x, [0])
}

# CHECK-LABEL: graph listed_twice
# CHECK: {{^}}  for B = 2: its own graph
graph listed_twice(x: u8[B]) -> y where B in [2, 2] {
    y = flip(x, [0])
}

# CHECK-LABEL: graph two_lists
# CHECK: {{^}}  for B = 2: its own graph
# CHECK-NEXT: for B = 3: its own graph
graph two_lists(x: u8[B]) -> y where B in [1, 2, 3], B in [2, 3, 4] {
    y = flip(x, [0])
}
