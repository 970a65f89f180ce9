# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# repeat(x, repeats): repeats each element as many times as its axis says: numpy.repeat along every axis, which is
# nearest-neighbor scaling of an image by whole factors.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: %{reshapec} verify %t/sizes.rsh | FileCheck %s --check-prefix=SIZES
# RUN: %{reshapec} explain %t/sizes.rsh | FileCheck %t/sizes.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:
# SIZES: 3 of 3 graphs verified

#--- good.rsh
graph image(x: f32[1, 2, 3, 4]) -> y {
    # EXPECT y static [1, 2, 6, 12] = x.repeat(2, 2).repeat(3, 3)
    y = repeat(x, [1, 1, 2, 3])
}
graph row(x: u8[3]) -> y {
    # EXPECT y static [6] = 0 0 1 1 2 2
    y = repeat(x, 2)
}
graph halves(x: f32[4, 3]) -> view y {
    # EXPECT y alias [4, 3] = x
    y = repeat(x, [2, 1])[::2]
}
graph once(x: f32[4, 3]) -> view y {
    # EXPECT y alias [4, 3] = x
    y = repeat(x, [1, 1])
}
graph never(x: f32[4, 3]) -> view y {
    # EXPECT y alias [0, 3] = empty
    y = repeat(x, [0, 1])
}
#--- sizes.rsh
# CHECK-LABEL: graph images
# CHECK: y symbolic
graph images(x: f32[B, 3, H, W]) -> y: f32[B, 3, 2*H, 2*W] {
    y = repeat(x, [1, 1, 2, 2])
}
# CHECK-LABEL: graph heads
# CHECK: y symbolic
graph heads(x: f16[B, 2, S, 8], z: u8[R]) -> y: f16[B, 2*R, S, 8] {
    y = repeat(x, [1, R, 1, 1])
    _z = z
}
# CHECK-LABEL: graph any
# CHECK: y dynamic
graph any(x: f32[*]) -> y {
    y = repeat(x, [2, 3])
}
#--- bad.rsh
graph lengths(x: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:19: error: 'repeats' has length 1; 2 is needed
    y = repeat(x, [4])
}
graph many(x: f32[2, 2, 2, 2, 2, 2, 2, 2, 2]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:19: error: 18 axes; 'repeat' takes at most 16
    y = repeat(x, [2, 2, 2, 2, 2, 2, 2, 2, 2])
}
graph below(x: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: size -1 in 'repeats'; the least allowed is 0
    y = repeat(x, [4, -1])
}
