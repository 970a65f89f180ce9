# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A target that is data: what can be checked now is, then it is refused for what it is.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

graph f(x: f32[2, 3], s: i64[2], t: i32[2], u: f32[2], m: i64[1, 2], d: i64[1], n: i64) -> (a, b, c, e, g, h, i, j, k, l) {
    # KIND: "kind": "unsupported"
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: the target shape 's' is known only when the program runs; run-time targets are not supported yet
    a = onnx.reshape(x, s)
    # KIND-NEXT: "kind": "bad_type"
    # CHECK: [[FILE]]:[[#@LINE+2]]:25: error: 'onnx.reshape' does not take a target shape of element type i32
    # CHECK: note: 't' is declared here: i32[2]
    b = onnx.reshape(x, t)
    # KIND-NEXT: "kind": "bad_type"
    # CHECK: [[FILE]]:[[#@LINE+2]]:29: error: 'openvino.reshape' does not take a target shape of element type f32
    # CHECK: note: 'u' is declared here: f32[2]
    c = openvino.reshape(x, u, special_zero=true)
    # KIND-NEXT: "kind": "bad_shape_rank"
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: a target shape is a list of integers, this has rank 2
    e = onnx.reshape(x, m)
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+1]]:34: error: 'shape' of 'onednn.static_reshape' is part of the program and cannot be a tensor
    g = onednn.static_reshape(x, s, special_zero=true)
    # KIND-NEXT: "kind": "unsupported"
    # CHECK: [[FILE]]:[[#@LINE+1]]:20: error: the target shape 'd' is known only when the program runs; run-time targets are not supported yet
    h = reshape(x, [d, -1, n])
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+2]]:21: error: an entry of a target shape is one integer, 's' (i64[2]) is not
    # CHECK: note: 's' is declared here: i64[2]
    i = reshape(x, [s, 3])
    # KIND-NEXT: "kind": "bad_type"
    # CHECK: [[FILE]]:[[#@LINE+2]]:27: error: 'paddle.reshape' does not take a target shape of element type i64
    # CHECK: note: 's' is declared here: i64[2]
    j = paddle.reshape(x, s)
    # KIND-NEXT: "kind": "unsupported"
    # CHECK: [[FILE]]:[[#@LINE+1]]:20: error: this target shape is known only when the program runs; run-time targets are not supported yet
    k = reshape(x, s[0:2])
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: 'shape' of 'onnx.reshape' is part of the program and cannot be a tensor
    l = onnx.reshape(x, s, opset=1)
}
# KIND-NOT: kind
