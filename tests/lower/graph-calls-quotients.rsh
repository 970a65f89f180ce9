# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A graph called with other sizes has quotients of these, in its types, its conditions and its arguments.
# RUN: split-file %s %t
# RUN: %{reshapec} explain %t/good.rsh | grep -A1 '^graph' | FileCheck %t/good.rsh
# RUN: %{reshapec} verify %t/good.rsh | FileCheck --check-prefix=PROOF %t/good.rsh
# RUN: not %{reshapec} check %t/bad.rsh 2>&1 | FileCheck -DFILE=%t/bad.rsh %t/bad.rsh --implicit-check-not=error:

#--- good.rsh
# PROOF: 11 of 11 graphs verified
graph few(p: i32[M]) -> r where M//3 == 0 {
    r = identity(p)
}

# CHECK:      graph condition(x: i32[A]) -> u: i32[A]
# CHECK-NEXT:   needs  A//3 == 0
graph condition(x: i32[A]) -> u {
    u = few(x) |> flip([0])
}

graph third(p: i32[M], q: i32[M//3]) -> r {
    r = concat(p, q, axis=0)
}

# CHECK: graph type(x: i32[4], z: i32[1]) -> u: i32[5]
graph type(x: i32[4], z: i32[1]) -> u {
    u = third(x, z)
}

graph half(p: i32[M]) -> r {
    r = p[:M//2]
}

# CHECK: graph numbers(x: i32[5]) -> u: i32[2]
graph numbers(x: i32[5]) -> u {
    u = half(x)
}

# CHECK: graph twice(x: i32[A]) -> u: i32[A//4]
graph twice(x: i32[A]) -> u {
    u = half(half(x))
}

graph rest(p: i32[M]) -> r {
    r = pad(p, [M % 3, 0])
}

# CHECK: graph sum(s: u8[A], x: i32[2*A]) -> u: i32[4*A-3*(2*A//3)]
graph sum(s: u8[A], x: i32[2*A]) -> u {
    u = rest(x)
}

# The memory layout of the callee has no effect, nor does it renumber the unnamed sizes.
graph strided(p: f32[M] strides [M//2 + 1], q: f32[?, ?]) -> s: f32[?, M] {
    _r = identity(p)
    s = identity(q)
}

# CHECK:      graph unnamed(x: f32[A], y: f32[B, A]) -> v: f32[B, A]
# CHECK-NEXT:   needs  C == A or shape_mismatch
graph unnamed(x: f32[A], y: f32[B, C]) -> v {
    v = strided(x, y)
}

#--- bad.rsh
graph few(p: i32[M]) -> r where M//3 == 0 {
    r = identity(p)
}
# CHECK: [[FILE]]:[[#@LINE+1]]:39: error: a condition of 'few' does not hold here: 1 == 0
graph condition(x: i32[4]) -> u { u = few(x) }
graph two(p: i32[M]) -> r: i32[M] {
    r = p[:2]
}
# CHECK: [[FILE]]:[[#@LINE+1]]:38: error: result 'r' of 'two' does not fit its declaration: 2 == 8
graph declared(x: i32[8]) -> u { u = two(x) }
graph third(p: i32[M], q: i32[M//3]) -> r {
    r = concat(p, q, axis=0)
}
# CHECK: [[FILE]]:[[#@LINE+1]]:{{[0-9]+}}: error: 'third' takes i32[M//3] for 'q'; this is 'z' (i32[2])
graph type(x: i32[4], z: i32[2]) -> u { u = third(x, z) }
