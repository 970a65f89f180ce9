# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tensors without elements: a literal 0 was inferred or copied (apache/tvm#20255), and flattening
# them failed (ROCm/AMDMIGraphX#2766).
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s

graph literal(x: f32[2, 0, 4]) -> view y {
    # EXPECT y alias [0, 4] = empty
    y = reshape(x, [0, 4], allowzero=1)
}
graph flat(x: f32[2, 0, 4]) -> view y {
    # EXPECT y alias [0] = empty
    y = reshape(x, [-1])
}
graph flattened(x: f32[2, 0, 4]) -> view y {
    # EXPECT y alias [2, 0] = empty
    y = flatten(x)
}
