# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A mode that the operator does not have.
# RUN: not %{reshapec} check --json %s | FileCheck %s
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s --check-prefix=TEXT --strict-whitespace

graph lower(x: f32[1, 4, 2, 2]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 35,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_mode",
    # CHECK-NEXT: "message": "unknown mode {{.*}}dcr{{.*}}; 'depth_to_space' has {{.*}}DCR{{.*}}CRD{{.*}}"
    # TEXT:{{^}}    y = depth_to_space(x, 2, mode="dcr"){{$}}
    # TEXT-NEXT:{{^}}                                  ^~~~~{{$}}
    y = depth_to_space(x, 2, mode="dcr")
}
# CHECK-NOT: "severity": "error"
