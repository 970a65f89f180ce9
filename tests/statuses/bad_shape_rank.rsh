# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A target shape that is not a list.
# RUN: not %{reshapec} check --json %s | FileCheck %s
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s --check-prefix=TEXT --strict-whitespace

graph integer(x: f32[4]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 20,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_shape_rank",
    # CHECK-NEXT: "message": "a target shape is a list of integers: write [4]"
    # TEXT:{{^}}    y = reshape(x, 4){{$}}
    # TEXT-NEXT:{{^}}                   ^{{$}}
    y = reshape(x, 4)
}
graph nested(x: f32[4]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 20,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_shape_rank",
    # CHECK-NEXT: "message": "a target shape is a list of integers, as in [2, -1]; this has rank 2"
    # TEXT:{{^}}    y = reshape(x, {{\[\[}}2, 2]]){{$}}
    # TEXT-NEXT:{{^}}                   ^~~~~~~~{{$}}
    y = reshape(x, [[2, 2]])
}
graph tensor(x: f32[4], s: i64[1, 2]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 20,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_shape_rank",
    # CHECK-NEXT: "message": "a target shape is a list of integers, as in [2, -1]; this has rank 2"
    # TEXT:{{^}}    y = reshape(x, s){{$}}
    # TEXT-NEXT:{{^}}                   ^{{$}}
    y = reshape(x, s)
}
# CHECK-NOT: "severity": "error"
