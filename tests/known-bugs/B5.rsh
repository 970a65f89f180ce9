# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# allowzero=1 was taken to forbid every -1 (microsoft/onnxruntime#10664). It forbids one beside a
# literal 0.
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s

graph b5(x: f32[1, 32, 5, 5]) -> view y {
    # EXPECT y alias [1, 2, 4, 4, 5, 5] = x
    y = reshape(x, [-1, 2, 4, 4, 5, 5], allowzero=1)
}
