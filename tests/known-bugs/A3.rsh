# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A permuted array was reshaped in memory order, not in index order (numba/numba#5829). Reshape is row-major over the
# view.
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s

graph a3(x: f32[2, 4]) -> y {
    # EXPECT y static [2, 2, 2] = 0 4 1 5 2 6 3 7
    y = x |> transpose([1, 0]) |> reshape([2, 2, 2])
}
graph back(x: f32[2, 4]) -> y {
    # EXPECT y alias [2, 4] = 0 1 2 3 4 5 6 7
    y = x |> transpose() |> reshape([2, 2, 2]) |> transpose([2, 0, 1]) |> reshape([2, 4])
}
