# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Two converters deleted a transpose of axes of size 1, and the shape stayed as it was
# (tensorflow/tensorflow#48206, openvinotoolkit/openvino#37959).
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s

graph wide(x: f32[1, 64, 1]) -> view y: f32[1, 1, 64] {
    # EXPECT y alias [1, 1, 64] = np.arange(64)
    y = transpose(x, [0, 2, 1])
}
graph narrow(x: f32[1, 1, 2]) -> view y: f32[1, 2, 1] {
    # EXPECT y alias [1, 2, 1] = 0 1
    y = transpose(x, [0, 2, 1])
}
