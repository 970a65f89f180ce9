# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One value as two results, and a result that is the input: frameworks freed the buffer twice, or lost
# one of the two (microsoft/onnxruntime#9449). Each result has a pointer of its own.
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s

graph two_names(x: f32[2, 3]) -> (a, b) {
    # EXPECT a alias [2, 3] = x
    a = identity(x)
    # EXPECT b alias [2, 3] = x
    b = identity(a)
}
graph two_of_one_kernel(x: f32[2, 3]) -> (a, b) {
    # EXPECT a static [3, 2] = x.T
    a = transpose(x)
    # EXPECT b static [3, 2] = x.T
    b = identity(a)
}
graph the_input(x: f32[2, 3]) -> view y {
    # EXPECT y alias [2, 3] = x
    y = x
}
