# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sizes with a product of 0 leave a -1 undetermined.
# RUN: not %{reshapec} check --json %s | FileCheck %s
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s --check-prefix=TEXT --strict-whitespace

graph copied(x: f32[0, 4]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 24,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "ambiguous_infer",
    # CHECK-NEXT: "message": "-1 in target [0, -1] cannot be inferred: the other sizes multiply to 0"
    # TEXT:{{^}}    y = reshape(x, [0, -1]){{$}}
    # TEXT-NEXT:{{^}}                       ^~{{$}}
    y = reshape(x, [0, -1])
}
# CHECK-NOT: "severity": "error"
