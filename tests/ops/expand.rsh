# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# expand(x, shape): sizes of 1 repeated to the sizes of the shape, both aligned on the right. A 1 in the shape
# keeps the size of x; a missing axis counts as 1 on either side.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
graph rows(x: f32[3, 1]) -> y {
    # EXPECT y static [3, 4] = np.broadcast_to(x, (3, 4))
    y = expand(x, [3, 4])
}
graph added(x: f32[4]) -> y {
    # EXPECT y static [2, 3, 4] = np.broadcast_to(x, (2, 3, 4))
    y = expand(x, [2, 3, 4])
}
graph kept(x: f32[3, 1]) -> y {
    # EXPECT y static [2, 3, 2] = np.broadcast_to(x, (2, 3, 2))
    y = expand(x, [2, 1, 2])
}
graph shorter(x: f32[2, 3]) -> view y {
    # EXPECT y alias [2, 3] = x
    y = expand(x, [3])
}
graph scalar(x: u16) -> y {
    # EXPECT y static [5] = 0 0 0 0 0
    y = expand(x, [5])
}
graph empty(x: f32[3, 1]) -> view y {
    # EXPECT y alias [3, 0] = empty
    y = expand(x, [1, 0])
}
#--- bad.rsh
graph other(x: f32[3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:20: error: size 3 of 'x' (f32[3, 4]) cannot be broadcast to 2
    y = expand(x, [2, 4])
}
graph negative(x: f32[3, 1]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: size -1 in 'shape'; the least allowed is 0
    y = expand(x, [3, -1])
}
graph empty(x: f32[3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:20: error: size 3 of 'x' (f32[3]) cannot be broadcast to 0
    y = expand(x, [0])
}
