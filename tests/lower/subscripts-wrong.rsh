# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Invalid subscripts.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

graph f(x: f32[4, 5]) -> (a, b, c, d, e, g, h) {
    # KIND: "kind": "bad_index"
    # CHECK: [[FILE]]:[[#@LINE+1]]:11: error: index {{.*}} is outside axis 0 of 'x' (f32[4, 5]), of size 4
    a = x[4]
    # KIND-NEXT: "kind": "bad_index"
    # CHECK: [[FILE]]:[[#@LINE+1]]:14: error: index {{.*}} is outside axis 1 of 'x' (f32[4, 5]), of size 5
    b = x[0, -6]
    # KIND-NEXT: "kind": "bad_rank"
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 3 subscripts but 'x' (f32[4, 5]) has rank 2
    c = x[0, 0, 0]
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+1]]:19: error: subscripts can have only one '...'
    d = x[..., 0, ...]
    # KIND-NEXT: "kind": "bad_step"
    # CHECK: [[FILE]]:[[#@LINE+2]]:11: error: the step of a slice cannot be 0
    # CHECK: note: 'x' is declared here: f32[4, 5]
    e = x[::0]
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+1]]:11: error: an integer is needed here; this is a string
    g = x["0"]
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+2]]:14: error: 'x' is a tensor, but a size is needed here; write gather(x, indices) for indices that are a tensor
    # CHECK: note: 'x' is defined here
    h = x[1, x]
}
graph bounds(x: f32[4, 5], s: i64[1]) -> a {
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+1]]:11: error: 's' is a tensor, but a size is needed here; write slice(x, starts, ends) for bounds that are tensors
    a = x[s:]
}
graph sizes(x: f32[B, 4]) -> b {
    # KIND-NEXT: "kind": "bad_index"
    # CHECK: [[FILE]]:[[#@LINE+1]]:11: error: index {{.*}} is outside axis 0 of 'x' (f32[B, 4]), of size B
    b = x[B]
}
# KIND-NOT: kind
