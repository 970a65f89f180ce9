# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A transpose that only moves axes of size 1 copied half of the data (google/XNNPACK#3029): here every position of two
# such axes among four.
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s

graph ones_23(x: f32[2, 2, 1, 1]) -> y {
    # EXPECT y alias [2, 1, 1, 2] = 0 1 2 3
    y = transpose(x, [0, 2, 3, 1])
}
graph ones_13(x: f32[2, 1, 2, 1]) -> y {
    # EXPECT y alias [2, 2, 1, 1] = 0 1 2 3
    y = transpose(x, [0, 2, 3, 1])
}
graph ones_12(x: f32[2, 1, 1, 2]) -> y {
    # EXPECT y alias [2, 1, 2, 1] = 0 1 2 3
    y = transpose(x, [0, 2, 3, 1])
}
graph ones_03(x: f32[1, 2, 2, 1]) -> y {
    # EXPECT y static [1, 2, 1, 2] = 0 2 1 3
    y = transpose(x, [0, 2, 3, 1])
}
graph ones_02(x: f32[1, 2, 1, 2]) -> y {
    # EXPECT y static [1, 1, 2, 2] = 0 2 1 3
    y = transpose(x, [0, 2, 3, 1])
}
graph ones_01(x: f32[1, 1, 2, 2]) -> y {
    # EXPECT y alias [1, 2, 2, 1] = 0 1 2 3
    y = transpose(x, [0, 2, 3, 1])
}
