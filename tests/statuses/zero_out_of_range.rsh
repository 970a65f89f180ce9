# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A 0 copies the size at its own index, which must exist in the input.
# RUN: not %{reshapec} check --json %s | FileCheck %s
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s --check-prefix=TEXT --strict-whitespace

graph copied(x: f32[4]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 27,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "zero_out_of_range",
    # CHECK-NEXT: "message": "0 at entry 2 copies the size of that axis, which 'x' (f32[4]) of rank 1 does not have"
    # TEXT:{{^}}    y = reshape(x, [2, 2, 0]){{$}}
    # TEXT-NEXT:{{^}}                          ^{{$}}
    y = reshape(x, [2, 2, 0])
}
# CHECK-NOT: "severity": "error"
