# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A target that is data: errors that do not depend on its values.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

graph f(x: f32[2, 3], s: i64[2], t: i32[2], u: f32[2], m: i64[1, 2], d: i64[1], n: i64) -> (
    a, b, c, e, g, h, i, j, k, l
) {
    a = onnx.reshape(x, s)  # is fine
    # KIND: "kind": "bad_type"
    # CHECK: [[FILE]]:[[#@LINE+2]]:25: error: 'onnx.reshape' takes a target shape of element type i64, not i32
    # CHECK: note: 't' is declared here: i32[2]
    b = onnx.reshape(x, t)
    # KIND-NEXT: "kind": "bad_type"
    # CHECK: [[FILE]]:[[#@LINE+2]]:29: error: 'openvino.reshape' takes a target shape of element type i2 to i64 and u1 to u64, not f32
    # CHECK: note: 'u' is declared here: f32[2]
    c = openvino.reshape(x, u, special_zero=true)
    # KIND-NEXT: "kind": "bad_shape_rank"
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: a target shape is a list of integers, as in [2, -1]; this has rank 2
    e = onnx.reshape(x, m)
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+1]]:34: error: 'shape' of 'onednn.static_reshape' must be known when compiling; it cannot be a tensor
    g = onednn.static_reshape(x, s, special_zero=true)
    h = reshape(x, [d, -1, n])  # is fine
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+2]]:21: error: an entry of a target shape is one integer; 's' (i64[2]) is not
    # CHECK: note: 's' is declared here: i64[2]
    i = reshape(x, [s, 3])
    # KIND-NEXT: "kind": "bad_type"
    # CHECK: [[FILE]]:[[#@LINE+2]]:27: error: 'paddle.reshape' takes a target shape of element type i32, not i64
    # CHECK: note: 's' is declared here: i64[2]
    j = paddle.reshape(x, s)
    # KIND-NEXT: "kind": "unsupported"
    # CHECK: [[FILE]]:[[#@LINE+1]]:20: error: a target shape that is data must be an input of the graph, without a layout, or be made from elements of inputs; this is computed
    k = reshape(x, pad(s, [0, 1]))
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: 'shape' of 'onnx.reshape' must be known when compiling; it cannot be a tensor
    l = onnx.reshape(x, s, opset=1)
}
graph g(x: f32[2, 3], s: i64[2], d: i64[1], e: i32[1], z: i64[0], p: i32[0], long: i64[17]) -> (a, b, c, e1, f) {
    # KIND-NEXT: "kind": "type_mismatch"
    # CHECK: [[FILE]]:[[#@LINE+2]]:24: error: entries of a target shape must have one element type; that of the first is i64
    # CHECK: note: 'e' is declared here: i32[1]
    a = reshape(x, [d, e])
    # KIND-NEXT: "kind": "multiple_infer"
    # CHECK: [[FILE]]:[[#@LINE+1]]:28: error: second -1 in target [-1, ?, -1] (entries 0 and 2); at most one can be inferred
    b = reshape(x, [-1, d, -1])
    # KIND-NEXT: "kind": "volume_mismatch"
    # CHECK: [[FILE]]:[[#@LINE+1]]:20: error: 'x' (f32[2, 3]) has 6 elements, target [] has 1
    c = reshape(x, z)
    # KIND-NEXT: "kind": "empty_shape"
    # CHECK: [[FILE]]:[[#@LINE+1]]:28: error: target [] is a scalar, and 'paddle.reshape' has no scalars
    e1 = paddle.reshape(x, p)
    # KIND-NEXT: "kind": "rank_limit"
    # CHECK: [[FILE]]:[[#@LINE+1]]:20: error: 17 axes; 'reshape' takes at most 16
    f = reshape(x, long)
}
# KIND-NOT: kind
