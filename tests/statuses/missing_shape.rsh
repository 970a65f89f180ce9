# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A reshape without a target.
# RUN: not %{reshapec} check --json %s | FileCheck %s

graph none(x: f32[4]) -> y {
    # CHECK: "line": [[#@LINE+5]],
    # CHECK-NEXT: "column": 9,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "missing_shape",
    # CHECK-NEXT: "message": "'reshape' needs a target shape"
    y = reshape(x)
}
graph paddle(x: f32[4]) -> y {
    # CHECK: "line": [[#@LINE+5]],
    # CHECK-NEXT: "column": 9,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "missing_shape",
    # CHECK-NEXT: "message": "'paddle.reshape' needs a target shape"
    y = paddle.reshape(x, inplace=true)
}
# CHECK-NOT: "severity": "error"
