# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Reshapes were fused although the value between them was a result too, which went missing or got
# the wrong shape (inisis/OnnxSlim#110, Xilinx/onnx-mlir#923).
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s

graph reshapes(x: f32[24]) -> (m, y) {
    # EXPECT m alias [4, 6] = np.arange(24)
    m = x |> reshape([2, 12]) |> reshape([4, 6])
    # EXPECT y alias [3, 8] = np.arange(24)
    y = reshape(m, [3, 8])
}
graph moved(x: f32[4, 6]) -> (m, y, z) {
    # EXPECT m static [6, 4] = x.T
    m = transpose(x)
    # EXPECT y static [3, 8] = x.T.reshape(3, 8)
    y = reshape(m, [3, 8])
    # EXPECT z alias [4, 6] = np.arange(24)
    z = transpose(m)
}
