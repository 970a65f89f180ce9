# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Arguments checked against the operator table.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

graph unknown_argument(x: f32[2, 3]) -> (a, b, c) {
    # KIND: "kind": "unknown_argument"
    # CHECK: [[FILE]]:[[#@LINE+1]]:20: error: 'flatten' has no argument 'axes'; did you mean 'axis'?
    a = flatten(x, axes=1)
    # KIND-NEXT: "kind": "unknown_argument"
    # CHECK: [[FILE]]:[[#@LINE+1]]:21: error: 'identity' has no argument 'foo'; it only takes tensors
    b = identity(x, foo=1)
    # KIND-NEXT: "kind": "unknown_argument"
    # CHECK: [[FILE]]:[[#@LINE+1]]:22: error: 'transpose' has no argument 'order'; it takes perm
    c = transpose(x, order=[1, 0])
}
graph arity(x: f32[2, 3]) -> (a, b, c, d, e, f, g) {
    # KIND-NEXT: "kind": "arity"
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 'flatten' needs 1 tensor, but 0 are given
    a = flatten()
    # KIND-NEXT: "kind": "arity"
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 'concat' needs the argument 'axis'
    b = concat(x, x)
    # KIND-NEXT: "kind": "arity"
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: too many arguments for 'flatten'; it takes axis
    c = flatten(x, 0, 1)
    # KIND-NEXT: "kind": "arity"
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 'unsqueeze' needs the argument 'axes'
    d = unsqueeze(x)
    # KIND-NEXT: "kind": "arity"
    # CHECK: [[FILE]]:[[#@LINE+2]]:30: error: argument 'perm' is given twice
    # CHECK: note: the first is here
    e = transpose(x, [1, 0], perm=[1, 0])
    # KIND-NEXT: "kind": "arity"
    # CHECK: [[FILE]]:[[#@LINE+2]]:35: error: argument 'perm' is given twice
    # CHECK: note: the first is here
    f = transpose(x, perm=[1, 0], axes=[1, 0])
    # KIND-NEXT: "kind": "arity"
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 'concat' needs 1 tensor, but 0 are given
    g = concat(axis=1)
}
graph bad_arg(x: f32[2, 3], s: i64[2]) -> (a, b, c, d, e, f, g, h, i, j, k, l) {
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: 'axis' takes an integer; this is a list
    a = flatten(x, axis=[1])
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+1]]:25: error: 'axis' takes an integer; this is a string
    b = flatten(x, axis="1")
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: 'perm' takes a list of integers or a 1-D integer tensor; this is a string
    c = transpose(x, perm="01")
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+1]]:28: error: an entry of 'perm' is an integer; this is a list
    d = transpose(x, perm=[[1, 0]])
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+1]]:35: error: 'mode' takes a string; write "DCR"
    e = depth_to_space(x, 2, mode=DCR)
    # KIND-NEXT: "kind": "bad_type"
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: 'perm' of 'transpose' is a list of integers; this tensor is f32
    f = transpose(x, perm=x)
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+1]]:28: error: an entry of the list 'perm' is one integer; 's' (i64[2]) is not
    g = transpose(x, perm=[s, 0])
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+1]]:17: error: a tensor is needed here; this is a list
    h = flatten([2, 3])
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+1]]:23: error: a tensor is needed here; this is an integer
    i = concat(x, [x, 3], axis=0)
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+1]]:17: error: a tensor is needed here; this is an integer
    j = flatten(2)
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+1]]:47: error: 'special_zero' takes true or false; this is an integer
    k = openvino.reshape(x, [6], special_zero=2)
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+1]]:39: error: 'allowzero' takes an integer; write 1
    m = reshape(x, [2, -1], allowzero=true)
    # KIND-NEXT: "kind": "unsupported"
    # CHECK: [[FILE]]:[[#@LINE+1]]:11: error: '+' takes a tensor and a constant; arithmetic between two tensors is not supported
    l = x + x
}
graph unknown_in_list(x: f32[2, 3]) -> y {
    # KIND-NEXT: "kind": "unknown_name"
    # CHECK: [[FILE]]:[[#@LINE+1]]:24: error: no size is called 'n'
    y = reshape(x, [2, n])
}
graph overflow(x: f32[2, 3]) -> y {
    # KIND-NEXT: "kind": "overflow"
    # CHECK: [[FILE]]:[[#@LINE+1]]:21: error: this does not fit 64 bits
    y = reshape(x, [9223372036854775807 + 1])
}
graph size_as_operand(x: f32[B, 3]) -> y {
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+1]]:14: error: 'B' is a size, but a tensor is needed here
    y = flip(B, 0)
}
# KIND-NOT: kind
