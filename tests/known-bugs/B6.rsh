# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# With allowzero=1 a literal 0 leaves a -1 undetermined: inference divided by it (onnx/onnx#4550).
# RUN: not %{reshapec} check --json %s | FileCheck %s

graph b6(x: f32[0, 4]) -> y {
    # CHECK:      "line": [[#@LINE+4]],
    # CHECK-NEXT: "column": 21,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "zero_with_infer",
    y = reshape(x, [0, -1], allowzero=1)
}
