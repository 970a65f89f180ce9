# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sizes that differ, and neither is 1.
# RUN: not %{reshapec} check --json %s | FileCheck %s
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s --check-prefix=TEXT --strict-whitespace

graph expanded(x: f32[3, 4]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 20,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "not_broadcastable",
    # CHECK-NEXT: "message": "size 3 of 'x' (f32[3, 4]) cannot be broadcast to 2"
    # TEXT:{{^}}    y = expand(x, [2, 4]){{$}}
    # TEXT-NEXT:{{^}}                   ^{{$}}
    y = expand(x, [2, 4])
}
graph empty(x: f32[3]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 20,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "not_broadcastable",
    # CHECK-NEXT: "message": "size 3 of 'x' (f32[3]) cannot be broadcast to 0"
    # TEXT:{{^}}    y = expand(x, [0]){{$}}
    # TEXT-NEXT:{{^}}                   ^{{$}}
    y = expand(x, [0])
}
# CHECK-NOT: "severity": "error"
