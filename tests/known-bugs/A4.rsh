# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Chains that end in the shape they began with were taken for no-ops and dropped (tensorflow/tensorflow#61886 #120291).
# The same shape is no proof of identity.
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s

graph unstacked(x: f32[3, 2]) -> y {
    # EXPECT y static [3, 2] = 0 2 4 1 3 5
    a, b = x |> reshape([3, 2, 1]) |> split(axis=1, parts=2)
    y = concat(squeeze(a, 1), squeeze(b, 1), axis=0) |> reshape([3, 2])
}
graph transposed(x: f32[3, 2]) -> y {
    # EXPECT y static [3, 2] = 0 2 4 1 3 5
    y = x |> transpose([1, 0]) |> reshape([3, 2])
}
graph nothing(x: f32[3, 2]) -> y {
    # EXPECT y alias [3, 2] = 0 1 2 3 4 5
    a, b = split(x, axis=1, parts=2)
    y = concat(a, b, axis=1)
}
