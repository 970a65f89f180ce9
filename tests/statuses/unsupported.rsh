# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What the language has and no stage can do: each time a message that says so.
# RUN: not %{reshapec} check --json %s | FileCheck %s
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s --check-prefix=TEXT --strict-whitespace

graph act(x: f32[4]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 39,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "unsupported",
    # CHECK-NEXT: "message": "{{.*}}softmax{{.*}}not supported{{.*}}"
    # TEXT:{{^}}    y = paddle.reshape(x, [2, 2], act="softmax"){{$}}
    # TEXT-NEXT:{{^}}                                      ^~~~~~~~~{{$}}
    y = paddle.reshape(x, [2, 2], act="softmax")
}
graph late(x: f32[4], s: i64[2]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 20,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "unsupported",
    # CHECK-NEXT: "message": "the target shape 's' {{.*}}"
    # TEXT:{{^}}    y = reshape(x, s){{$}}
    # TEXT-NEXT:{{^}}                   ^{{$}}
    y = reshape(x, s)
}
# CHECK-NOT: "severity": "error"
