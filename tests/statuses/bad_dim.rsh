# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A size that no tensor can have.
# RUN: not %{reshapec} check --json %s | FileCheck %s
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s --check-prefix=TEXT --strict-whitespace

graph below(x: f32[2, 3]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 25,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_dim",
    # CHECK-NEXT: "message": "size -2 in 'shape'; the least allowed is -1"
    # TEXT:{{^}}    y = reshape(x, [-1, -2, 5]){{$}}
    # TEXT-NEXT:{{^}}                        ^~{{$}}
    y = reshape(x, [-1, -2, 5])
}
graph expanded(x: f32[2, 3]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 20,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_dim",
    # CHECK-NEXT: "message": "size -1 in 'shape'; the least allowed is 0"
    # TEXT:{{^}}    y = expand(x, [-1, 3]){{$}}
    # TEXT-NEXT:{{^}}                   ^~{{$}}
    y = expand(x, [-1, 3])
}
# CHECK: "line": [[#@LINE+7]],
# CHECK-NEXT: "column": 23,
# CHECK-NEXT: "severity": "error",
# CHECK-NEXT: "kind": "bad_dim",
# CHECK-NEXT: "message": "size -2 is below 0"
# TEXT:{{^}}graph declared(x: f32[-2]) -> y {{{$}}
# TEXT-NEXT:{{^}}                      ^~{{$}}
graph declared(x: f32[-2]) -> y {
    y = flip(x, 0)
}
# CHECK-NOT: "severity": "error"
