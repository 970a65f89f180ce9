# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A block that does not divide its axis.
# RUN: not %{reshapec} check --json %s | FileCheck %s

graph channels(x: f32[1, 6, 2, 2]) -> y {
    # CHECK: "line": [[#@LINE+5]],
    # CHECK-NEXT: "column": 24,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_block",
    # CHECK-NEXT: "message": "{{.*}}block size 2{{.*}}size 6 of 'x' (f32[1, 6, 2, 2]){{.*}}"
    y = depth_to_space(x, 2)
}
graph height(x: f32[1, 6, 3, 2]) -> y {
    # CHECK: "line": [[#@LINE+5]],
    # CHECK-NEXT: "column": 24,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_block",
    # CHECK-NEXT: "message": "block size 2 does not divide size 3 of 'x' (f32[1, 6, 3, 2])"
    y = space_to_depth(x, 2)
}
graph none(x: f32[1, 6, 3, 2]) -> y {
    # CHECK: "line": [[#@LINE+5]],
    # CHECK-NEXT: "column": 27,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_block",
    # CHECK-NEXT: "message": "block size 0; at least 1 is needed"
    y = space_to_depth(x, 0)
}
# CHECK-NOT: "severity": "error"
