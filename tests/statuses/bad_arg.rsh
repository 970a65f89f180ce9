# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An argument of the wrong kind.
# RUN: not %{reshapec} check --json %s | FileCheck %s
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s --check-prefix=TEXT --strict-whitespace

graph text(x: f32[4]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 22,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_arg",
    # CHECK-NEXT: "message": "'perm' takes a list of integers or a 1-D integer tensor; this is a string"
    # TEXT:{{^}}    y = transpose(x, "0"){{$}}
    # TEXT-NEXT:{{^}}                     ^~~{{$}}
    y = transpose(x, "0")
}
graph tensor(x: f32[4], s: i64[1]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 20,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_arg",
    # CHECK-NEXT: "message": "'axis' takes an integer; this is a tensor"
    # TEXT:{{^}}    y = flatten(x, s){{$}}
    # TEXT-NEXT:{{^}}                   ^{{$}}
    y = flatten(x, s)
}
graph attribute(x: f32[4], s: i64[2]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 34,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_arg",
    # CHECK-NEXT: "message": "'shape' of 'onednn.static_reshape' must be known when compiling; it cannot be a tensor"
    # TEXT:{{^}}    y = onednn.static_reshape(x, s, special_zero=true){{$}}
    # TEXT-NEXT:{{^}}                                 ^{{$}}
    y = onednn.static_reshape(x, s, special_zero=true)
}
graph list(x: f32[4]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 25,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_arg",
    # CHECK-NEXT: "message": "'axis' takes an integer; this is a list"
    # TEXT:{{^}}    y = flatten(x, axis=[1]){{$}}
    # TEXT-NEXT:{{^}}                        ^~~{{$}}
    y = flatten(x, axis=[1])
}
graph number(x: f32[4]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 19,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_arg",
    # CHECK-NEXT: "message": "{{.*}}tensor{{.*}}integer{{.*}}"
    # TEXT:{{^}}    y = transpose(4){{$}}
    # TEXT-NEXT:{{^}}                  ^{{$}}
    y = transpose(4)
}
# CHECK-NOT: "severity": "error"
