# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A slice that does not advance.
# RUN: not %{reshapec} check --json %s | FileCheck %s
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s --check-prefix=TEXT --strict-whitespace

graph call(x: f32[4, 5]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 35,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_step",
    # CHECK-NEXT: "message": "the step of a slice cannot be 0"
    # TEXT:{{^}}    y = slice(x, [0], [1], steps=[0]){{$}}
    # TEXT-NEXT:{{^}}                                  ^{{$}}
    y = slice(x, [0], [1], steps=[0])
}
graph subscript(x: f32[4, 5]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 14,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_step",
    # CHECK-NEXT: "message": "the step of a slice cannot be 0"
    # TEXT:{{^}}    y = x[:, 1:2:0]{{$}}
    # TEXT-NEXT:{{^}}             ^~~~~{{$}}
    y = x[:, 1:2:0]
}
# CHECK-NOT: "severity": "error"
