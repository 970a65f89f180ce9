# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# center_crop_pad(x, shape, axes=None): like ONNX's CenterCropPad: axes get these sizes, cropped or padded with zeros at
# both ends; if the two ends cannot be equal, the last one has one element more.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: %{reshapec} verify %t/good.rsh | FileCheck %s --check-prefix=PROVED --implicit-check-not=failed
# RUN: %{reshapec} verify %t/sizes.rsh | FileCheck %s --check-prefix=SIZES
# RUN: %{reshapec} explain %t/sizes.rsh | FileCheck %t/sizes.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:
# PROVED: 5 of 5 graphs verified
# SIZES: 3 of 3 graphs verified

#--- good.rsh
graph cut(x: f32[5, 4]) -> y {
    # EXPECT y static [2, 2] = x[1:3, 1:3]
    y = center_crop_pad(x, [2, 2])
}
graph rows(x: u8[5, 4]) -> view y {
    # EXPECT y alias [2, 4] = x[1:3]
    y = center_crop_pad(x, 2, axes=0)
}
graph whole(x: f32[5, 4]) -> view y {
    # EXPECT y alias [5, 4] = x
    y = center_crop_pad(x, [4], axes=[-1])
}
graph both(x: f32[5, 4]) -> view y {
    # EXPECT y alias [3, 4] = x[1:4]
    y = x |> center_crop_pad([3, 9]) |> center_crop_pad([3, 4])
}
graph nothing(x: f32[5, 0]) -> view y {
    # EXPECT y alias [0, 0] = empty
    y = center_crop_pad(x, [0], axes=[0])
}
#--- sizes.rsh
# CHECK-LABEL: graph images
# CHECK: y symbolic
graph images(x: f32[B, 9, 8, 3]) -> y: f32[B, 6, 11, 3] {
    y = center_crop_pad(x, [6, 11], axes=[1, 2])
}
# CHECK-LABEL: graph bordered
# CHECK: y symbolic
graph bordered(x: f32[S, 3]) -> y: f32[S + 4, 3] {
    y = center_crop_pad(x, [S + 4], axes=[0])
}
# The size decides at run time which of the two it is.
# CHECK-LABEL: graph either
# CHECK: y dynamic
# CHECK: why center_crop_pad depends on sizes known only at run time
graph either(x: f32[S, 3]) -> y: f32[4, 3] {
    y = center_crop_pad(x, [4], axes=[0])
}
#--- bad.rsh
graph lengths(x: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:28: error: 'shape' has length 1; 2 is needed
    y = center_crop_pad(x, [4])
}
graph below(x: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:32: error: size -1 in 'shape'; the least allowed is 0
    y = center_crop_pad(x, [4, -1])
}
graph past(x: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:39: error: axis 2 is outside rank 2 of 'x' (f32[2, 3]); allowed: -2 to 1
    y = center_crop_pad(x, [4], axes=[2])
}
graph twice(x: f32[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:45: error: 'axes' [0, -2] names one axis twice (entries 0 and 1)
    y = center_crop_pad(x, [4, 5], axes=[0, -2])
}
graph words(x: string[2, 3]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: there is no value to fill strings with
    y = center_crop_pad(x, [4, 3])
}
