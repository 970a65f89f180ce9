# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Two reshapes were fused into one that lost allowzero, and its zeros copied sizes
# (microsoft/onnxruntime#28348).
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s

graph b4(x: f32[0, 6, 2]) -> view y {
    # EXPECT y alias [0, 0, 3] = empty
    y = x |> reshape([3, 2, -1]) |> reshape([0, 0, 3], allowzero=1)
}
graph first(x: f32[0, 6, 2]) -> view y {
    # EXPECT y alias [3, 2, 0] = empty
    y = reshape(x, [3, 2, -1])
}
graph copied(x: f32[0, 6, 2]) -> view y {
    # EXPECT y alias [3, 2, 0] = empty
    y = x |> reshape([3, 2, -1]) |> reshape([0, 0, 0])
}
