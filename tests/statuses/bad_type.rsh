# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An element type that the operator, its dialect or its version does not accept; for a target shape too.
# RUN: not %{reshapec} check --json %s | FileCheck %s
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s --check-prefix=TEXT --strict-whitespace

graph onednn(x: i32[4]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 31,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_type",
    # CHECK-NEXT: "message": "'onednn.static_reshape' does not take element type i32; it takes f16, bf16 and f32"
    # TEXT:{{^}}    y = onednn.static_reshape(x, [2, 2], special_zero=true){{$}}
    # TEXT-NEXT:{{^}}                              ^{{$}}
    y = onednn.static_reshape(x, [2, 2], special_zero=true)
}
graph opset(x: bf16[4]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 22,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_type",
    # CHECK-NEXT: "message": "{{.*}}bf16 only from opset 13 on{{.*}}"
    # TEXT:{{^}}    y = onnx.reshape(x, [2, 2], opset=5){{$}}
    # TEXT-NEXT:{{^}}                     ^{{$}}
    y = onnx.reshape(x, [2, 2], opset=5)
}
graph target(x: f32[4], s: i32[2]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 20,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_type",
    # CHECK-NEXT: "message": "{{.*}}target shape of element type i64, not i32"
    # TEXT:{{^}}    y = reshape(x, s){{$}}
    # TEXT-NEXT:{{^}}                   ^{{$}}
    y = reshape(x, s)
}
# CHECK-NOT: "severity": "error"
