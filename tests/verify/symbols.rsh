# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sizes as arguments: their checks, kernels of their own, offsets that depend on them, and what the header says.
# RUN: %{reshapec} verify %s | FileCheck %s
# CHECK-NOT: failed
# CHECK: 26 of 26 graphs verified

graph joined(a: f32[B, S], b: f32[B, T], c: f32[5]) -> (p, q, r) {
    p = concat(a, b, axis=1)
    q = concat(flatten(a, 0) |> reshape([-1]), c, axis=0)
    r = transpose(b)
}

graph bordered(x: f32[N], y: u16[A, 3]) -> (p, q) {
    p = pad(x, [0, 2], value=7)
    q = y |> transpose() |> pad([1, 0, 0, 2], value=5)
}

graph widened(x: i16[N]) -> y { y = cast(x, f32) }

graph rest(x: f32[B, S]) -> y { y = x[1:] }

graph last(x: u8[N]) -> view y { y = x[-4:] }

graph inner(x: u16[B, S, 5]) -> y { y = x[:, 2:-1, 1:4] |> transpose([2, 0, 1]) }

graph framed(x: f32[B, S]) -> y { y = concat(x[1:], x, axis=0) |> pad([1, 1], axes=[0]) }

graph fours(x: f32[N]) -> (view y, z) {
    y = reshape(x, [-1, 4])
    z = transpose(y)
}

graph padded(x: f32[B, C], u: u16[B, 4] strides [-7, 1]) -> (y: f32[B, C] strides [64, 1], v) where C <= 64 {
    y = x
    v = transpose(u)
}

graph spread(x: u16[B, 2] strides [1000, 1]) -> y: u16[2, B] { y = transpose(x) }

graph rolled(x: f32[S, 4], z: u32[T]) -> (p, q) where S >= 3, T > 2 {
    p = roll(x, [2], axes=[0])
    q = roll(z, [-1], axes=[0])
}

graph asked(x: f32[A, B], y: f32[C, D], z: f32[E]) -> (p, q) where A != 3, B < 20, C > 2, D >= 2, E in [2, 3, 9] {
    p = transpose(x)
    q = transpose(y)
}

graph divided(x: f32[A, B], y: i32[C]) -> (p, q) where A % B == 0, C == A*B {
    p = transpose(x)
    q = y[::-1]
}

graph shares(x: u16[H, W, 3], b: f32[N, 6], s: f32[B, S]) -> (p, q, r) where W % 16 == 0, N == B*S, S >= 2 {
    p = reshape(x, [H, W/16, 48]) |> transpose([1, 0, 2])
    q = reshape(b, [B, S, 2, -1]) |> transpose([0, 2, 1, 3])
    r = s[:, :2]
}

graph batches(x: f16[N, C, 5], y: u16[N]) -> (p, q) where N in [1, 2, 4], C in [3, 16] {
    p = transpose(x, [0, 2, 1])
    q = flip(y, [0])
}

graph halves(x: i4[B, N], y: u2[M]) -> (p, q, view r) {
    p = transpose(x)
    q = flip(y, [0])
    r = y
}

graph parts(x: c64[N, 6]) -> (view p, q, r) {
    p = x[2:]
    q, r = split(x, axis=1, sizes=[4, 2])
}

graph whole(x: f32[N]) -> y { y = x[3] }

graph products(x: u32[A, B, C]) -> (p, q) {
    p = reshape(x, [A*B, C]) |> transpose()
    q = transpose(x, [2, 1, 0])
}

graph short(x: u8[N, 3], y: u8[2, N], z: u16[N, 4]) -> (p, q, r) where N >= 1 {
    p = transpose(x)
    q = transpose(y)
    r = z |> transpose() |> transpose() |> flip([1])
}

graph cut(x: f32[B, S]) -> (p, q) where S >= 4 {
    p = x[:, :-3] |> transpose()
    q = x[:, 1:4] |> transpose()
}

graph ends(x: u16[B, S, 4], z: f32[N, 6]) -> (p, q, r) where S >= 3 {
    p = x |> transpose([0, 2, 1]) |> reshape([B, 4*S]) |> slice([S], [3*S], [1])
    q = x |> reshape([B, 4*S]) |> slice([4], [4*S - 4], [1])
    r = z |> reshape([-1]) |> slice([6], [9223372036854775807])
}

graph stored(x: f32[N, 32] layout "n (c 16) -> c n 16") -> y: f32[N, 32] layout "n (c 8) -> c n 8" { y = x }

graph scalars(x: f32, y: u8[N]) -> (p, q) {
    p = expand(x, [N])
    q = tile(y, [3])
}

# A condition with sizes on both sides, one of them a whole number of parts.
graph bounded(x: u8[H, W]) -> y where W % 4 == 0, H <= W { y = transpose(x) }

# The last column of the concatenation has no axis of its own.
graph column(x: f32[4, N], z: f32[4, 1]) -> y where N >= 2 { y = concat(x, z, axis=1)[:, 1:] }
