# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Arguments that only paddle.reshape has.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | FileCheck --check-prefix=KIND %s

graph actual_shape(x: f32[2, 3]) -> (a, b) {
    # KIND: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+1]]:45: error: 'actual_shape' must be a tensor; this is an integer
    a = paddle.reshape(x, [6], actual_shape=6)
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+1]]:45: error: 'actual_shape' must be a tensor; this is a list
    b = paddle.reshape(x, [6], actual_shape=[6])
}
graph act(x: f32[2, 3], i: i32[2, 3]) -> (a, b, c, d) {
    # KIND-NEXT: "kind": "bad_type"
    # CHECK: [[FILE]]:[[#@LINE+2]]:9: error: 'softmax' does not take element type i32
    # CHECK: note: the operand is computed here: i32[6]
    a = paddle.reshape(i, [6], act="softmax")
    # KIND-NEXT: "kind": "unknown_name"
    # CHECK: [[FILE]]:[[#@LINE+1]]:36: error: no activation is called 'rel'; did you mean 'relu'?
    b = paddle.reshape(x, [6], act="rel")
    # KIND-NEXT: "kind": "bad_arg"
    # CHECK: [[FILE]]:[[#@LINE+1]]:36: error: 'act' takes the name of an activation in quotes, or None; this is an integer
    c = paddle.reshape(x, [6], act=1)
    # KIND-NEXT: "kind": "volume_mismatch"
    # CHECK: [[FILE]]:[[#@LINE+2]]:27: error: 'x' (f32[2, 3]) has 6 elements, target [7] has 7
    # CHECK: note: 'x' is declared here: f32[2, 3]
    d = paddle.reshape(x, [7], act="relu")
}
graph reuse(x: f32[2, 3]) -> (y, z) {
    y = paddle.reshape(x, [6], inplace=True)
    # KIND-NEXT: "kind": "inplace_reuse"
    # CHECK: [[FILE]]:[[#@LINE+2]]:14: error: 'x' is read after 'inplace' overwrote it
    # CHECK: note: 'inplace' overwrites it here
    z = flip(x, 0)
}
graph gives_away(x: f32[2, 3]) -> y {
    y = paddle.reshape(x, [6], inplace=True)
}
graph reuse_after_call(x: f32[2, 3]) -> (y, z) {
    y = gives_away(x)
    # KIND-NEXT: "kind": "inplace_reuse"
    # CHECK: [[FILE]]:[[#@LINE+2]]:14: error: 'x' is read after 'inplace' overwrote it
    # CHECK: note: 'inplace' overwrites it here
    z = flip(x, 0)
}
graph reuse_in_one_statement(x: f32[2, 3]) -> y {
    # KIND-NEXT: "kind": "inplace_reuse"
    # CHECK: [[FILE]]:[[#@LINE+2]]:59: error: 'x' is read after 'inplace' overwrote it
    # CHECK: note: 'inplace' overwrites it here
    y = concat(x |> paddle.reshape([3, 2], inplace=True), x, axis=0)
}
# KIND-NEXT: "kind": "inplace_reuse"
# CHECK: [[FILE]]:[[#@LINE+2]]:41: error: result 'y' is read after 'inplace' overwrote it
# CHECK: note: 'inplace' overwrites it here
graph reuse_as_result(x: f32[2, 3]) -> (y, z) {
    y = flip(x, 0)
    z = paddle.reshape(y, [6], inplace=True)
}
# KIND-NOT: kind
