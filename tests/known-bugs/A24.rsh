# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A transpose was moved past a reshape and the reshape kept its old target
# (onnx/tensorflow-onnx#226 #1809, PaddlePaddle/Paddle#40948).
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s

graph pooled(x: f32[64, 1, 1, 2048]) -> view y {
    # EXPECT y alias [64, 2048] = np.arange(64 * 2048)
    y = x |> transpose([0, 3, 1, 2]) |> reshape([64, 2048])
}
graph planes(x: f32[2, 3, 4, 5]) -> y {
    # EXPECT y static [10, 12] = x.transpose(0, 3, 1, 2)
    y = x |> transpose([0, 3, 1, 2]) |> reshape([10, 12])
}
graph and_back(x: f32[2, 3, 4, 5]) -> view y {
    # EXPECT y alias [2, 12, 5] = np.arange(120)
    y = x |> transpose([0, 3, 1, 2]) |> reshape([2, 5, -1]) |> transpose([0, 2, 1])
}
