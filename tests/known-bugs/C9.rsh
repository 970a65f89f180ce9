# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Rounding a size up to tiles, and stepping past the end of a loop, wrapped at the end of the range
# (PaddlePaddle/Paddle#79582 #78366): kernels for the largest sizes compile, and quickly.
# RUN: timeout 5 %{reshapec} check %s
# RUN: timeout 5 %{reshapec} explain %s | FileCheck %s
# RUN: timeout 5 %{reshapec} %s -o %t.o
# RUN: timeout 5 %{reshapec} %s -Os -o %t.o
# RUN: timeout 5 %{reshapec} %s -O0 -o %t.o

# CHECK: graph transposed
# CHECK: for 2147483647{{ +}}x + 1{{ +}}y + 2
# CHECK: for 2{{ +}}x + 2147483647{{ +}}y + 1
graph transposed(x: u8[2, 2147483647]) -> y {
    y = transpose(x)
}
# CHECK: graph largest
# CHECK: for 3074457345618258602{{ +}}x + 1{{ +}}y + 3
# CHECK: for 3{{ +}}x + 3074457345618258602{{ +}}y + 1
graph largest(x: u8[3, 3074457345618258602]) -> y {
    y = transpose(x)
}
# CHECK: graph all
# CHECK: y{{ +}}alias
graph all(x: u8[9223372036854775807]) -> y {
    y = reshape(x, [7, -1])
}
# CHECK: graph backwards
# CHECK: for 9223372036854775807{{ +}}x - 1{{ +}}y + 1
graph backwards(x: u8[9223372036854775807]) -> y {
    y = flip(x, 0)
}
# CHECK: graph steps
# CHECK-SAME: y: u8[2]
graph steps(x: u8[9223372036854775807]) -> y {
    y = x[::9223372036854775806]
}
# CHECK: graph wide_steps
# CHECK-SAME: y: u8[1]
graph wide_steps(x: u8[5]) -> y {
    y = x[9223372036854775807:-9223372036854775808:-9223372036854775808]
}
