# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A size of 1 between two axes was taken to mean that they are adjacent in memory, and a copy became a bitcast
# (openxla/xla#18441).
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s

graph a2(x: f32[3, 1, 2]) -> y {
    # EXPECT y static [1, 6] = 0 2 4 1 3 5
    y = x |> transpose([1, 2, 0]) |> reshape([1, 6])
}
graph front(x: f32[3, 2, 1]) -> y {
    # EXPECT y static [6] = 0 2 4 1 3 5
    y = x |> transpose([1, 2, 0]) |> reshape([6])
}
graph view(x: f32[3, 1, 2]) -> y {
    # EXPECT y alias [6] = 0 1 2 3 4 5
    y = x |> transpose([1, 0, 2]) |> reshape([6])
}
