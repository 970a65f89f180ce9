# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A list that is not a permutation of the axes.
# RUN: not %{reshapec} check --json %s | FileCheck %s
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s --check-prefix=TEXT --strict-whitespace

graph repeated(x: f32[2, 3]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 26,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_perm",
    # CHECK-NEXT: "message": "'perm' [1, 1] must list each axis from 0 to 1 once, but 1 is listed twice"
    # TEXT:{{^}}    y = transpose(x, [1, 1]){{$}}
    # TEXT-NEXT:{{^}}                         ^{{$}}
    y = transpose(x, [1, 1])
}
graph short(x: f32[2, 3]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 22,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_perm",
    # CHECK-NEXT: "message": "'perm' has 1 entry but 'x' (f32[2, 3]) has rank 2"
    # TEXT:{{^}}    y = transpose(x, [0]){{$}}
    # TEXT-NEXT:{{^}}                     ^~~{{$}}
    y = transpose(x, [0])
}
graph negative(x: f32[2, 3]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 26,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_perm",
    # CHECK-NEXT: "message": "'perm' [0, -1] must list each axis from 0 to 1 once; write 1 for -1"
    # TEXT:{{^}}    y = transpose(x, [0, -1]){{$}}
    # TEXT-NEXT:{{^}}                         ^~{{$}}
    y = transpose(x, [0, -1])
}
# CHECK-NOT: "severity": "error"
