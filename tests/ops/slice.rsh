# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# slice(x, starts, ends, axes=None, steps=None), also written x[start:end:step, ..., i]: from start up to end by step on
# each axis. Negative bounds count from the end, bounds outside are clamped; for a backward slice to include element 0,
# its end is before that. An integer in brackets picks one entry and drops the axis.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
graph rows(x: f32[5, 4]) -> view y {
    # EXPECT y alias [3, 4] = x[1:4]
    y = x[1:4]
}
graph columns(x: f32[5, 4]) -> y {
    # EXPECT y static [5, 2] = x[:, 1:3]
    y = x[:, 1:3]
}
graph call(x: f32[5, 4]) -> y {
    # EXPECT y static [5, 2] = x[:, 1:3]
    y = slice(x, [1], [3], axes=[-1])
}
graph steps(x: f32[5, 4]) -> y {
    # EXPECT y static [3, 4] = x[::2]
    y = slice(x, starts=[0], ends=[9223372036854775807], axes=[0], steps=[2])
}
graph backwards(x: f32[5, 4]) -> y {
    # EXPECT y static [2, 4] = x[3:0:-2]
    y = x[3:0:-2]
}
graph to_the_first(x: f32[5]) -> y {
    # EXPECT y static [5] = x[::-1]
    y = slice(x, [-1], [-6], steps=[-1])
}
graph clamped(x: f32[5, 4]) -> view y {
    # EXPECT y alias [2, 4] = x[3:]
    y = x[-2:100]
}
graph nothing(x: f32[5, 4]) -> view y {
    # EXPECT y alias [0, 4] = empty
    y = x[3:2]
}
graph picked(x: f32[5, 4]) -> view y {
    # EXPECT y alias [4] = x[-2]
    y = x[-2]
}
graph column(x: f32[5, 4]) -> y {
    # EXPECT y static [5] = x[:, 1]
    y = x[..., 1]
}
graph middle(x: f32[2, 3, 4]) -> y {
    # EXPECT y static [2, 4] = x[:, 1, ::-1]
    y = x[:, 1, ::-1]
}
graph first_axes(x: f32[5, 4]) -> y {
    # EXPECT y static [2, 3] = x[0:2, 1:4]
    y = slice(x, [0, 1], [2, 4])
}
#--- bad.rsh
graph still(x: f32[5, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:35: error: the step of a slice cannot be 0
    y = slice(x, [0], [1], steps=[0])
}
graph lengths(x: f32[5, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:26: error: 'ends' has length 1; 2 is needed
    y = slice(x, [0, 0], [1])
}
graph axes(x: f32[5, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:43: error: 'axes' [0, -2] names one axis twice (entries 0 and 1)
    y = slice(x, [0, 0], [1, 1], axes=[0, -2])
}
graph past(x: f32[5, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:34: error: axis 2 is outside rank 2 of 'x' (f32[5, 4]); allowed: -2 to 1
    y = slice(x, [0], [1], axes=[2])
}
graph index(x: f32[5, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:11: error: index {{.*}} is outside axis 0 of 'x' (f32[5, 4]), of size 5
    y = x[5]
}
graph rank(x: f32[5, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 3 subscripts but 'x' (f32[5, 4]) has rank 2
    y = x[0, 0, 0]
}
