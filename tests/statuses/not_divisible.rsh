# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Elements that cannot be divided evenly, and divisions with a remainder.
# RUN: not %{reshapec} check --json %s | FileCheck %s
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s --check-prefix=TEXT --strict-whitespace

graph inferred(x: f32[4, 6]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 24,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "not_divisible",
    # CHECK-NEXT: "message": "24 elements of 'x' (f32[4, 6]) cannot be divided into target [5, -1]: 24 is not a multiple of 5"
    # TEXT:{{^}}    y = reshape(x, [5, -1]){{$}}
    # TEXT-NEXT:{{^}}                       ^~{{$}}
    y = reshape(x, [5, -1])
}
graph pattern(x: f32[3, 4]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 23,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "not_divisible",
    # CHECK-NEXT: "message": "axis 0 of 'x' (f32[3, 4]) has size 3, which is not a multiple of 2"
    # TEXT:{{^}}    y = rearrange(x, "(a k) b -> a (k b)", k=2){{$}}
    # TEXT-NEXT:{{^}}                      ^~~~~{{$}}
    y = rearrange(x, "(a k) b -> a (k b)", k=2)
}
graph expression(x: f32[4, 6]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 22,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "not_divisible",
    # CHECK-NEXT: "message": "4 is not divisible by 3"
    # TEXT:{{^}}    y = reshape(x, [4/3, -1]){{$}}
    # TEXT-NEXT:{{^}}                     ^{{$}}
    y = reshape(x, [4/3, -1])
}
# CHECK-NOT: "severity": "error"
