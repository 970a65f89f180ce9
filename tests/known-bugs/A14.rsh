# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Two reshapes were fused, and the 0 of the second copied a size of the chain's input instead of the value between them
# (onnx/onnx-mlir#2601).
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s

graph a14(x: f32[3, 4, 2, 2]) -> y {
    # EXPECT y alias [3, 2, 8] = np.arange(48)
    y = x |> reshape([3, 2, 2, 2, 2]) |> reshape([0, 0, -1])
}
