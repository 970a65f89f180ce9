# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# unsqueeze(x, axes): inserts axes of size 1 at these positions of the result; the order in which they are listed does
# not matter.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
graph front(x: f32[3, 4]) -> view y {
    # EXPECT y alias [1, 3, 4] = x
    y = unsqueeze(x, 0)
}
graph both(x: f32[3, 4]) -> view y {
    # EXPECT y alias [1, 3, 4, 1] = x
    y = unsqueeze(x, [-1, 0])
}
graph inside(x: f32[3, 4]) -> view y {
    # EXPECT y alias [3, 1, 4] = x
    y = unsqueeze(x, axes=[1])
}
graph scalar(x: f32) -> view y {
    # EXPECT y alias [1, 1] = x
    y = unsqueeze(x, axes=[0, 1])
}
graph nothing(x: f32[3]) -> view y {
    # EXPECT y alias [3] = x
    y = unsqueeze(x, [])
}
#--- bad.rsh
graph twice(x: f32[3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:26: error: 'axes' [0, -4] names one axis twice (entries 0 and 1)
    y = unsqueeze(x, [0, -4])
}
graph past(x: f32[3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: axis 3 is outside rank 3 of the result; allowed: -3 to 2
    y = unsqueeze(x, [3])
}
graph none(x: f32[3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 'unsqueeze' needs the argument 'axes'
    y = unsqueeze(x)
}
