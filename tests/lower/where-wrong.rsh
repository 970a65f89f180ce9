# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Conditions are about sizes; one that never holds is an error at once.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

# KIND: "kind": "guard_failed"
# CHECK: [[FILE]]:[[#@LINE+9]]:34: error: this condition is never true: 4 < 3
# KIND-NEXT: "kind": "guard_failed"
# CHECK: [[FILE]]:[[#@LINE+7]]:41: error: this condition is never true: B == B+1
# KIND-NEXT: "kind": "guard_failed"
# CHECK: [[FILE]]:[[#@LINE+5]]:53: error: this condition is never true: B < 0
# KIND-NEXT: "kind": "guard_failed"
# CHECK: [[FILE]]:[[#@LINE+3]]:60: error: this condition is never true: B in []
# KIND-NEXT: "kind": "guard_failed"
# CHECK: [[FILE]]:[[#@LINE+1]]:69: error: this condition is never true: 3 in [1, 2]
graph f(x: f32[B, 4]) -> y where 4 < 3, B == B + 1, B < 0, B in [], 3 in [1, 2] {
    y = x
}
# KIND-NEXT: "kind": "bad_arg"
# CHECK: [[FILE]]:[[#@LINE+2]]:43: error: 'x' is a tensor, but a size is needed here
# CHECK: note: 'x' is defined here
graph not_a_size(x: f32[B, 4]) -> y where x == 2 {
    y = x
}
# KIND-NEXT: "kind": "unknown_name"
# CHECK: [[FILE]]:[[#@LINE+3]]:40: error: no size is called 'C'
# KIND-NEXT: "kind": "unknown_name"
# CHECK: [[FILE]]:[[#@LINE+1]]:53: error: no size is called 'D'
graph unknown(x: f32[B, 4]) -> y where C == 2, B == D {
    y = x
}
# KIND-NEXT: "kind": "bad_arg"
# CHECK: [[FILE]]:[[#@LINE+5]]:46: error: the divisor of a remainder must be at least 1; this is 0
# KIND-NEXT: "kind": "unsupported"
# CHECK: [[FILE]]:[[#@LINE+3]]:54: error: a remainder on both sides is not supported
# KIND-NEXT: "kind": "bad_arg"
# CHECK: [[FILE]]:[[#@LINE+1]]:75: error: the divisor of a remainder must be at least 1; this is -1
graph remainder(x: f32[B, 4]) -> y where B % 0 == 0, B % 2 == B % 3, B % (0 - 1) == 0 {
    y = x
}
# KIND-NEXT: "kind": "bad_arg"
# CHECK: [[FILE]]:[[#@LINE+1]]:48: error: entries after 'in' must be constants; this is C
graph choice(x: f32[B, C]) -> y where B in [1, C] {
    y = x
}
# KIND-NOT: kind
