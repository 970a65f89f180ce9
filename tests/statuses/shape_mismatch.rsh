# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Operands, or a result and its declaration, that disagree in shape.
# RUN: not %{reshapec} check --json %s | FileCheck %s
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s --check-prefix=TEXT --strict-whitespace

graph size(x: f32[3, 4], z: f32[3, 5]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 19,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "shape_mismatch",
    # CHECK-NEXT: "message": "axis 1 of 'z' (f32[3, 5]) is 5, but that of the first operand 'x' (f32[3, 4]) is 4"
    # TEXT:{{^}}    y = concat(x, z, axis=0){{$}}
    # TEXT-NEXT:{{^}}                  ^{{$}}
    y = concat(x, z, axis=0)
}
graph rank(x: f32[3, 4], z: f32[3]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 19,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "shape_mismatch",
    # CHECK-NEXT: "message": "'z' (f32[3]) has rank 1, but the first operand 'x' (f32[3, 4]) has rank 2"
    # TEXT:{{^}}    y = concat(x, z, axis=0){{$}}
    # TEXT-NEXT:{{^}}                  ^{{$}}
    y = concat(x, z, axis=0)
}
graph stacked(x: f32[3, 4], z: f32[4, 3]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 18,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "shape_mismatch",
    # CHECK-NEXT: "message": "axis 0 of 'z' (f32[4, 3]) is 4, but that of the first operand 'x' (f32[3, 4]) is 3"
    # TEXT:{{^}}    y = stack(x, z){{$}}
    # TEXT-NEXT:{{^}}                 ^{{$}}
    y = stack(x, z)
}
# CHECK: "line": [[#@LINE+7]],
# CHECK-NEXT: "column": 43,
# CHECK-NEXT: "severity": "error",
# CHECK-NEXT: "kind": "shape_mismatch",
# CHECK-NEXT: "message": "result 'y' is declared f32[4, 4] but is f32[4, 3]"
# TEXT:{{^}}graph declared(x: f32[3, 4]) -> y: f32[4, 4] {{{$}}
# TEXT-NEXT:{{^}}                                          ^{{$}}
graph declared(x: f32[3, 4]) -> y: f32[4, 4] {
    y = transpose(x)
}
# CHECK-NOT: "severity": "error"
