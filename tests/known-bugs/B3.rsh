# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Copied sizes count in the product that the -1 is inferred from (huggingface/candle#3908).
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s

graph b3(x: f32[2, 3, 4]) -> view y {
    # EXPECT y alias [2, 3, 1, 4] = x
    y = reshape(x, [2, 0, 1, -1])
}
