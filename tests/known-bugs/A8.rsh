# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A transpose that moves no data was deleted together with its effect on the shape
# (openvinotoolkit/openvino#33449).
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s

graph a8(x: f32[1, 33]) -> view y: f32[33, 1] {
    # EXPECT y alias [33, 1] = np.arange(33)
    y = transpose(x, [1, 0])
}
graph used(x: f32[1, 33]) -> y {
    # EXPECT y static [33, 2] = np.stack([x[0], x[0]]).T
    t = transpose(x, [1, 0])
    y = concat(t, t, axis=1)
}
