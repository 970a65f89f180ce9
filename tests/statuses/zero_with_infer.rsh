# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A literal 0 leaves nothing to infer a -1 from.
# RUN: not %{reshapec} check --json %s | FileCheck %s
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s --check-prefix=TEXT --strict-whitespace

graph allowzero(x: f32[0, 4]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 21,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "zero_with_infer",
    # CHECK-NEXT: "message": "literal 0 (entry 0) and -1 (entry 1) together in target [0, -1]"
    # TEXT:{{^}}    y = reshape(x, [0, -1], allowzero=1){{$}}
    # TEXT-NEXT:{{^}}                    ^{{$}}
    y = reshape(x, [0, -1], allowzero=1)
}
graph onednn(x: f32[0, 4]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 39,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "zero_with_infer",
    # CHECK-NEXT: "message": "literal 0 (entry 1) and -1 (entry 0) together in target [-1, 0]"
    # TEXT:{{^}}    y = onednn.static_reshape(x, [-1, 0], special_zero=false){{$}}
    # TEXT-NEXT:{{^}}                                      ^{{$}}
    y = onednn.static_reshape(x, [-1, 0], special_zero=false)
}
# CHECK-NOT: "severity": "error"
