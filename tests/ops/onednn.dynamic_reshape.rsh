# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# onednn.dynamic_reshape(x, shape, special_zero): oneDNN Graph's
# DynamicReshape-1: the target may be a tensor. Elements are f32, f16 or bf16, ranks go up to 12. With special_zero a 0 copies a size; without it a
# 0 is a size, which forbids a -1.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
graph copied(x: f32[2, 3, 4]) -> view y {
    # EXPECT y alias [2, 12] = x
    y = onednn.dynamic_reshape(x, [0, -1], special_zero=true)
}
graph literal(x: f16[0, 4]) -> view y {
    # EXPECT y alias [4, 0] = empty
    y = onednn.dynamic_reshape(x, shape=[4, 0], special_zero=false)
}
graph moved(x: bf16[2, 3]) -> y {
    # EXPECT y static [6] = x.T
    y = x |> transpose() |> onednn.dynamic_reshape([6], special_zero=false)
}
#--- bad.rsh
graph flag(x: f32[2, 3, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 'onednn.dynamic_reshape' needs 'special_zero', which has no default
    y = onednn.dynamic_reshape(x, [24])
}
graph type(x: f64[6]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:32: error: 'onednn.dynamic_reshape' does not take element type f64
    y = onednn.dynamic_reshape(x, [2, 3], special_zero=true)
}
graph both(x: f32[0, 4]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:36: error: literal 0 (entry 0) and -1 (entry 1) together in target [0, -1]
    y = onednn.dynamic_reshape(x, [0, -1], special_zero=false)
}
