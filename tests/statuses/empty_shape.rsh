# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A target without entries is a scalar; the old Paddle has none.
# RUN: not %{reshapec} check --json %s | FileCheck %s

graph paddle(x: f32[1]) -> y {
    # CHECK: "line": [[#@LINE+5]],
    # CHECK-NEXT: "column": 27,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "empty_shape",
    # CHECK-NEXT: "message": "target [] is a scalar, and 'paddle.reshape' has no scalars"
    y = paddle.reshape(x, [])
}
# CHECK-NOT: "severity": "error"
