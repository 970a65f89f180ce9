# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Bits as elements, and lookup tables, against their definitions.
# RUN: %{reshapec} verify %s | FileCheck %s
# RUN: %{reshapec} verify -O0 %s | FileCheck %s
# RUN: %{reshapec} verify -O3 -mcpu=native %s | FileCheck %s
# RUN: %{reshapec} verify --emit=c %s | FileCheck %s
# CHECK-NOT: failed
# CHECK: 11 of 11 graphs verified

# Runs of bits, some of them constant.
graph runs(x: u16[40], z: u8[40, 3]) -> (p, q, r) {
    bits = bitcast(x, u1)
    p = stack(
        pad(bits[:, 11:], [0, 3, 0, 0]),
        pad(bits[:, 5:11], [0, 2, 0, 0], value=1),
        pad(bits[:, :5], [0, 3, 0, 0]),
        axis=1
    )
        |> bitcast(u8)
    q = bitcast(z, u1)[:, ::-1, 3:] |> reshape([40, 15]) |> pad([0, 0, 0, 1]) |> bitcast(u16)
    r = bitcast(flip(bitcast(z, u4), 2), u8)
}

# Transposed bits, and longer runs that do not start at a byte boundary.
graph places(x: u1[24, 40], z: u8[9, 8]) -> (p, q, r, s) {
    p = x |> reshape([3, 8, 40]) |> transpose([0, 2, 1]) |> bitcast(u8)
    q = bitcast(z, u1) |> transpose([2, 0, 1])
    r = x[:, 3:35] |> bitcast(u32)
    s = flip(bitcast(z, u1), [0, 2]) |> bitcast(u8)
}

# Larger elements from smaller ones and back, reordered; an alias, and one that starts in the middle.
graph words(x: u32[7], z: u8[10, 8]) -> (p, q, r, s, t) {
    p = bitcast(flip(bitcast(x, u8), 1), u32)
    q = bitcast(flip(z, 0), f64)
    r = bitcast(x, u16) |> transpose()
    s = z[2:] |> reshape([16, 4]) |> bitcast(u32)
    t = bitcast(z, u64)[3:]
}

# As many shuffles as vectors take, and more: backwards, of a part of what is loaded, inside loops.
graph lanes(x: u8[70], z: u8[40, 5], v: u16[3, 5, 33]) -> (p, q, r) {
    p = bitcast(flip(flip(bitcast(x, u4), 0), 1), u8)
    n = bitcast(z, u4)
    q = stack(n[:, 3, 0], n[:, 1, 0], axis=1) |> bitcast(u8)
    m = bitcast(v, u4)
    r = stack(m[:, :, :, 3], m[:, :, :, 0], m[:, :, :, 1], m[:, :, :, 2], axis=3)
        |> reshape([3, 5, 33, 2, 2])
        |> bitcast(u8)
        |> transpose([1, 0, 2, 3])
}

# In place: bits within elements, and bytes along cycles.
graph inside(x: u8[N], z: u32[N], v: u16[37]) -> (inplace p: u8[N], inplace q: u32[N], inplace r: u16[37]) {
    p = bitcast(flip(bitcast(x, u4), 1), u8)
    q = bitcast(flip(bitcast(z, u8), 1), u32)
    r = bitcast(flip(bitcast(v, u1), 1), u16)
}

# Constants split into parts.
graph borders(x: u1[4, 8], z: u8[4, 2]) -> (p, q) {
    p = bitcast(flip(x, 1), u8) |> pad([1, 2], value=177)
    q = pad(z, [0, 1, 0, 1], value=39) |> bitcast(u4) |> transpose([2, 0, 1])
}

# Computed values split into parts, and arithmetic on reassembled ones.
graph computed(x: u8[30], z: u1[30, 16], s: i16[30]) -> (p, q, r, t) {
    p = (cast(x, u16)*3) |> bitcast(u4) |> cast(i32)
    q = bitcast(flip(z, 1), i16) |> cast(f32)
    r = concat(bitcast(flip(z, 1), i16), s ^ 255, axis=0) |> bitcast(u8)
    t = cast(bitcast(x, u4), u1) |> bitcast(u2) |> cast(u8)
}

graph opened(x: u16[N, M], z: u1[N, M, 8]) -> (p, q) {
    p = bitcast(x, u1)[:, :, 4:12] |> bitcast(u8) |> transpose()
    q = flip(z, [0, 2]) |> bitcast(u8)
}

graph tables(x: u8[300], z: i4[300], b: bool[30], w: u2[300]) -> (p, q, r, s) {
    p = lookup(
        x >> 4 & 15,
        [
            0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100,
            121, 144, 169, 196, 225, 0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 0, 1, 4, 9, 16,
            25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169,
            196, 225, 0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 0, 1, 4, 9, 16, 25, 36, 49, 64,
            81, 100, 121, 144, 169, 196, 225, 0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 0, 1, 4,
            9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144,
            169, 196, 225, 0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 0, 1, 4, 9, 16, 25, 36, 49,
            64, 81, 100, 121, 144, 169, 196, 225, 0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 0,
            1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121,
            144, 169, 196, 225, 0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225
        ]
    )
    q = lookup(z, [-8, -7, -6, -5, -4, -3, -2, -1, 0, 10, 20, 30, 40, 50, 60, 70], i16)
    r = lookup(b, [0.5, -2.0], f32)
    s = concat(lookup(w, [3, 2, 0, 1]), lookup(w, [1, 2, 3, 0]), axis=0)
}

graph turned(x: u4[10, 6], w: i2[3, 8]) -> (p, q) {
    p = lookup(x, [0, 1, 3, 7, 13, 21, 31, 43, 58, 75, 95, 118, 144, 174, 207, 255], u8) |> transpose()
    q = lookup(transpose(w), [100, -1, 7, 2], i32)
}

graph sized(x: u4[N, 3], w: i8[N]) -> (p, q) {
    p = lookup(x, [0, 1, 3, 7, 13, 21, 31, 43, 58, 75, 95, 118, 144, 174, 207, 255], u8) |> flip(0)
    q = bitcast(w, u2) |> lookup([1.5, 2.5, -1.0, 0.0], f32)
}
