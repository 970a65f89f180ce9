# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# space_to_depth(x, blocksize): blocks of pixels to channels, x is N, C, H, W. It takes back depth_to_space of mode
# "DCR".
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
graph two(x: f32[1, 2, 4, 6]) -> y {
    # EXPECT y static [1, 8, 2, 3] = x.reshape(1, 2, 2, 2, 3, 2).transpose(0, 3, 5, 1, 2, 4)
    y = space_to_depth(x, 2)
}
graph one(x: f32[2, 3, 2, 2]) -> view y {
    # EXPECT y alias [2, 3, 2, 2] = x
    y = space_to_depth(x, blocksize=1)
}
graph empty(x: f32[0, 3, 4, 4]) -> view y {
    # EXPECT y alias [0, 12, 2, 2] = empty
    y = space_to_depth(x, 2)
}
#--- bad.rsh
graph height(x: f32[1, 2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:24: error: block size 2 does not divide size 3 of 'x' (f32[1, 2, 3, 4])
    y = space_to_depth(x, 2)
}
graph width(x: f32[1, 2, 4, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:24: error: block size 2 does not divide size 3 of 'x' (f32[1, 2, 4, 3])
    y = space_to_depth(x, 2)
}
graph negative(x: f32[1, 2, 4, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: block size -1; at least 1 is needed
    y = space_to_depth(x, -1)
}
graph rank(x: f32[4, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:24: error: 'space_to_depth' needs rank 4, 'x' (f32[4, 4]) has rank 2
    y = space_to_depth(x, 2)
}
