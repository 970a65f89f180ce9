# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The index that was generated for dropping two axes made every element read the first one
# (microsoft/nnfusion#177).
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s

graph a17(x: f32[1, 1, 2752]) -> view y: f32[1, 2752] {
    # EXPECT y alias [1, 2752] = np.arange(2752)
    y = reshape(x, [1, 2752])
}
graph copied(x: f32[1, 1, 2752]) -> y {
    # EXPECT y static [1, 5504] = np.concatenate([x[0], x[0]], 1)
    r = reshape(x, [1, 2752])
    y = concat(r, r, axis=1)
}
