# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Literals that are one element: rounded once, to nearest, ties to even; equal constants are stored once. Nested lists
# keep their shape.
# RUN: %{reshapec} --dump=graph %s | FileCheck --check-prefix=GRAPH %s
# RUN: %{reshapec} --dump=plan %s | FileCheck %s

# GRAPH-LABEL: graph values
# GRAPH: %1 a: f32[3] = pad(%0, pads=[1, 0], value=-1.5e-3)
# GRAPH: %2 b: f32[3] = pad(%0, pads=[1, 0], value=-inf)
# GRAPH: %3 c: f32[3] = pad(%0, pads=[1, 0], value=6)
graph values(x: f32[2]) -> (a, b, c) {
    a = pad(x, [1, 0], value=-1.5e-3)
    b = pad(x, [1, 0], value=-inf)
    c = pad(x, [1, 0], constant_value=2*3)
}
# CHECK-LABEL: graph rounded
#       CHECK: cd cc cc 3d to 0
#       CHECK: cd cc cc cc cc cc bc 3f to 0
#       CHECK: 00 3c to 0
#       CHECK: 02 3c to 0
#       CHECK: cd 3d to 0
#       CHECK: 00 00 80 3f 00 00 00 00 to 0
graph rounded(f: f32[1], d: f64[1], h: f16[1], b: bf16[1], z: c64[1]) -> (p, q, r, s, t, u) {
    p = pad(f, [1, 0], value=0.1)
    q = pad(d, [1, 0], value=0.1125)
    r = pad(h, [1, 0], value=1.00048828125)
    s = pad(h, [1, 0], value=1.00146484375)
    t = pad(b, [1, 0], value=0.1)
    u = pad(z, [1, 0], value=1)
}
# CHECK-LABEL: graph integers
#       CHECK: ff to 0
#       CHECK: 80 to 0
#       CHECK: ff ff ff ff ff ff ff 7f to 0
#       CHECK: 01 to 0
#       CHECK: 02 to 0
graph integers(u: u8[1], i: i8[1], l: i64[1], b: bool[1]) -> (p, q, r, s, t) {
    p = pad(u, [1, 0], value=255)
    q = pad(i, [1, 0], value=-128)
    r = pad(l, [1, 0], value=9223372036854775807)
    s = pad(b, [1, 0], value=true)
    t = pad(u, [1, 0], value=2.0)
}
# GRAPH-LABEL: graph nested
# GRAPH: gather(%0, indices=[{{\[}}[0, 1], [2, 3]], {{\[}}[3, 2], [1, 0]]], axis=0)
# GRAPH: gather(%0, indices={{\[\[}}]])
graph nested(x: f32[4, 2]) -> (y, z) {
    y = gather(x, [[[0, 1], [2, 3]], [[3, 2], [1, 0]]], 0)
    z = gather(x, [[]])
}
# A called graph brings its constants along.
# CHECK-LABEL: graph outer
#       CHECK: 07 to 0
#       CHECK: 05 to 3
graph inner(x: u8[N]) -> y {
    y = pad(x, [1, 0], value=7)
}
graph outer(x: u8[2]) -> y {
    y = x |> pad([0, 1], value=5) |> inner()
}
