# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An attribute in a dialect's spelling is checked by the rules of that dialect and version.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

graph f(x: f32[2, 3]) -> (a, b, c, d, e, g, h, i) {
    # KIND: "kind": "bad_attr"
    # CHECK: [[FILE]]:[[#@LINE+1]]:30: error: 'onnx.reshape' has no argument 'special_zero'; it takes shape, allowzero, opset, consumed_inputs
    a = onnx.reshape(x, [6], special_zero=true)
    # KIND-NEXT: "kind": "bad_attr"
    # CHECK: [[FILE]]:[[#@LINE+1]]:50: error: 'allowzero' exists from opset 14 on; this is opset 13
    b = onnx.reshape(x, [6], opset=13, allowzero=0)
    # KIND-NEXT: "kind": "bad_attr"
    # CHECK: [[FILE]]:[[#@LINE+1]]:40: error: 'allowzero' is 2; allowed: 0 to 1
    c = onnx.reshape(x, [6], allowzero=2)
    # KIND-NEXT: "kind": "bad_attr"
    # CHECK: [[FILE]]:[[#@LINE+1]]:55: error: 'consumed_inputs' is removed from opset 5 on; this is opset 5
    d = onnx.reshape(x, [6], opset=5, consumed_inputs=[0])
    # KIND-NEXT: "kind": "bad_attr"
    # CHECK: [[FILE]]:[[#@LINE+1]]:36: error: 'opset' is 0; allowed: 1 to 28
    e = onnx.reshape(x, [6], opset=0)
    # KIND-NEXT: "kind": "bad_attr"
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 'openvino.reshape' needs 'special_zero', which has no default
    g = openvino.reshape(x, [6])
    # KIND-NEXT: "kind": "bad_attr"
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 'onednn.dynamic_reshape' needs 'special_zero', which has no default
    h = onednn.dynamic_reshape(x, [6])
    # KIND-NEXT: "kind": "bad_attr"
    # CHECK: [[FILE]]:[[#@LINE+1]]:32: error: 'paddle.reshape' has no argument 'allowzero'; it takes shape, actual_shape, act, inplace, name
    i = paddle.reshape(x, [6], allowzero=1)
}
# KIND-NOT: kind
