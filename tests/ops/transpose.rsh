# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# transpose(x, perm=None): axis i of the result is axis perm[i] of x; without perm the axes are reversed. A permutation
# cannot count axes from the end. If all axes that move have size 1 nothing is copied.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
graph reversed(x: f32[2, 3, 4]) -> y {
    # EXPECT y static [4, 3, 2] = x.T
    y = transpose(x)
}
graph permuted(x: f32[2, 3, 4]) -> y {
    # EXPECT y static [4, 2, 3] = x.transpose(2, 0, 1)
    y = transpose(x, [2, 0, 1])
}
graph by_name(x: f32[2, 3, 4]) -> y {
    # EXPECT y static [3, 2, 4] = x.transpose(1, 0, 2)
    y = transpose(x, axes=(1, 0, 2))
}
graph ones(x: f32[3, 1, 4]) -> view y {
    # EXPECT y alias [1, 3, 4] = x
    y = transpose(x, [1, 0, 2])
}
graph identity_of_two(x: f32[2, 3, 4]) -> view y {
    # EXPECT y alias [2, 3, 4] = x
    y = x |> transpose([1, 2, 0]) |> transpose([2, 0, 1])
}
graph scalar(x: f32) -> view y {
    # EXPECT y alias [] = x
    y = transpose(x, [])
}
graph vector(x: c128[5]) -> view y {
    # EXPECT y alias [5] = x
    y = transpose(x)
}
graph empty(x: f32[0, 3]) -> view y {
    # EXPECT y alias [3, 0] = empty
    y = transpose(x)
}
#--- bad.rsh
graph twice(x: f32[2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:29: error: 'perm' [0, 1, 1] must list each axis from 0 to 2 once, but 1 is listed twice
    y = transpose(x, [0, 1, 1])
}
graph negative(x: f32[2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:29: error: 'perm' [0, 1, -1] must list each axis from 0 to 2 once; write 2 for -1
    y = transpose(x, [0, 1, -1])
}
graph negative_twice(x: f32[2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:29: error: 'perm' [2, 0, -1] must list each axis from 0 to 2 once, but -1 is not an axis
    y = transpose(x, [2, 0, -1])
}
graph short(x: f32[2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:22: error: 'perm' has 2 entries but 'x' (f32[2, 3, 4]) has rank 3
    y = transpose(x, [1, 0])
}
graph text(x: f32[2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:22: error: 'perm' takes a list of integers or a 1-D integer tensor; this is a string
    y = transpose(x, "210")
}
