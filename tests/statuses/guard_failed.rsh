# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A condition that no size satisfies. Conditions on sizes are checked at run time.
# RUN: not %{reshapec} check --json %s | FileCheck %s
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s --check-prefix=TEXT --strict-whitespace

# CHECK: "line": [[#@LINE+7]],
# CHECK-NEXT: "column": 35,
# CHECK-NEXT: "severity": "error",
# CHECK-NEXT: "kind": "guard_failed",
# CHECK-NEXT: "message": "this condition is never true: N < 0"
# TEXT:{{^}}graph never(x: f32[N]) -> y where N < 0 {{{$}}
# TEXT-NEXT:{{^}}                                  ^~~~~{{$}}
graph never(x: f32[N]) -> y where N < 0 {
    y = flip(x, 0)
}
# CHECK: "line": [[#@LINE+7]],
# CHECK-NEXT: "column": 37,
# CHECK-NEXT: "severity": "error",
# CHECK-NEXT: "kind": "guard_failed",
# CHECK-NEXT: "message": "this condition is never true: 3 > 4"
# TEXT:{{^}}graph numbers(x: f32[N]) -> y where 3 > 4 {{{$}}
# TEXT-NEXT:{{^}}                                    ^~~~~{{$}}
graph numbers(x: f32[N]) -> y where 3 > 4 {
    y = flip(x, 0)
}
# CHECK-NOT: "severity": "error"
