# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# If one reshape has several faults, only the first in the list of statuses is reported.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

graph f(x: bool[2, 3], w: f32[2, 3]) -> (a, b, c, d, e, g) {
    # KIND: "kind": "bad_type"
    # CHECK: [[FILE]]:[[#@LINE+2]]:31: error: 'onednn.static_reshape' does not take element type bool
    # CHECK: note: 'x' is declared here: bool[2, 3]
    a = onednn.static_reshape(x, shape=[[-2]], color=1)
    # KIND-NEXT: "kind": "bad_attr"
    # CHECK: [[FILE]]:[[#@LINE+1]]:50: error: 'allowzero' exists from opset 14 on; this is opset 13
    b = onnx.reshape(w, "6", opset=13, allowzero=1)
    # KIND-NEXT: "kind": "bad_attr"
    # CHECK: [[FILE]]:[[#@LINE+1]]:40: error: 'allowzero' is 2; allowed: 0 to 1
    c = onnx.reshape(w, "6", allowzero=2)
    # KIND-NEXT: "kind": "bad_attr"
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 'openvino.reshape' needs 'special_zero', which has no default
    d = openvino.reshape(w, [-2, -1, -1])
    # KIND-NEXT: "kind": "bad_dim"
    # CHECK: [[FILE]]:[[#@LINE+2]]:25: error: size -2 in 'shape'; the least allowed is -1
    # CHECK: note: 'w' is declared here: f32[2, 3]
    e = reshape(w, [-1, -2, -1])
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+1]]:35: error: 'act' takes the name of an activation in quotes, or None; this is an integer
    g = paddle.reshape(w, [], act=7)
}
# KIND-NOT: kind
