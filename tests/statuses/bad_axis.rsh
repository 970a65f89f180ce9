# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An axis out of range; for unsqueeze and stack the range is that of the result.
# RUN: not %{reshapec} check --json %s | FileCheck %s
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s --check-prefix=TEXT --strict-whitespace

graph joined(x: f32[4, 6]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 27,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_axis",
    # CHECK-NEXT: "message": "axis 2 is outside rank 2 of 'x' (f32[4, 6]); allowed: -2 to 1"
    # TEXT:{{^}}    y = concat(x, x, axis=2){{$}}
    # TEXT-NEXT:{{^}}                          ^{{$}}
    y = concat(x, x, axis=2)
}
graph flattened(x: f32[4, 6]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 25,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_axis",
    # CHECK-NEXT: "message": "axis -3 is outside rank 2 of 'x' (f32[4, 6]); allowed: -2 to 2"
    # TEXT:{{^}}    y = flatten(x, axis=-3){{$}}
    # TEXT-NEXT:{{^}}                        ^~{{$}}
    y = flatten(x, axis=-3)
}
graph added(x: f32[4, 6]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 26,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_axis",
    # CHECK-NEXT: "message": "axis 4 is outside rank 4 of the result; allowed: -4 to 3"
    # TEXT:{{^}}    y = unsqueeze(x, [0, 4]){{$}}
    # TEXT-NEXT:{{^}}                         ^{{$}}
    y = unsqueeze(x, [0, 4])
}
graph scalar(x: f32) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 17,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_axis",
    # CHECK-NEXT: "message": "axis 0 is outside rank 0 of 'x' (f32), which has no axes"
    # TEXT:{{^}}    y = flip(x, 0){{$}}
    # TEXT-NEXT:{{^}}                ^{{$}}
    y = flip(x, 0)
}
# CHECK-NOT: "severity": "error"
