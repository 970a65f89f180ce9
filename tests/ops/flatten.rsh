# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# flatten(x, axis=1): always two axes, the product of the sizes before the axis, and of the others. The axis ranges from
# -rank to rank, including the rank itself.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
graph usual(x: f32[2, 3, 4]) -> view y {
    # EXPECT y alias [2, 12] = x
    y = flatten(x)
}
graph front(x: f32[2, 3, 4]) -> view y {
    # EXPECT y alias [1, 24] = x
    y = flatten(x, 0)
}
graph back(x: f32[2, 3, 4]) -> view y {
    # EXPECT y alias [24, 1] = x
    y = flatten(x, axis=3)
}
graph from_the_end(x: f32[2, 3, 4]) -> view y {
    # EXPECT y alias [6, 4] = x
    y = flatten(x, axis=-1)
}
graph empty(x: f32[2, 0, 4]) -> view y {
    # EXPECT y alias [2, 0] = empty
    y = flatten(x)
}
graph moved(x: f32[2, 3, 4]) -> y {
    # EXPECT y static [3, 8] = x.transpose(1, 0, 2)
    y = x |> transpose([1, 0, 2]) |> flatten()
}
#--- bad.rsh
graph past(x: f32[2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: axis 4 is outside rank 3 of 'x' (f32[2, 3, 4]); allowed: -3 to 3
    y = flatten(x, axis=4)
}
graph scalar(x: f32) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: axis 1 is outside rank 0 of 'x' (f32); allowed: 0 to 0
    y = flatten(x)
}
graph list(x: f32[2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: 'axis' takes an integer; this is a list
    y = flatten(x, axis=[1])
}
