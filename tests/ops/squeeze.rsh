# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# squeeze(x, axes=None): drops the listed axes, which have size 1; without a list all axes of size 1. An axis listed
# twice counts once, an empty list drops nothing.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
graph all(x: f32[1, 3, 1, 4]) -> view y {
    # EXPECT y alias [3, 4] = x
    y = squeeze(x)
}
graph one(x: f32[1, 3, 1, 4]) -> view y {
    # EXPECT y alias [1, 3, 4] = x
    y = squeeze(x, 2)
}
graph listed(x: f32[1, 3, 1, 4]) -> view y {
    # EXPECT y alias [3, 4] = x
    y = squeeze(x, axes=[-2, 0, 2])
}
graph nothing(x: f32[1, 3]) -> view y {
    # EXPECT y alias [1, 3] = x
    y = squeeze(x, axes=[])
}
graph scalar(x: f32[1]) -> view y {
    # EXPECT y alias [] = x
    y = squeeze(x, axis=0)
}
graph moved(x: f32[3, 1, 4]) -> y {
    # EXPECT y static [4, 3] = x.transpose(2, 1, 0)
    y = x |> transpose() |> squeeze()
}
#--- bad.rsh
graph three(x: f32[1, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:17: error: axis 1 of 'x' (f32[1, 3]) has size 3; only axes of size 1 can be squeezed
    y = squeeze(x, [0, 1])
}
graph past(x: f32[1, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:21: error: axis 2 is outside rank 2 of 'x' (f32[1, 3]); allowed: -2 to 1
    y = squeeze(x, [2])
}
