# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Users expect a 0 in a target to count from the right after a -1 (microsoft/onnxruntime#15203). It copies the size at
# its own index, counted from the left.
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s

graph b1(x: f32[2, 2, 3, 2]) -> view y {
    # EXPECT y alias [4, 2, 3] = x
    y = reshape(x, [-1, 0, 0])
}
