# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The number of names must be the number of results, and an operand is one tensor.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

graph f(x: f32[4, 6]) -> (a, b, c, d) {
    # KIND: "kind": "arity"
    # CHECK: [[FILE]]:[[#@LINE+2]]:5: error: 1 name for 3 results
    # CHECK: note: this gives 3 results
    a = split(x, axis=-1, parts=3)
    # KIND-NEXT: "kind": "arity"
    # CHECK: [[FILE]]:[[#@LINE+2]]:5: error: 2 names for 1 result
    # CHECK: note: this gives 1 result
    b, c = flip(x, 0)
    # KIND-NEXT: "kind": "arity"
    # CHECK: [[FILE]]:[[#@LINE+1]]:14: error: one tensor is needed here; this gives 2
    d = flip(split(x, parts=2), 0)
}
graph limit(x: f32[70000]) -> y {
    # KIND-NEXT: "kind": "limit"
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 70000 results of one call; at most 65536
    y = split(x, parts=70000)
}
# KIND-NOT: kind
