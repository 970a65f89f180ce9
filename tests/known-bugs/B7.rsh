# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Target [0, 1, -1] of an empty tensor: systems disagree on the value of the -1 (onnx/onnx#6104 #7575,
# emmtrix/emx-onnx-cgen#181). OpenVINO with special_zero divides the sizes that are not copied; all others refuse, each
# by its own rule.
# RUN: split-file %s %t
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %t/good.rsh
# RUN: not %{reshapec} check --json %t/bad.rsh | FileCheck %t/bad.rsh

#--- good.rsh
graph openvino(x: f32[0, 10]) -> view y {
    # EXPECT y alias [0, 1, 10] = empty
    y = openvino.reshape(x, [0, 1, -1], special_zero=true)
}
#--- bad.rsh
# CHECK: "kind": "ambiguous_infer"
graph onnx(x: f32[0, 10]) -> y {
    y = reshape(x, [0, 1, -1])
}
# CHECK: "kind": "zero_with_infer"
graph onnx_allowzero(x: f32[0, 10]) -> y {
    y = reshape(x, [0, 1, -1], allowzero=1)
}
# CHECK: "kind": "ambiguous_infer"
graph openvino(x: f32[0, 10]) -> y {
    y = openvino.reshape(x, [0, 1, -1], special_zero=false)
}
# CHECK: "kind": "ambiguous_infer"
graph onednn(x: f32[0, 10]) -> y {
    y = onednn.static_reshape(x, [0, 1, -1], special_zero=true)
}
# CHECK: "kind": "zero_with_infer"
graph onednn_literal(x: f32[0, 10]) -> y {
    y = onednn.static_reshape(x, [0, 1, -1], special_zero=false)
}
# CHECK: "kind": "ambiguous_infer"
graph paddle(x: f32[0, 10]) -> y {
    y = paddle.reshape(x, [0, 1, -1])
}
