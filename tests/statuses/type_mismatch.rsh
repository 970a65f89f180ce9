# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Operands, or a result and its declaration, of different element types.
# RUN: not %{reshapec} check --json %s | FileCheck %s
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s --check-prefix=TEXT --strict-whitespace

graph joined(x: f32[3, 4], z: f16[3, 4]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 19,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "type_mismatch",
    # CHECK-NEXT: "message": "'z' (f16[3, 4]) has element type f16, but the first operand 'x' (f32[3, 4]) has f32"
    # TEXT:{{^}}    y = concat(x, z, axis=0){{$}}
    # TEXT-NEXT:{{^}}                  ^{{$}}
    y = concat(x, z, axis=0)
}
# CHECK: "line": [[#@LINE+7]],
# CHECK-NEXT: "column": 36,
# CHECK-NEXT: "severity": "error",
# CHECK-NEXT: "kind": "type_mismatch",
# CHECK-NEXT: "message": "result 'y' is declared i32[4, 3] but is f32[4, 3]"
# TEXT:{{^}}graph declared(x: f32[3, 4]) -> y: i32[4, 3] {{{$}}
# TEXT-NEXT:{{^}}                                   ^~~{{$}}
graph declared(x: f32[3, 4]) -> y: i32[4, 3] {
    y = transpose(x)
}
# CHECK-NOT: "severity": "error"
