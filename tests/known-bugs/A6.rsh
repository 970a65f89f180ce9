# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sizes of 1 on only one side of a reshape shifted the groups of axes by one, and the transpose after it became another
# one (tensorflow/tensorflow#27781).
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s

graph a6(x: f32[1, 1, 50, 2]) -> y {
    # EXPECT y static [1, 2, 50] = x.reshape(50, 2).T
    y = x |> reshape([1, 50, 2]) |> transpose([0, 2, 1])
}
graph more_ones(x: f32[50, 2]) -> y {
    # EXPECT y static [1, 2, 1, 50] = x.T
    y = x |> reshape([1, 50, 1, 2]) |> transpose([0, 3, 2, 1])
}
