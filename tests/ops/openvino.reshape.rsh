# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# openvino.reshape(x, output_shape, special_zero): OpenVINO's Reshape-1. With special_zero a 0 copies a size, and copied
# sizes do not take part in the inference; without it a 0 is a size. A target is a list, as in OpenVINO's documentation:
# earlier releases accepted a scalar of 1 for [].
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
graph copied(x: f32[2, 3, 4]) -> view y {
    # EXPECT y alias [2, 12] = x
    y = openvino.reshape(x, [0, -1], special_zero=true)
}
graph copied_zero(x: f32[0, 4]) -> view y {
    # EXPECT y alias [0, 4] = empty
    y = openvino.reshape(x, output_shape=[0, -1], special_zero=true)
}
graph literal(x: f32[0, 4]) -> view y {
    # EXPECT y alias [4, 0] = empty
    y = openvino.reshape(x, shape=[4, 0], special_zero=false)
}
graph scalar(x: f32[1, 1]) -> view y {
    # EXPECT y alias [] = x
    y = openvino.reshape(x, [], special_zero=false)
}
#--- bad.rsh
graph flag(x: f32[2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 'openvino.reshape' needs 'special_zero', which has no default
    y = openvino.reshape(x, [24])
}
graph rest(x: f32[0, 6, 5]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:33: error: 30 elements of 'x' (f32[0, 6, 5]) cannot be divided into target [0, -1, 7]: 30 is not a multiple of 7
    y = openvino.reshape(x, [0, -1, 7], special_zero=true)
}
graph ambiguous(x: f32[0, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:33: error: -1 in target [0, -1] cannot be inferred: the other sizes multiply to 0
    y = openvino.reshape(x, [0, -1], special_zero=false)
}
graph pattern(x: f32[2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:29: error: a target shape is a list of integers: write [24]
    y = openvino.reshape(x, 24, special_zero=true)
}
graph scalar(x: f32[1]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:29: error: a target shape is a list of integers: write [1]
    y = openvino.reshape(x, 1, special_zero=true)
}
