# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# roll(x, shifts, axes=None): shifts elements along axes; those that leave at one end come in at the other. Without axes
# the tensor is rolled as if it were flat. As in numpy.roll one shift applies to all axes, and an axis that is named
# twice is shifted by the sum.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
graph flat(x: f32[2, 3]) -> y {
    # EXPECT y static [2, 3] = np.roll(x, 2)
    y = roll(x, 2)
}
graph rows(x: u8[4, 3]) -> y {
    # EXPECT y static [4, 3] = np.roll(x, 1, 0)
    y = roll(x, 1, axes=0)
}
graph window(x: f32[1, 4, 6, 2]) -> y {
    # EXPECT y static [1, 4, 6, 2] = np.roll(x, (-1, -2), (1, 2))
    y = roll(x, shifts=[-1, -2], axes=[1, 2])
}
graph one_for_all(x: f32[3, 4]) -> y {
    # EXPECT y static [3, 4] = np.roll(x, 1, (0, 1))
    y = roll(x, 1, [0, -1])
}
graph sums(x: f32[3, 5]) -> y {
    # EXPECT y static [3, 5] = np.roll(x, 3, 1)
    y = roll(x, [1, 2], [1, 1])
}
graph far(x: f32[5]) -> y {
    # EXPECT y static [5] = np.roll(x, -9223372036854775808 % 5)
    y = roll(x, -9223372036854775808)
}
graph all_round(x: f32[3, 4]) -> view y {
    # EXPECT y alias [3, 4] = x
    y = roll(x, [6, -4], [0, 1])
}
graph back(x: f32[3, 4]) -> view y {
    # EXPECT y alias [3, 4] = x
    y = x |> roll([1, 3], [0, 1]) |> roll([-1, 1], [0, 1])
}
graph nothing(x: f32[0, 4]) -> view y {
    # EXPECT y alias [0, 4] = empty
    y = roll(x, 1, 0)
}
graph scalar(x: f32) -> view y {
    # EXPECT y alias [] = 0
    y = roll(x, 3)
}
#--- bad.rsh
graph lengths(x: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:30: error: 'axes' has length 3; 2 is needed
    y = roll(x, [1, 2], axes=[0, 1, 1])
}
graph past(x: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:20: error: axis 2 is outside rank 2 of 'x' (f32[2, 3]); allowed: -2 to 1
    y = roll(x, 1, 2)
}
