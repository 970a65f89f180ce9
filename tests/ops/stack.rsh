# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# stack(a, b, ..., axis=0): tensors of one shape joined along a new axis.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
graph front(a: f32[2, 3], b: f32[2, 3]) -> y {
    # EXPECT y static [2, 2, 3] = np.stack([a, b])
    y = stack(a, b)
}
graph back(a: f32[2, 3], b: f32[2, 3]) -> y {
    # EXPECT y static [2, 3, 2] = np.stack([a, b], -1)
    y = stack(a, b, axis=-1)
}
graph middle(a: u8[2, 3], b: u8[2, 3]) -> y {
    # EXPECT y static [2, 2, 3] = np.stack([a, b], 1)
    y = stack(a, b, axis=1)
}
graph scalars(a: f32, b: f32, c: f32) -> y {
    # EXPECT y static [3] = 0 1 2
    y = stack(a, b, c)
}
graph one(a: f32[2, 3]) -> view y {
    # EXPECT y alias [2, 1, 3] = a
    y = stack(a, axis=1)
}
#--- bad.rsh
graph sizes(a: f32[2, 3], b: f32[3, 2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:18: error: axis 0 of 'b' (f32[3, 2]) is 3, but that of the first operand 'a' (f32[2, 3]) is 2
    y = stack(a, b)
}
graph past(a: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:26: error: axis 3 is outside rank 3 of the result; allowed: -3 to 2
    y = stack(a, a, axis=3)
}
