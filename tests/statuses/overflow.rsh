# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sizes and counts above 64 bits. Bytes are counted when code is made: see known-bugs/C8.rsh.
# RUN: not %{reshapec} check --json %s | FileCheck %s

graph target(x: f32[4]) -> y {
    # CHECK: "line": [[#@LINE+5]],
    # CHECK-NEXT: "column": 42,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "overflow",
    # CHECK-NEXT: "message": "{{.*}}64 bits{{.*}}"
    y = reshape(x, [9223372036854775807, 2])
}
# CHECK: "line": [[#@LINE+5]],
# CHECK-NEXT: "column": 19,
# CHECK-NEXT: "severity": "error",
# CHECK-NEXT: "kind": "overflow",
# CHECK-NEXT: "message": "'x' has more elements than 64 bits can count: 9223372036854775807 * 2"
graph declared(x: i8[9223372036854775807, 2]) -> y {
    y = flatten(x)
}
graph sum(x: f32[4]) -> y {
    # CHECK: "line": [[#@LINE+5]],
    # CHECK-NEXT: "column": 21,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "overflow",
    # CHECK-NEXT: "message": "this does not fit 64 bits"
    y = reshape(x, [9223372036854775807 + 1])
}
graph joined(x: i8[9223372036854775807]) -> y {
    # CHECK: "line": [[#@LINE+5]],
    # CHECK-NEXT: "column": 19,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "overflow",
    # CHECK-NEXT: "message": "{{.*}}64 bits{{.*}}"
    y = concat(x, x, axis=0)
}
# CHECK-NOT: "severity": "error"
