# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Every kind of refusal of a reshape, by name.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

graph bad_type(x: i8[2, 3]) -> y {
    # KIND: "kind": "bad_type"
    # CHECK: [[FILE]]:[[#@LINE+2]]:31: error: 'onednn.static_reshape' does not take element type i8
    # CHECK: note: 'x' is declared here: i8[2, 3]
    y = onednn.static_reshape(x, shape=[6], special_zero=false)
}
graph bad_type_of_opset(x: bf16[2, 3]) -> y {
    # KIND-NEXT: "kind": "bad_type"
    # CHECK: [[FILE]]:[[#@LINE+2]]:22: error: 'onnx.reshape' takes element type bf16 only from opset 13 on
    # CHECK: note: 'x' is declared here: bf16[2, 3]
    y = onnx.reshape(x, [6], opset=5)
}
graph bad_attr(x: f32[2, 3]) -> y {
    # KIND-NEXT: "kind": "bad_attr"
    # CHECK: [[FILE]]:[[#@LINE+1]]:36: error: 'opset' is 29; allowed: 1 to 28
    y = onnx.reshape(x, [6], opset=29)
}
graph bad_arg(x: f32[2, 3]) -> y {
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+1]]:33: error: 'shape' takes a list of integers or a 1-D integer tensor; this is a string
    y = paddle.reshape(x, shape="6")
}
graph missing_shape(x: f32[2, 3]) -> (y, z) {
    # KIND-NEXT: "kind": "missing_shape"
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 'reshape' needs a target shape
    y = reshape(x)
    # KIND-NEXT: "kind": "missing_shape"
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: 'onnx.reshape' needs a target shape
    z = onnx.reshape(x, None, opset=1)
}
graph empty_shape(x: f32[1, 1]) -> y {
    # KIND-NEXT: "kind": "empty_shape"
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: target [] is a scalar, and 'paddle.reshape' has no scalars
    y = paddle.reshape(x, [])
}
graph bad_shape_rank(x: f32[2, 3], one: f32[1]) -> (y, z, w) {
    # KIND-NEXT: "kind": "bad_shape_rank"
    # CHECK: [[FILE]]:[[#@LINE+1]]:20: error: a target shape is a list of integers, as in [2, -1]; this has rank 2
    y = reshape(x, [[6]])
    # KIND-NEXT: "kind": "bad_shape_rank"
    # CHECK: [[FILE]]:[[#@LINE+1]]:20: error: a target shape is a list of integers: write [6]
    z = reshape(x, 6)
    # KIND-NEXT: "kind": "bad_shape_rank"
    # CHECK: [[FILE]]:[[#@LINE+1]]:31: error: a target shape is a list of integers: write [1]
    w = openvino.reshape(one, 1, special_zero=false)
}
graph rank_limit(x: f32[2, 3]) -> (y, z, w) {
    # KIND-NEXT: "kind": "rank_limit"
    # CHECK: [[FILE]]:[[#@LINE+2]]:20: error: 17 axes; 'reshape' takes at most 16
    # CHECK: note: 'x' is declared here: f32[2, 3]
    y = reshape(x, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 6])
    # KIND-NEXT: "kind": "rank_limit"
    # CHECK: [[FILE]]:[[#@LINE+2]]:40: error: 13 axes; 'onednn.static_reshape' takes at most 12
    # CHECK: note: 'x' is declared here: f32[2, 3]
    z = onednn.static_reshape(x, shape=[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 6], special_zero=false)
    # KIND-NEXT: "kind": "rank_limit"
    # CHECK: [[FILE]]:[[#@LINE+2]]:27: error: 10 axes; 'paddle.reshape' takes at most 9
    # CHECK: note: 'x' is declared here: f32[2, 3]
    w = paddle.reshape(x, (1, 1, 1, 1, 1, 1, 1, 1, 1, 6))
}
graph bad_dim(x: f32[2, 3]) -> y {
    # KIND-NEXT: "kind": "bad_dim"
    # CHECK: [[FILE]]:[[#@LINE+2]]:24: error: size -2 in 'shape'; the least allowed is -1
    # CHECK: note: 'x' is declared here: f32[2, 3]
    y = reshape(x, [3, -2])
}
graph multiple_infer(x: f32[2, 3]) -> y {
    # KIND-NEXT: "kind": "multiple_infer"
    # CHECK: [[FILE]]:[[#@LINE+2]]:28: error: second -1 in target [-1, 3, -1] (entries 0 and 2); at most one can be inferred
    # CHECK: note: 'x' is declared here: f32[2, 3]
    y = reshape(x, [-1, 3, -1])
}
graph zero_out_of_range(x: f32[2, 3]) -> y {
    # KIND-NEXT: "kind": "zero_out_of_range"
    # CHECK: [[FILE]]:[[#@LINE+2]]:27: error: 0 at entry 2 copies the size of that axis, which 'x' (f32[2, 3]) of rank 2 does not have
    # CHECK: note: 'x' is declared here: f32[2, 3]
    y = reshape(x, [2, 3, 0])
}
graph zero_with_infer(x: f32[0, 3]) -> (y, z) {
    # KIND-NEXT: "kind": "zero_with_infer"
    # CHECK: [[FILE]]:[[#@LINE+2]]:21: error: literal 0 (entry 0) and -1 (entry 1) together in target [0, -1]
    # CHECK: note: 'x' is declared here: f32[0, 3]
    y = reshape(x, [0, -1], allowzero=1)
    # KIND-NEXT: "kind": "zero_with_infer"
    # CHECK: [[FILE]]:[[#@LINE+2]]:39: error: literal 0 (entry 1) and -1 (entry 0) together in target [-1, 0]
    # CHECK: note: 'x' is declared here: f32[0, 3]
    z = onednn.static_reshape(x, [-1, 0], special_zero=false)
}
graph overflow(x: f32[2, 3]) -> (y, z) {
    # KIND-NEXT: "kind": "overflow"
    # CHECK: [[FILE]]:[[#@LINE+2]]:33: error: target [4294967296, 4294967296, -1] has more elements than 64 bits can count
    # CHECK: note: 'x' is declared here: f32[2, 3]
    y = reshape(x, [4294967296, 4294967296, -1])
    # KIND-NEXT: "kind": "overflow"
    # CHECK: [[FILE]]:[[#@LINE+2]]:24: error: target [5, 3689348814741910328] has more elements than 64 bits can count
    # CHECK: note: 'x' is declared here: f32[2, 3]
    z = reshape(x, [5, 3689348814741910328])
}
graph ambiguous_infer(x: f32[0, 3]) -> y {
    # KIND-NEXT: "kind": "ambiguous_infer"
    # CHECK: [[FILE]]:[[#@LINE+2]]:27: error: -1 in target [0, 3, -1] cannot be inferred: the other sizes multiply to 0
    # CHECK: note: 'x' is declared here: f32[0, 3]
    y = reshape(x, [0, 3, -1])
}
graph not_divisible(x: f32[2, 3]) -> y {
    # KIND-NEXT: "kind": "not_divisible"
    # CHECK: [[FILE]]:[[#@LINE+2]]:24: error: 6 elements of 'x' (f32[2, 3]) cannot be divided into target [4, -1]: 6 is not a multiple of 4
    # CHECK: note: 'x' is declared here: f32[2, 3]
    y = reshape(x, [4, -1])
}
graph volume_mismatch(x: f32[2, 3]) -> (y, z) {
    # KIND-NEXT: "kind": "volume_mismatch"
    # CHECK: [[FILE]]:[[#@LINE+2]]:20: error: 'x' (f32[2, 3]) has 6 elements, target [2, 2] has 4
    # CHECK: note: 'x' is declared here: f32[2, 3]
    y = reshape(x, [2, 2])
    # KIND-NEXT: "kind": "volume_mismatch"
    # CHECK: [[FILE]]:[[#@LINE+2]]:20: error: 'x' (f32[2, 3]) has 6 elements, target [0, 0, 2] has 12
    # CHECK: note: 'x' is declared here: f32[2, 3]
    z = reshape(x, [0, 0, 2])
}
# KIND-NOT: kind
