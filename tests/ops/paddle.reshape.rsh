# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# paddle.reshape(x, shape, actual_shape=None, act=None, inplace=false, name=None): fluid.layers.reshape.
# A 0 copies a size; ranks go up to 9 and there are no scalars. With inplace=true the operand is given
# away.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
graph copied(x: f32[2, 3, 4]) -> view y {
    # EXPECT y alias [2, 12] = x
    y = paddle.reshape(x, shape=[0, -1])
}
graph given_away(x: i32[6]) -> view y {
    # EXPECT y alias [2, 3] = x
    y = paddle.reshape(x, [2, 3], None, None, true)
}
graph nothing(x: f32[2, 3, 4]) -> view y {
    # EXPECT y alias [24] = x
    y = paddle.reshape(x, shape=[-1], actual_shape=None, act=None, name="flat")
}
#--- bad.rsh
graph scalar(x: f32[1]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: target [] is a scalar, and 'paddle.reshape' has no scalars
    y = paddle.reshape(x, [])
}
graph actual(x: f32[2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:46: error: {{.*}}'actual_shape'{{.*}}
    y = paddle.reshape(x, [24], actual_shape=24)
}
graph act(x: f32[2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:37: error: no activation is called 'rellu'; did you mean 'relu'?
    y = paddle.reshape(x, [24], act="rellu")
}
graph type(x: u8[6]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:24: error: 'paddle.reshape' does not take element type u8
    y = paddle.reshape(x, [2, 3])
}
graph again(x: f32[6]) -> (y, z) {
    # CHECK: [[FILE]]:[[#@LINE+2]]:17: error: 'x' is read after 'inplace' overwrote it
    y = paddle.reshape(x, [2, 3], inplace=true)
    z = reshape(x, [3, 2])
}
