# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A target with another number of elements.
# RUN: not %{reshapec} check --json %s | FileCheck %s
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s --check-prefix=TEXT --strict-whitespace

graph more(x: f32[2, 3]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 20,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "volume_mismatch",
    # CHECK-NEXT: "message": "'x' (f32[2, 3]) has 6 elements, target [2, 4] has 8; [2, -1] makes it [2, 3]"
    # TEXT:{{^}}    y = reshape(x, [2, 4]){{$}}
    # TEXT-NEXT:{{^}}                   ^~~~~~{{$}}
    y = reshape(x, [2, 4])
}
graph piped(x: f32[2, 3]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 43,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "volume_mismatch",
    # CHECK-NEXT: "message": "f32[3, 2] has 6 elements, target [7] has 7; [-1] makes it [6]"
    # TEXT:{{^}}    y = x |> transpose([1, 0]) |> reshape([7]){{$}}
    # TEXT-NEXT:{{^}}                                          ^~~{{$}}
    y = x |> transpose([1, 0]) |> reshape([7])
}
# CHECK-NOT: "severity": "error"
