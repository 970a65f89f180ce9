# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sizes, counts and bytes above 64 bits.
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
# CHECK-NEXT: "message": "'x' has more elements than 64 bits can count"
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
# CHECK: "line": [[#@LINE+5]],
# CHECK-NEXT: "column": 13,
# CHECK-NEXT: "severity": "error",
# CHECK-NEXT: "kind": "overflow",
# CHECK-NEXT: "message": "'x' is 1152921504606846976 elements of 64 bits: more than {{.*}}"
graph bytes(x: f64[1152921504606846976]) -> y {
    y = flip(x, 0)
}
# CHECK-NOT: "severity": "error"
