# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# inplace=True gives away the variable under all its names: nothing else may read any of them, later or before.
# RUN: not %{reshapec} check %s 2>&1 | FileCheck -DFILE=%s %s --implicit-check-not=error:
# RUN: not %{reshapec} check --json %s | grep '"kind"' | grep -v '"note"' | sort | uniq -c | FileCheck --check-prefix=KIND %s
# KIND: 14 "kind": "inplace_reuse"
# KIND-NOT: kind

graph names(x: f32[2, 3]) -> (y, z) {
    a = x
    b = a
    y = paddle.reshape(a, [6], inplace=True)
    # CHECK: [[FILE]]:[[#@LINE+2]]:19: error: 'x' is read after 'inplace' overwrote it
    # CHECK: [[FILE]]:[[#@LINE-2]]:9: note: 'inplace' overwrites it here
    z = transpose(x)
    # CHECK: [[FILE]]:[[#@LINE+1]]:20: error: 'b' is read after 'inplace' overwrote it
    _w = transpose(b)
}
# CHECK: [[FILE]]:[[#@LINE+1]]:32: error: result 'y' is read after 'inplace' overwrote it
graph result(x: f32[2, 3]) -> (y, z) {
    y = x
    z = paddle.reshape(x, [6], inplace=True)
}
graph again(x: f32[2, 3]) -> (y, z) {
    a = paddle.reshape(x, [6], inplace=True)
    y = paddle.reshape(a, [3, 2], inplace=True)
    # CHECK: [[FILE]]:[[#@LINE+1]]:14: error: 'a' is read after 'inplace' overwrote it
    z = flip(a, 0)
}
# Both arguments are evaluated before the tensors are joined.
graph one_call(x: f32[6, 1]) -> y {
    # CHECK: [[FILE]]:[[#@LINE+1]]:16: error: 'x' (f32[6, 1]) is read after 'inplace' overwrote it
    y = concat(x, paddle.reshape(x, [6, 1], inplace=True), axis=0)
}
graph two(p: f32[2, 3], q: f32[2, 3]) -> (y, z) {
    y = paddle.reshape(p, [6], inplace=True)
    z = flip(q, 0)
}
graph twice(x: f32[2, 3]) -> (y, z) {
    # CHECK: [[FILE]]:[[#@LINE+1]]:12: error: 'two' reads 'x' (f32[2, 3]) after 'inplace' overwrote it
    y, z = two(x, x)
}
graph hidden(x: f32[2, 3]) -> y {
    a = x
    y = paddle.reshape(a, [6], inplace=True)
}
graph caller(x: f32[2, 3]) -> (y, z) {
    y = hidden(x)
    # CHECK: [[FILE]]:[[#@LINE+1]]:14: error: 'x' is read after 'inplace' overwrote it
    z = flip(x, 0)
}
graph piped(x: f32[2, 3]) -> (y, z) {
    y = x |> paddle.reshape([6], act="relu", inplace=True) |> flip(0)
    # CHECK: [[FILE]]:[[#@LINE+1]]:10: error: 'x' is read after 'inplace' overwrote it
    z = (x) |> flip(0)
}

# An earlier reader would see the new shape, too: Paddle's program has one variable.
graph before(x: f32[2, 3]) -> (y, z) {
    a = x
    z = transpose(a)
    # CHECK: [[FILE]]:[[#@LINE+2]]:9: error: 'x' (f32[2, 3]) cannot be overwritten, because another operator reads it
    # CHECK: [[FILE]]:[[#@LINE-2]]:9: note: it is read here
    y = paddle.reshape(x, [6], inplace=True)
}

# A target is a read, too: all of it, or an entry of it, before and after.
graph target_before(x: i32[2], w: f32[6]) -> (y, z) {
    z = paddle.reshape(w, x)
    # CHECK: [[FILE]]:[[#@LINE+2]]:9: error: 'x' (i32[2]) cannot be overwritten, because another operator reads it
    # CHECK: [[FILE]]:[[#@LINE-2]]:9: note: it is read here
    y = paddle.reshape(x, [2, 1], inplace=True)
}
graph target_after(x: i32[2], w: f32[6]) -> (y, z) {
    y = paddle.reshape(x, [2, 1], inplace=True)
    # CHECK: [[FILE]]:[[#@LINE+1]]:27: error: 'x' is read after 'inplace' overwrote it
    z = paddle.reshape(w, x)
}
graph entry_before(x: i32[1], w: f32[6]) -> (y, z) {
    n = x
    z = paddle.reshape(w, [n, 2])
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 'x' (i32[1]) cannot be overwritten, because another operator reads it
    y = paddle.reshape(x, [1, 1], inplace=True)
}
graph actual_before(x: i32[1], w: f32[6]) -> (y, z) {
    z = paddle.reshape(w, [6], actual_shape=x)
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 'x' (i32[1]) cannot be overwritten, because another operator reads it
    y = paddle.reshape(x, [1, 1], inplace=True)
}
graph part_before(x: i32[3], w: f32[6]) -> (y, z) {
    z = paddle.reshape(w, x[1:])
    # CHECK: [[FILE]]:[[#@LINE+1]]:9: error: 'x' (i32[3]) cannot be overwritten, because another operator reads it
    y = paddle.reshape(x, [3, 1], inplace=True)
}

# An operator makes a tensor of its own; another name is not a reader; inplace=False does no harm.
graph good(x: f32[2, 3], w: f32[6]) -> (y, z, t, u) {
    a = identity(x)
    y = paddle.reshape(a, [6], inplace=True)
    z = identity(x)
    b = flip(w, 0)
    c = b
    t = paddle.reshape(c, [3, 2], inplace=True)
    u = paddle.reshape(w, [2, 3], inplace=False) |> concat(reshape(w, [2, 3]), axis=0)
}
