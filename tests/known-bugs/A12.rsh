# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Two transposes were canceled although a reshape between them had changed what the second one permutes
# (llvm/llvm-project#135397).
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s

graph twice(x: f32[2, 3]) -> view y {
    # EXPECT y alias [2, 3] = 0 1 2 3 4 5
    y = x |> transpose([1, 0]) |> transpose([1, 0])
}
graph reshaped(x: f32[2, 3]) -> y {
    # EXPECT y static [3, 2] = 0 4 3 2 1 5
    y = x |> transpose([1, 0]) |> reshape([2, 3]) |> transpose([1, 0])
}
