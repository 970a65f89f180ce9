# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# More axes than a shape can have: 16, or the dialect's limit.
# RUN: not %{reshapec} check --json %s | FileCheck %s

# CHECK: "line": [[#@LINE+5]],
# CHECK-NEXT: "column": 68,
# CHECK-NEXT: "severity": "error",
# CHECK-NEXT: "kind": "rank_limit",
# CHECK-NEXT: "message": "17 axes; at most 16 are supported"
graph input(x: f32[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4]) -> y {
    y = flatten(x)
}
graph target(x: f32[4]) -> y {
    # CHECK: "line": [[#@LINE+5]],
    # CHECK-NEXT: "column": 20,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "rank_limit",
    # CHECK-NEXT: "message": "17 axes; {{.*}} 16"
    y = reshape(x, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4])
}
graph paddle(x: f32[4]) -> y {
    # CHECK: "line": [[#@LINE+5]],
    # CHECK-NEXT: "column": 27,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "rank_limit",
    # CHECK-NEXT: "message": "10 axes; 'paddle.reshape' takes at most 9"
    y = paddle.reshape(x, [1, 1, 1, 1, 1, 1, 1, 1, 1, 4])
}
graph pattern(x: f32[4]) -> y {
    # CHECK: "line": [[#@LINE+5]],
    # CHECK-NEXT: "column": 28,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "rank_limit",
    # CHECK-NEXT: "message": "17 axes; at most 16 are supported"
    y = rearrange(x, "a -> a 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1")
}
# CHECK-NOT: "severity": "error"
