# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Squeezed axes have size 1.
# RUN: not %{reshapec} check --json %s | FileCheck %s
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s --check-prefix=TEXT --strict-whitespace

graph six(x: f32[1, 6]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 17,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "not_one",
    # CHECK-NEXT: "message": "axis 1 of 'x' (f32[1, 6]) has size 6; only axes of size 1 can be squeezed"
    # TEXT:{{^}}    y = squeeze(x, [0, 1]){{$}}
    # TEXT-NEXT:{{^}}                ^{{$}}
    y = squeeze(x, [0, 1])
}
# CHECK-NOT: "severity": "error"
