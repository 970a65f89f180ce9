# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An index that the axis does not have.
# RUN: not %{reshapec} check --json %s | FileCheck %s
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s --check-prefix=TEXT --strict-whitespace

graph high(x: f32[4, 5]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 14,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_index",
    # CHECK-NEXT: "message": "index 5 is outside axis 1 of 'x' (f32[4, 5]), of size 5; allowed: -5 to 4"
    # TEXT:{{^}}    y = x[1, 5]{{$}}
    # TEXT-NEXT:{{^}}             ^{{$}}
    y = x[1, 5]
}
graph low(x: f32[4, 5]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 11,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_index",
    # CHECK-NEXT: "message": "index -5 is outside axis 0 of 'x' (f32[4, 5]), of size 4; allowed: -4 to 3"
    # TEXT:{{^}}    y = x[-5]{{$}}
    # TEXT-NEXT:{{^}}          ^~{{$}}
    y = x[-5]
}
graph empty(x: f32[0, 5]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 11,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_index",
    # CHECK-NEXT: "message": "index 0 is outside axis 0 of 'x' (f32[0, 5]), of size 0"
    # TEXT:{{^}}    y = x[0]{{$}}
    # TEXT-NEXT:{{^}}          ^{{$}}
    y = x[0]
}
# CHECK-NOT: "severity": "error"
