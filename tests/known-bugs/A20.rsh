# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Rows of 100401 elements padded to 100416, where one kernel knew of the padding and the next did not
# (pytorch/pytorch#179931).
# RUN: %{python} %{root}/tests/layout/Inputs/stored.py %{root} %{reshapec} "%{cc}" %t.dir %s

graph producer(x: f32[3, 100401]) -> y: f32[3, 100401] strides [100416, 1] {
    # STORED x [3, 100401]
    # EXPECT y static [3, 100401] = spread(x, 0, [100416, 1])
    y = x
}

graph consumer(x: f32[3, 100401] strides [100416, 1]) -> (y, view row) {
    # STORED x [301233]
    # EXPECT y static [3, 100401] = view(x, 0, [3, 100401], [100416, 1])
    y = x
    # EXPECT row alias [100401] = x[200832:301233]
    row = x[2]
}
