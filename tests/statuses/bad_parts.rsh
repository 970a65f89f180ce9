# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Parts that the axis cannot be split into.
# RUN: not %{reshapec} check --json %s | FileCheck %s

graph sum(x: f32[5]) -> (a, b) {
    # CHECK: "line": [[#@LINE+5]],
    # CHECK-NEXT: "column": 27,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_parts",
    # CHECK-NEXT: "message": "'sizes' [2, 2] add up to 4, but the axis of 'x' (f32[5]) has size 5"
    a, b = split(x, sizes=[2, 2])
}
graph negative(x: f32[5]) -> (a, b) {
    # CHECK: "line": [[#@LINE+5]],
    # CHECK-NEXT: "column": 31,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_parts",
    # CHECK-NEXT: "message": "a part cannot have size -1"
    a, b = split(x, sizes=[6, -1])
}
graph last(x: f32[5]) -> (a, b, c, d) {
    # CHECK: "line": [[#@LINE+5]],
    # CHECK-NEXT: "column": 33,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_parts",
    # CHECK-NEXT: "message": "an axis of size 5 of 'x' (f32[5]) cannot be split into 4 parts of which only the last may be smaller; give 'sizes'"
    a, b, c, d = split(x, parts=4)
}
graph none(x: f32[5]) -> y {
    # CHECK: "line": [[#@LINE+5]],
    # CHECK-NEXT: "column": 24,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_parts",
    # CHECK-NEXT: "message": "0 parts; at least 1 is needed"
    y = split(x, parts=0)
}
graph nothing(x: f32[5]) -> (a, b) {
    # CHECK: "line": [[#@LINE+5]],
    # CHECK-NEXT: "column": 27,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_parts",
    # CHECK-NEXT: "message": "'sizes' [0, 0] add up to 0, but the axis of 'x' (f32[5]) has size 5"
    a, b = split(x, sizes=[0, 0])
}
graph both(x: f32[5]) -> (a, b) {
    # CHECK: "line": [[#@LINE+5]],
    # CHECK-NEXT: "column": 27,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_parts",
    # CHECK-NEXT: "message": "'split' takes 'parts' or 'sizes', not both"
    a, b = split(x, parts=2, sizes=[2, 3])
}
graph uneven(x: f32[5]) -> (a, b) {
    # CHECK: "line": [[#@LINE+5]],
    # CHECK-NEXT: "column": 12,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_parts",
    # CHECK-NEXT: "message": "an axis of size 5 of 'x' (f32[5]) cannot be split into 2 equal parts{{.*}}"
    a, b = split(x)
}
# CHECK-NOT: "severity": "error"
