# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An invalid pattern, or one that does not apply to this operand. The position is in the pattern.
# RUN: not %{reshapec} check --json %s | FileCheck %s
# RUN: not %{reshapec} check %s 2>&1 | FileCheck %s --check-prefix=TEXT --strict-whitespace

graph rank(x: f32[3, 4]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 23,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_pattern",
    # CHECK-NEXT: "message": "the pattern has 3 axes on the left but 'x' (f32[3, 4]) has rank 2"
    # TEXT:{{^}}    y = rearrange(x, "a b c -> c b a"){{$}}
    # TEXT-NEXT:{{^}}                      ^~~~~{{$}}
    y = rearrange(x, "a b c -> c b a")
}
graph reduced(x: f32[3, 4]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 23,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_pattern",
    # CHECK-NEXT: "message": "'a' is missing on the right; 'rearrange' moves elements, it does not reduce"
    # TEXT:{{^}}    y = rearrange(x, "a b -> b"){{$}}
    # TEXT-NEXT:{{^}}                      ^{{$}}
    y = rearrange(x, "a b -> b")
}
graph open(x: f32[3, 4]) -> y {
    # CHECK: "line": [[#@LINE+7]],
    # CHECK-NEXT: "column": 25,
    # CHECK-NEXT: "severity": "error",
    # CHECK-NEXT: "kind": "bad_pattern",
    # CHECK-NEXT: "message": "'(' without ')'"
    # TEXT:{{^}}    y = rearrange(x, "a (b -> a b"){{$}}
    # TEXT-NEXT:{{^}}                        ^{{$}}
    y = rearrange(x, "a (b -> a b")
}
# CHECK-NOT: "severity": "error"
