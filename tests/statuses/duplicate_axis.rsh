# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An axis that is listed twice, in one spelling or in two.
# RUN: not %{reshapec} check --json %s | FileCheck %s
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s --check-prefix=TEXT --strict-whitespace

graph flipped(x: f32[4, 6]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 21,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "duplicate_axis",
    # CHECK-NEXT: "message": "'axes' [1, -1] names one axis twice (entries 0 and 1)"
    # TEXT:{{^}}    y = flip(x, [1, -1]){{$}}
    # TEXT-NEXT:{{^}}                    ^~{{$}}
    y = flip(x, [1, -1])
}
graph added(x: f32[4, 6]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 29,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "duplicate_axis",
    # CHECK-NEXT: "message": "'axes' [2, 0, 2] names one axis twice (entries 0 and 2)"
    # TEXT:{{^}}    y = unsqueeze(x, [2, 0, 2]){{$}}
    # TEXT-NEXT:{{^}}                            ^{{$}}
    y = unsqueeze(x, [2, 0, 2])
}
graph sliced(x: f32[4, 6]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 43,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "duplicate_axis",
    # CHECK-NEXT: "message": "'axes' [0, -2] names one axis twice (entries 0 and 1)"
    # TEXT:{{^}}    y = slice(x, [0, 1], [2, 2], axes=[0, -2]){{$}}
    # TEXT-NEXT:{{^}}                                          ^~{{$}}
    y = slice(x, [0, 1], [2, 2], axes=[0, -2])
}
# CHECK-NOT: "severity": "error"
