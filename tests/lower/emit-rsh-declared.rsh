# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The text declares what called graphs declare of values, so that it returns shape_mismatch as they do.
# RUN: %{reshapec} %s --emit=rsh -o %t.rsh
# RUN: FileCheck %s < %t.rsh
# RUN: %{reshapec} %t.rsh --emit=rsh -o - | diff %t.rsh -

# CHECK-LABEL: graph fixed(x: i32[N], s: i64[2]) -> y: i32[2, 3] {
graph fixed(x: i32[N], s: i64[2]) -> y: i32[2, 3] { y = reshape(x, s) }

# CHECK-LABEL: graph data(x: i32[M], s: i64[2]) -> y {
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

# CHECK-LABEL: graph twice(x: i32[M], s: i64[2]) -> y {
# CHECK-NEXT: t: i32[2, 3] = reshape(x, shape=s)
# CHECK-NEXT: _: i32[?, M] = t
graph twice(x: i32[M], s: i64[2]) -> y {
    t = fixed(x, s)
    _: i32[?, M] = t
    y = flip(t, [0])
}
