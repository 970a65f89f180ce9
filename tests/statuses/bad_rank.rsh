# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An operand of another rank than the operator needs.
# RUN: not %{reshapec} check --json %s | FileCheck %s
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s --check-prefix=TEXT --strict-whitespace

graph pixels(x: f32[4, 5]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 24,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_rank",
    # CHECK-NEXT: "message": "'depth_to_space' needs rank 4; 'x' (f32[4, 5]) has rank 2"
    # TEXT:{{^}}    y = depth_to_space(x, 2){{$}}
    # TEXT-NEXT:{{^}}                       ^{{$}}
    y = depth_to_space(x, 2)
}
graph scalar(x: f32) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 16,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_rank",
    # CHECK-NEXT: "message": "'concat' needs rank {{.*}}1; 'x' (f32) has rank 0"
    # TEXT:{{^}}    y = concat(x, x, axis=0){{$}}
    # TEXT-NEXT:{{^}}               ^{{$}}
    y = concat(x, x, axis=0)
}
graph subscripts(x: f32[2]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 9,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_rank",
    # CHECK-NEXT: "message": "2 subscripts but 'x' (f32[2]) has rank 1"
    # TEXT:{{^}}    y = x[0, 0]{{$}}
    # TEXT-NEXT:{{^}}        ^~~~~~~{{$}}
    y = x[0, 0]
}
# CHECK-NOT: "severity": "error"
