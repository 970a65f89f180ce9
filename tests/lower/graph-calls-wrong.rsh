# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Invalid calls of graphs: the message gives both types, and the position of the other side.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

graph f(x: f16[B, 2*B]) -> y where B <= 4 {
    y = reshape(x, [-1])
}
graph two(x: f16[2]) -> (a, b) {
    a, b = split(x)
}
graph arity(x: f16[2, 4]) -> (a, b, c, d) {
    # KIND: "kind": "arity"
    # CHECK: [[FILE]]:[[#@LINE+2]]:9: error: 'f' takes 1 tensor, but 0 given
    # CHECK: note: 'f' is defined here
    a = f()
    # KIND-NEXT: "kind": "arity"
    # CHECK: [[FILE]]:[[#@LINE+1]]:14: error: too many arguments: 'f' takes 1
    b = f(x, x)
    # KIND-NEXT: "kind": "arity"
    # CHECK: [[FILE]]:[[#@LINE+1]]:18: error: argument 'x' is given twice
    c = x |> f(x=x)
    # KIND-NEXT: "kind": "arity"
    # CHECK: [[FILE]]:[[#@LINE+2]]:5: error: 1 name for 2 results
    # CHECK: note: this gives 2 results
    d = two(x[0, :2])
}
graph unknown_argument(x: f16[2, 4]) -> y {
    # KIND-NEXT: "kind": "unknown_argument"
    # CHECK: [[FILE]]:[[#@LINE+2]]:11: error: 'f' has no input 'z'
    # CHECK: note: 'f' is defined here
    y = f(z=x)
}
graph type_mismatch(x: f32[2, 4]) -> y {
    # KIND-NEXT: "kind": "type_mismatch"
    # CHECK: [[FILE]]:[[#@LINE+2]]:11: error: 'f' takes f16[B, 2*B] for 'x'; this is 'x' (f32[2, 4])
    # CHECK: note: 'x' is declared here
    y = f(x)
}
graph shape_mismatch(x: f16[2, 5], w: f16[2], v: f16[N, 2*N + 1]) -> (a, b, c) {
    # KIND-NEXT: "kind": "shape_mismatch"
    # CHECK: [[FILE]]:[[#@LINE+2]]:11: error: 'f' takes f16[B, 2*B] for 'x'; this is 'x' (f16[2, 5])
    # CHECK: note: 'x' is declared here
    a = f(x)
    # KIND-NEXT: "kind": "shape_mismatch"
    # CHECK: [[FILE]]:[[#@LINE+2]]:11: error: 'f' takes f16[B, 2*B] for 'x'; this is 'w' (f16[2])
    # CHECK: note: 'x' is declared here
    b = f(w)
    # KIND-NEXT: "kind": "shape_mismatch"
    # CHECK: [[FILE]]:[[#@LINE+2]]:11: error: 'f' takes f16[B, 2*B] for 'x'; this is 'v' (f16[N, 2*N+1])
    # CHECK: note: 'x' is declared here
    c = f(v)
}
graph guard_failed(x: f16[5, 10]) -> y {
    # KIND-NEXT: "kind": "guard_failed"
    # CHECK: [[FILE]]:[[#@LINE+2]]:9: error: a condition of 'f' does not hold here: 5 <= 4
    # CHECK: note: the condition is B <= 4
    y = f(x)
}
graph below(x: f16[2, 4]) -> y {
    # KIND-NEXT: "kind": "unknown_name"
    # CHECK: [[FILE]]:[[#@LINE+2]]:9: error: graph 'under' is defined below; a graph may call only graphs above it
    # CHECK: note: 'under' is defined here
    y = under(x)
}
graph under(x: f16[2, 4]) -> y {
    # KIND-NEXT: "kind": "recursion"
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: graph 'under' calls itself
    y = under(x)
}
graph bad_arg(x: f16[2, 4]) -> y {
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+1]]:11: error: a tensor is needed here; this is a list
    y = f([2, 4])
}
graph of_failed(x: f16[2, 4]) -> y {
    y = under(x) |> flip(0)
}
graph copies_nothing(x: f16[B, 4]) -> y {
    y = reshape(x, [0, 2, -1])
}
graph empty(x: f16[0, 4]) -> y {
    # KIND-NEXT: "kind": "ambiguous_infer"
    # CHECK: [[FILE]]:[[#@LINE+2]]:9: error: 'copies_nothing' cannot be called with these sizes: reshape: -1 cannot be inferred: the other sizes multiply to 0
    # CHECK: note: this fails
    y = copies_nothing(x)
}
graph declared(x: u8[N], s: i64[K]) -> y: u8[?, 5*N] { y = reshape(x, s) }
graph of_rank(x: u8[N], s: i64[3]) -> y {
    # KIND-NEXT: "kind": "shape_mismatch"
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: result 'y' of 'declared' does not fit its declaration: rank 3 == 2
    y = declared(x, s)
}
graph too_large(m: u8[M], x: u8[4611686018427387904*M], s: i64[K]) -> y {
    # KIND-NEXT: "kind": "overflow"
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: the declared size of axis 1 of result 'y' of 'declared' does not fit 64 bits here
    y = declared(x, s)
}
# KIND-NOT: kind
