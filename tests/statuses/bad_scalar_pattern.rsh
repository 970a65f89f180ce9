# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# OpenVINO takes a target without brackets, which must be 1.
# RUN: not %{reshapec} check --json %s | FileCheck %s

graph four(x: f32[4]) -> y {
    # CHECK: "line": [[#@LINE+5]],
    # CHECK-NEXT: "column": 29,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_scalar_pattern",
    # CHECK-NEXT: "message": "a target without brackets must be 1, this is 4"
    y = openvino.reshape(x, 4, special_zero=false)
}
# CHECK-NOT: "severity": "error"
