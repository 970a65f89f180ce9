# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The text declares what called graphs declare of values, so that it returns shape_mismatch as they do.
# RUN: %{reshapec} %s --emit=rsh -o %t.rsh
# RUN: FileCheck %s < %t.rsh
# RUN: %{reshapec} %t.rsh --emit=rsh -o - | diff %t.rsh -

# CHECK-LABEL: graph fixed(x: i32[N], s: i64[2]) -> y: i32[2, 3] {
graph fixed(x: i32[N], s: i64[2]) -> y: i32[2, 3] { y = reshape(x, s) }

# CHECK-LABEL: graph data(x: i32[M], s: i64[2]) -> y: i32[2, 3] {
# CHECK-NEXT: y: i32[2, 3] = reshape(x, shape=s)
graph data(x: i32[M], s: i64[2]) -> y { y = fixed(x, s) }

graph inside(x: i32[N, 4]) -> y {
    t: i32[?, 2] = reshape(x, [N + 3, -1])
    y = flip(t, [0])
}
# CHECK-LABEL: graph same(x: i32[A], y: i32[B]) -> z {
# CHECK-NEXT: _: i32[A] = y
graph pair(x: i32[N], y: i32[N]) -> z { z = concat(x, y, axis=0) }
graph same(x: i32[A], y: i32[B]) -> z { z = pair(x, y) }

# CHECK-LABEL: graph twice(x: i32[M], s: i64[2]) -> y: i32[2, 3] {
# CHECK-NEXT: t: i32[2, 3] = reshape(x, shape=s)
# CHECK-NEXT: _: i32[?, M] = t
graph twice(x: i32[M], s: i64[2]) -> y {
    t = fixed(x, s)
    _: i32[?, M] = t
    y = flip(t, [0])
}

# What follows has the declared sizes. A value that is read elsewhere is declared in a statement of its own.
# CHECK-LABEL: graph known(x: i32[N], s: i64[K], r: i64[2]) -> y {
# CHECK-NEXT: t: i32[?, 3] = reshape(x, shape=s)
# CHECK-NEXT: v = reshape(x, shape=r)
# CHECK-NEXT: u: i32[?, 6] = v
# CHECK-NEXT: {{v[0-9]+}} = gather(t, indices=[0], axis=0)
graph known(x: i32[N], s: i64[K], r: i64[2]) -> y {
    t: i32[?, 3] = reshape(x, s)
    v = reshape(x, r)
    u: i32[?, 6] = v
    y = concat(t[0], u[0], reshape(v, [-1]), axis=0)
}
