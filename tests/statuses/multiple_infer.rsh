# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Two entries to be inferred.
# RUN: not %{reshapec} check --json %s | FileCheck %s
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s --check-prefix=TEXT --strict-whitespace

graph two(x: f32[2, 3]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 28,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "multiple_infer",
    # CHECK-NEXT: "message": "second -1 in target [-1, 2, -1] (entries 0 and 2); at most one can be inferred"
    # TEXT:{{^}}    y = reshape(x, [-1, 2, -1]){{$}}
    # TEXT-NEXT:{{^}}                           ^~{{$}}
    y = reshape(x, [-1, 2, -1])
}
# CHECK-NOT: "severity": "error"
