# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A pass that turns split and stack into one transpose took axis -1 for an axis other than the last
# (pytorch/pytorch#121227). Negative axes are resolved before anything uses them.
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s

graph a5(x: f32[1, 9]) -> y {
    # EXPECT y static [1, 3, 3] = 0 3 6 1 4 7 2 5 8
    a, b, c = split(x, axis=1, sizes=[3, 3, 3])
    y = stack(a, b, c, axis=-1)
}
graph positive(x: f32[1, 9]) -> y {
    # EXPECT y static [1, 3, 3] = 0 3 6 1 4 7 2 5 8
    a, b, c = split(x, axis=-1, parts=3)
    y = stack(a, b, c, axis=2)
}
graph middle(x: f32[1, 9]) -> y {
    # EXPECT y alias [1, 3, 3] = 0 1 2 3 4 5 6 7 8
    a, b, c = split(x, axis=-1, parts=3)
    y = stack(a, b, c, axis=-2)
}
