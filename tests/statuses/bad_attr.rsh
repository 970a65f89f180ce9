# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An argument that the dialect or the version does not have, or a value it may not have.
# RUN: not %{reshapec} check --json %s | FileCheck %s
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s --check-prefix=TEXT --strict-whitespace

graph version(x: f32[4]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 43,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_attr",
    # CHECK-NEXT: "message": "'allowzero' exists from opset 14 on; this is opset 13"
    # TEXT:{{^}}    y = onnx.reshape(x, [2, 2], allowzero=1, opset=13){{$}}
    # TEXT-NEXT:{{^}}                                          ^{{$}}
    y = onnx.reshape(x, [2, 2], allowzero=1, opset=13)
}
graph gone(x: f32[4]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 49,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_attr",
    # CHECK-NEXT: "message": "'consumed_inputs' is removed from opset 5 on; this is opset 5"
    # TEXT:{{^}}    y = onnx.reshape(x, [2, 2], consumed_inputs=[0], opset=5){{$}}
    # TEXT-NEXT:{{^}}                                                ^~~{{$}}
    y = onnx.reshape(x, [2, 2], consumed_inputs=[0], opset=5)
}
graph range(x: f32[4]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 38,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_attr",
    # CHECK-NEXT: "message": "'allowzero' is 2; allowed: 0 to 1"
    # TEXT:{{^}}    y = reshape(x, [2, 2], allowzero=2){{$}}
    # TEXT-NEXT:{{^}}                                     ^{{$}}
    y = reshape(x, [2, 2], allowzero=2)
}
graph opset(x: f32[4]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 39,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_attr",
    # CHECK-NEXT: "message": "'opset' is 0; allowed: 1 to 28"
    # TEXT:{{^}}    y = onnx.reshape(x, [2, 2], opset=0){{$}}
    # TEXT-NEXT:{{^}}                                      ^{{$}}
    y = onnx.reshape(x, [2, 2], opset=0)
}
graph required(x: f32[4]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 9,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_attr",
    # CHECK-NEXT: "message": "'openvino.reshape' needs 'special_zero', which has no default"
    # TEXT:{{^}}    y = openvino.reshape(x, [2, 2]){{$}}
    # TEXT-NEXT:{{^}}        ^~~~~~~~~~~~~~~~{{$}}
    y = openvino.reshape(x, [2, 2])
}
graph other(x: f32[4]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 33,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_attr",
    # CHECK-NEXT: "message": "'onnx.reshape' has no argument 'special_zero'; {{.*}}allowzero{{.*}}"
    # TEXT:{{^}}    y = onnx.reshape(x, [2, 2], special_zero=true){{$}}
    # TEXT-NEXT:{{^}}                                ^~~~~~~~~~~~{{$}}
    y = onnx.reshape(x, [2, 2], special_zero=true)
}
# CHECK-NOT: "severity": "error"
