# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A 0 and a -1 in one target: the copied size was left out of the product (apache/tvm#10721).
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s

graph zero_last(x: f32[2, 3, 4]) -> view y {
    # EXPECT y alias [1, 6, 4] = x
    y = reshape(x, [1, -1, 0])
}
graph zero_first(x: f32[2, 3, 4]) -> view y {
    # EXPECT y alias [2, 12] = x.reshape(2, 12)
    y = reshape(x, [0, -1])
}
graph one_between(x: f32[2, 3, 4]) -> view y {
    # EXPECT y alias [2, 1, 12] = x
    y = reshape(x, [0, 1, -1])
}
