# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# flip(x, axes): reverses the order along each of these axes.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
graph rows(x: f32[3, 4]) -> y {
    # EXPECT y static [3, 4] = x[::-1]
    y = flip(x, 0)
}
graph columns(x: f32[3, 4]) -> y {
    # EXPECT y static [3, 4] = x[:, ::-1]
    y = flip(x, axis=-1)
}
graph both(x: u8[3, 4]) -> y {
    # EXPECT y static [3, 4] = x[::-1, ::-1]
    y = flip(x, axes=[0, 1])
}
graph one(x: f32[1, 4]) -> view y {
    # EXPECT y alias [1, 4] = x
    y = flip(x, 0)
}
graph twice(x: f32[3, 4]) -> view y {
    # EXPECT y alias [3, 4] = x
    y = x |> flip(1) |> flip(1)
}
graph nothing(x: f32[3, 4]) -> view y {
    # EXPECT y alias [3, 4] = x
    y = flip(x, [])
}
#--- bad.rsh
graph past(x: f32[3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:17: error: axis 2 is outside rank 2 of 'x' (f32[3, 4]); allowed: -2 to 1
    y = flip(x, 2)
}
graph same(x: f32[3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:21: error: 'axes' [0, -2] names one axis twice (entries 0 and 1)
    y = flip(x, [0, -2])
}
graph none(x: f32[3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 'flip' needs the argument 'axes'
    y = flip(x)
}
