# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Every kind of kernel: tiles, interleaved planes, runs, tables, scattered elements, packed elements, sizes at run time.
# RUN: %{reshapec} verify %s | FileCheck %s
# CHECK-NOT: failed
# CHECK: 19 of 19 graphs verified

graph tiles(a: f32[70, 45], b: u8[67, 83], c: f64[33, 20], d: f16[3, 40, 2, 37]) -> (p, q, r, s) {
    p = transpose(a)
    q = transpose(b)
    r = transpose(c)
    s = transpose(d, [3, 0, 2, 1])
}

# Rows are read backward, pixels are padded, and planes are joined or taken apart.
graph pixels(a: f32[37, 70], b: u8[41, 67, 3], c: u8[40, 35, 3], d: f16[5, 36, 40]) -> (p, q, r, s) {
    p = transpose(a) |> flip([0])
    q = transpose(b, [1, 0, 2])
    r = transpose(c)
    s = transpose(d)
}

graph turned_cast(a: u8[3, 40, 37], b: f32[40, 30, 3]) -> (p, q) {
    p = transpose(a) |> cast(f32)
    q = transpose(b) |> flip([1]) |> cast(u8)
}

# The width of elements changes as well.
graph tiles_cast(a: f32[70, 45], b: u8[67, 83], c: f16[60, 40], d: f64[33, 20], e: f32[3, 150], f: u8[150, 2]) -> (
    p, q, r, s, t, u
) {
    p = transpose(a) |> cast(f16)
    q = transpose(b) |> cast(f32)
    r = transpose(c) |> cast(bf16)
    s = transpose(d) |> cast(i8)
    t = transpose(e) |> cast(u8)
    u = transpose(f) |> cast(f32)
}

graph pixels_cast(a: f32[2, 150], b: f64[150, 4], c: f16[90], d: f16[90]) -> (p, q, r, s) {
    p = transpose(a) |> cast(u8)
    q = transpose(b) |> cast(f32)
    r = c |> relu()
    s = d |> min(-3)
}

# A few rows of a result at a time, 1024 to 4096 bytes apart; and short rows of the source.
graph strips(a: f32[512, 21], b: u8[1024, 37], c: f16[1024, 19], d: f32[40, 10], e: f64[512, 9]) -> (p, q, r, s, t) {
    p = transpose(a)
    q = transpose(b)
    r = transpose(c)
    s = transpose(d)
    t = transpose(e)
}

graph woven(a: u8[150, 3], b: u8[3, 150], c: f16[2, 70], d: u8[130, 4], e: f32[70, 2]) -> (p, q, r, s, t) {
    p = transpose(a)
    q = transpose(b)
    r = transpose(c)
    s = transpose(d)
    t = transpose(e)
}

# One element less than a vector holds.
graph unwoven(a: u8[15, 4], b: u8[2, 15], c: u8[4, 31]) -> (p, q, r) {
    p = transpose(a)
    q = transpose(b)
    r = transpose(c)
}

graph runs(a: u8[9, 130], b: f32[40, 6, 9]) -> (p, q, r) {
    p = concat(a[:, 67:], a[:, :67], axis=1)
    q = transpose(b, [1, 0, 2])
    r = b[::3, 1:-1, 2:]
}

graph shift(x: f32[6, 8, 2]) -> y {
    y = x |> pad([1, 0], axes=[1]) |> reshape([9, 6, 2]) |> slice([1], [9], [0]) |> reshape([6, 8, 2])
}

graph twins(qkv: f32[10, 96]) -> (q, k, v) {
    q, k, v = split(qkv, axis=-1, parts=3)
}

graph table(x: f32[8, 8]) -> y {
    y = gather(flatten(x, 0) |> reshape([64]), [5, 63, 0, 17, 44, 2, 9, 61, 33, 21, 8, 50, 13, 7, 3, 40, 39, 38, 1, 62])
}

graph packed(x: i4[6, 10], y: u2[40], z: i4[7, 3]) -> (p, q, r, s) {
    p = x[1:, 3:]
    q = y[5:37]
    r = transpose(z)
    s = concat(z, z[:2], axis=0)
}

graph reversed(x: u8[5, 40], y: f32[33]) -> (p, q) {
    p = flip(x, [1])
    q = y[::-2]
}

graph computed(x: u8[40, 3], y: f32[9, 20], q: i4[9], z: f64[11]) -> (p, r, s, t, u) {
    p = x |> transpose() |> cast(f32)
    r = y |> transpose() |> relu() |> cast(i8)
    s = q |> flip([0]) |> cast(i16)
    t = pad(y, [1, 1, 1, 1], value=2) |> cast(bf16)
    u = z |> flip([0]) |> leaky_relu()
}

graph sized(x: f32[M, N], y: u8[N, 3]) -> (p, q, r) where M <= 70 {
    p = transpose(x)
    q = transpose(y)
    r = concat(x, x, axis=1)
}

graph guarded(x: u8[H, W], y: f16[B, H, 4]) -> (p, q) where W % 4 == 0, B in [1, 2] {
    p = x |> reshape([0, -1, 4]) |> transpose([0, 2, 1])
    q = transpose(y, [1, 0, 2])
}

graph edges(x: u8[7, 5]) -> (p, q) {
    p = x |> pad([2, 3, 4, 1], mode="reflect") |> transpose()
    q = tile(x, [2, 3]) |> roll([3, -2], axes=[0, 1])
}

graph casts(a: f8e8m0[4, 9], b: f8e4m3fn[40], c: f16[90], d: f4e2m1[22], e: f8e5m2fnuz[33], f: i2[9], g: f32[90]) -> (
    p, q, r, s, t, u, v, w, y, z, o
) {
    p = a |> transpose() |> cast(f32)
    q = b |> flip([0]) |> cast(f16)
    r = c |> cast(f8e5m2)
    s = d |> cast(bf16)
    t = e |> cast(f64)
    u = f |> cast(u8)
    v = c |> cast(bool)
    w = g |> cast(f16)
    y = g |> cast(f8e4m3fn)
    z = g |> cast(bf16)
    o = g |> cast(f8e4m3fn, saturate=false)
}
