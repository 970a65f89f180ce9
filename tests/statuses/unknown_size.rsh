# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A result whose shape depends on how sizes compare that only the program knows.
# RUN: not %{reshapec} check --json %s | FileCheck %s

graph ones(x: f32[N, 4]) -> y {
    # CHECK: "line": [[#@LINE+5]],
    # CHECK-NEXT: "column": 17,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "unknown_size",
    # CHECK-NEXT: "message": "{{.*}}N{{.*}}"
    y = squeeze(x)
}
graph inferred(x: f32[N, 4]) -> y {
    # CHECK: "line": [[#@LINE+5]],
    # CHECK-NEXT: "column": 21,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "unknown_size",
    # CHECK-NEXT: "message": "{{.*}}N{{.*}}"
    y = reshape(x, [-1, 3])
}
graph joined(x: f32[N, 4], z: f32[M, 5]) -> y {
    # CHECK: "line": [[#@LINE+5]],
    # CHECK-NEXT: "column": 19,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "unknown_size",
    # CHECK-NEXT: "message": "{{.*}}M{{.*}}N{{.*}}"
    y = concat(x, z, axis=1)
}
# CHECK-NOT: "severity": "error"
