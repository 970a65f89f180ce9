# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What the language has and no stage can do: each time a message that says so.
# RUN: not %{reshapec} check --json %s | FileCheck %s
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s --check-prefix=TEXT --strict-whitespace

graph act(x: f32[4]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 39,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "unsupported",
    # CHECK-NEXT: "message": "{{.*}}relu{{.*}}not supported{{.*}}"
    # TEXT:{{^}}    y = paddle.reshape(x, [2, 2], act="relu"){{$}}
    # TEXT-NEXT:{{^}}                                      ^~~~~~{{$}}
    y = paddle.reshape(x, [2, 2], act="relu")
}
# CHECK: "line": [[#@LINE+7]],
# CHECK-NEXT: "column": 31,
# CHECK-NEXT: "severity": "error",
# CHECK-NEXT: "kind": "unsupported",
# CHECK-NEXT: "message": "'y' needs a copy that moves single f4e2m1 elements; {{.*}}"
# TEXT:{{^}}graph halves(x: f4e2m1[3]) -> y {{{$}}
# TEXT-NEXT:{{^}}                              ^{{$}}
graph halves(x: f4e2m1[3]) -> y {
    y = flip(x, 0)
}
# CHECK-NOT: "severity": "error"
