# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# tile(x, repeats): each axis repeated as a whole, this many times, one number an axis.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
graph rows(x: f32[2, 3]) -> y {
    # EXPECT y static [6, 3] = np.tile(x, (3, 1))
    y = tile(x, [3, 1])
}
graph both(x: u8[2, 3]) -> y {
    # EXPECT y static [4, 9] = np.tile(x, (2, 3))
    y = tile(x, repeats=[2, 3])
}
graph once(x: f32[2, 3]) -> view y {
    # EXPECT y alias [2, 3] = x
    y = tile(x, [1, 1])
}
graph never(x: f32[2, 3]) -> view y {
    # EXPECT y alias [2, 0] = empty
    y = tile(x, [1, 0])
}
graph scalar(x: f32) -> view y {
    # EXPECT y alias [] = 0
    y = tile(x, [])
}
graph ones(x: f32[1, 3, 1]) -> y {
    # EXPECT y static [2, 3, 2] = np.tile(x, (2, 1, 2))
    y = tile(x, [2, 1, 2])
}
graph moved(x: f32[2, 3]) -> y {
    # EXPECT y static [6, 4] = np.tile(x.T, (2, 2))
    y = x |> transpose() |> tile([2, 2])
}
graph first_copy(x: f32[2, 3]) -> view y {
    # EXPECT y alias [2, 3] = x
    y = tile(x, [2, 3])[0:2, 3:6]
}
graph many_axes(x: f32[1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2]) -> y {
    # EXPECT y static [1, 4, 1, 4, 1, 4, 1, 4, 1, 4, 1, 4, 1, 4, 1, 4] = np.tile(x, (1, 2) * 8)
    y = tile(x, [1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2])
}
#--- bad.rsh
graph lengths(x: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:17: error: 'repeats' has length 1; 2 is needed
    y = tile(x, [2])
}
graph less(x: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:21: error: size -1 in 'repeats'; the least allowed is 0
    y = tile(x, [2, -1])
}
graph too_many(x: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: the result has more elements than 64 bits can count
    y = tile(x, [4294967296, 4294967296])
}
