# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Lists that belong together must have the same length.
# RUN: not %{reshapec} check --json %s | FileCheck %s

graph ends(x: f32[4, 5]) -> y {
    # CHECK: "line": [[#@LINE+5]],
    # CHECK-NEXT: "column": 26,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_length",
    # CHECK-NEXT: "message": "'ends' has length 1; 2 is needed"
    y = slice(x, [0, 0], [1])
}
graph steps(x: f32[4, 5]) -> y {
    # CHECK: "line": [[#@LINE+5]],
    # CHECK-NEXT: "column": 34,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_length",
    # CHECK-NEXT: "message": "'steps' has length 2; 1 is needed"
    y = slice(x, [0], [1], steps=[1, 1])
}
# CHECK-NOT: "severity": "error"
