# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How kernels access memory: blocks for the cache, rows through a buffer, lookups, tables of offsets, scratch,
# permutations in one buffer, words if memory is aligned.
# RUN: %{reshapec} verify %s | FileCheck %s
# CHECK-NOT: failed
# CHECK: 32 of 32 graphs verified

# Blocks of columns and rows; the last ones of both are shorter, or overlap the ones before.
graph blocks(a: u8[300, 301], b: f32[1030, 37], c: f32[66, 140], d: c128[45, 50], e: u8[400, 90]) -> (p, q, r, s, t) {
    p = transpose(a)
    q = transpose(b)
    r = transpose(c)
    s = transpose(d)
    t = transpose(e)
}

# Rows a power of two apart are copied to a buffer first.
graph crowded(a: u8[70, 1024], b: f32[33, 1024], c: u16[130, 512]) -> (p, q, r) {
    p = transpose(a[:, :532])
    q = transpose(b[:, :270])
    r = transpose(c[:, 3:300])
}

graph crowded_sizes(x: u16[M, 1024]) -> y where M <= 40 { y = transpose(x) }

# Elements too large for a register: 21 rows are two blocks of 8 and one of 5; 17 leave a single one.
graph wide(a: f32[21, 75, 6], b: u8[17, 90, 25]) -> (p, q) {
    p = transpose(a, [1, 0, 2])
    q = transpose(b, [1, 0, 2])
}

graph copied(a: u8[5, 700], b: u8[3, 257], c: u16[2, 2, 333]) -> (p, q, r) {
    p = a[1:, 3:690]
    q = flip(b, [0])
    r = transpose(c, [1, 0, 2])
}

graph repeated(x: f32[50, 1], y: u8[3]) -> (p, q) {
    p = expand(x, [50, 100])
    q = tile(y, [100])
}

graph staged(x: i32[61, 67], y: u8[31, 37]) -> (p, q, r) {
    t = x |> transpose() |> reshape([61, 67])
    p = transpose(t)
    q = p |> transpose() |> slice([0, 3], [61, 6])
    r = y |> pad([0, 1], axes=[1], value=9) |> transpose() |> reshape([31, 38]) |> transpose() |> reshape([2, 589])
}

graph staged_halves(x: i4[31, 37]) -> y { y = x |> transpose() |> reshape([31, 37]) |> transpose() }

graph staged_values(x: f32[31, 37]) -> y {
    y = x |> relu() |> transpose() |> reshape([31, 37]) |> transpose() |> cast(f16)
}

graph staged_sizes(x: f32[Q, K]) -> y { y = x |> pad([1, 0], axes=[1]) |> reshape([K + 1, Q]) |> transpose() }

graph table(x: i16[7, 11, 13]) -> y {
    y = x
        |> transpose([2, 0, 1])
        |> reshape([11, 7, 13])
        |> transpose([1, 2, 0])
        |> reshape([13, 11, 7])
        |> transpose([2, 1, 0])
        |> reshape([11, 91])
        |> transpose([1, 0])
}

# A value that is split up on the way, and joined again.
graph joined_again(x: i16[7, 11, 13]) -> y {
    y = x
        |> transpose([2, 0, 1])
        |> reshape([11, 7, 13])
        |> transpose([1, 2, 0])
        |> reshape([13, 11, 7])
        |> transpose([2, 1, 0])
        |> transpose([2, 1, 0])
        |> reshape([7, 13, 11])
        |> transpose([2, 0, 1])
        |> reshape([13, 7, 11])
        |> transpose([2, 1, 0])
}

graph places(x: u16[64, 3], y: u4[64], z: f64[5, 64], b: f32[64]) -> (p, q, r, s) {
    p = gather(
        x,
        [
            41, 19, 50, 6, 9, 12, 46, 7, 27, 4, 11, 55, 53, 8, 30, 11, 54, 7, 15, 28, 7, 50, 6, 28, 5, 17, 37, 53, 18,
            15, 39, 23, 13, 24, 47, 12, 8, 7, 26, 63, 54, 40
        ]
    )
    q = gather(
        y,
        [
            41, 19, 50, 6, 9, 12, 46, 7, 27, 4, 11, 55, 53, 8, 30, 11, 54, 7, 15, 28, 7, 50, 6, 28, 5, 17, 37, 53, 18,
            15, 39, 23, 13, 24, 47, 12, 8, 7, 26, 63, 54, 40
        ]
    )
    r = gather(
        z,
        [
            41, 19, 50, 6, 9, 12, 46, 7, 27, 4, 11, 55, 53, 8, 30, 11, 54, 7, 15, 28, 7, 50, 6, 28, 5, 17, 37, 53, 18,
            15, 39, 23, 13, 24, 47, 12, 8, 7, 26, 63, 54, 40
        ],
        axis=1
    )
    s = b
        |> gather(
            [
                41, 19, 50, 6, 9, 12, 46, 7, 27, 4, 11, 55, 53, 8, 30, 11, 54, 7, 15, 28, 7, 50, 6, 28, 5, 17, 37, 53,
                18, 15, 39, 23, 13, 24, 47, 12, 8, 7, 26, 63, 54, 40
            ]
        )
        |> pad([1, 1])
        |> cast(i8)
}

# More kinds of nests than are told apart.
graph kinds(x: u8[71]) -> y {
    y = gather(
        x,
        [
            0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0, 9, 0, 10, 0, 11, 0, 12, 0, 13, 0, 14, 0, 15, 0, 16, 0,
            17, 0, 18, 0, 19, 0, 20, 0, 21, 0, 22, 0, 23, 0, 24, 0, 25, 0, 26, 0, 27, 0, 28, 0, 29, 0, 30, 0, 31, 0, 32,
            0, 33, 0, 34, 0, 35, 0, 36, 0, 37, 0, 38, 0, 39, 0, 40, 0, 41, 0, 42, 0, 43, 0, 44, 0, 45, 0, 46, 0, 47, 0,
            48, 0, 49, 0, 50, 0, 51, 0, 52, 0, 53, 0, 54, 0, 55, 0, 56, 0, 57, 0, 58, 0, 59, 0, 60, 0, 61, 0, 62, 0, 63,
            0, 64, 0, 65, 0, 66, 0, 67, 0, 68, 0, 69, 0, 70
        ]
    )
}

graph fused(qkv: f32[2, 3, 96]) -> (q, k, v) {
    a, b, c = split(qkv, axis=2, parts=3)
    q = a |> reshape([0, 0, 4, 8]) |> transpose([0, 2, 1, 3])
    k = b |> reshape([0, 0, 4, 8]) |> transpose([0, 2, 1, 3])
    v = c |> reshape([0, 0, 4, 8]) |> transpose([0, 2, 1, 3])
}

graph kept(x: f32[6, 7], y: f16[4, 5]) -> (p, q, r: f32[6, 7] strides [9, 1], s, t) {
    p = x |> abs() |> softmax() |> transpose()
    q = x |> transpose() |> softmax() |> transpose() |> softmax() |> flip(0)
    r = softmax(x)
    s = softmax(y)
    t = transpose(s)
}

graph kept_in_result(x: f32[3, 4]) -> y { y = softmax(x) }

graph single(x: u8[3], z: u8[3, 0]) -> (y, e) {
    y = x[1:2]
    e = flatten(z)
}

graph kept_sizes(x: f16[B, S]) -> y { y = x |> softmax() |> transpose() |> cast(f32) |> softmax() |> transpose() }

graph turned_square(x: f32[12, 12]) -> inplace y { y = transpose(x) }

graph turned_planes(x: u8[20, 21, 3]) -> inplace y { y = transpose(x, [2, 0, 1]) }

graph turned_batches(x: u16[3, 10, 4, 2]) -> inplace y { y = transpose(x, [0, 2, 1, 3]) }

graph reversed_runs(x: c64[3, 8]) -> inplace y { y = flip(x, [0]) }

graph changed(x: f32[4, 6]) -> inplace y { y = relu(x) }

graph changed_gaps(x: f32[4, 6] strides [8, 1]) -> y { y = paddle.reshape(x, [24], act="relu", inplace=True) }

graph words(x: f16[8, 6, 16] align 8, y: u8[5, 24] align 4, z: u8[12] align 16) -> (
    p: f16[6, 8, 16] align 8,
    q: u8[4, 20] align 8,
    r: u8[6, 12],
) {
    p = transpose(x, [1, 0, 2])
    q = y[1:, 4:]
    r = expand(z, [6, 12])
}

graph bits(x: u2[7, 9], y: u4[3, 14], z: i2[5, 8], w: f4e2m1[3, 4, 6]) -> (p, q, r, s, t) {
    p = x[:, 1:8]
    q = pad(y, [0, 1, 1, 2], value=3)
    r = concat(z[:, 1:], z[:, :1], axis=1)
    s = transpose(w, [1, 0, 2])
    t = y |> transpose() |> flip([0])
}

# Many similar nests, after more kinds than are told apart.
graph alike(x: u8[170]) -> y {
    y = concat(
        x[38:39],
        x[14:16],
        x[51:54],
        x[27:31],
        x[3:8],
        x[40:46],
        x[16:23],
        x[53:61],
        x[29:38],
        x[5:15],
        x[42:53],
        x[18:30],
        x[55:68],
        x[31:45],
        x[7:22],
        x[44:60],
        x[20:37],
        x[57:75],
        x[33:52],
        x[9:29],
        x[46:67],
        x[22:44],
        x[59:82],
        x[35:59],
        x[11:36],
        x[48:74],
        x[24:51],
        x[61:89],
        x[37:66],
        x[13:43],
        x[50:81],
        x[26:58],
        x[2:35],
        x[39:73],
        x[15:50],
        x[52:88],
        x[28:65],
        x[4:42],
        x[41:80],
        x[17:57],
        x[54:95],
        x[30:72],
        x[6:49],
        x[43:87],
        x[19:64],
        x[56:102],
        x[32:79],
        x[8:56],
        x[45:94],
        x[21:71],
        x[58:109],
        x[34:86],
        x[10:63],
        x[47:101],
        x[23:78],
        x[60:116],
        x[36:93],
        x[12:70],
        x[49:108],
        x[25:85],
        x[1:62],
        x[38:100],
        x[14:77],
        x[51:115],
        x[42:107],
        x[20:85],
        x[51:116],
        x[84:149],
        x[7:72],
        x[10:75],
        x[69:134],
        x[13:78],
        x[47:112],
        x[75:140],
        x[8:73],
        x[65:130],
        x[28:93],
        x[5:70],
        x[12:77],
        x[56:121],
        x[54:119],
        x[9:74],
        x[31:96],
        x[71:136],
        axis=0
    )
}

# Strides that only repeat what the shape says.
graph changed_dense(x: f32[4, 6] strides [6, 1]) -> y { y = paddle.reshape(x, [24], act="relu", inplace=True) }

# Hundreds of nests that differ only in their loops, which become a table.
graph reversed_table(x: u8[300, 40]) -> y {
    y = reverse_sequence(
        x,
        [
            9, 37, 5, 17, 8, 32, 29, 31, 25, 14, 7, 32, 2, 25, 28, 39, 1, 29, 18, 15, 38, 7, 21, 2, 2, 2, 35, 1, 25, 14,
            28, 2, 34, 15, 29, 32, 36, 15, 23, 15, 15, 30, 19, 2, 27, 36, 7, 12, 19, 8, 22, 33, 28, 33, 13, 20, 19, 38,
            32, 33, 26, 38, 3, 31, 16, 26, 27, 12, 24, 36, 24, 6, 29, 33, 7, 11, 34, 26, 24, 32, 2, 31, 3, 20, 40, 38,
            38, 26, 11, 11, 33, 15, 1, 13, 35, 36, 15, 26, 33, 23, 37, 23, 30, 18, 36, 39, 1, 25, 33, 9, 34, 36, 14, 28,
            4, 31, 24, 37, 36, 13, 33, 27, 32, 23, 27, 23, 1, 35, 35, 40, 40, 22, 30, 39, 2, 15, 12, 36, 38, 12, 6, 36,
            17, 3, 5, 6, 2, 29, 1, 18, 16, 18, 8, 40, 12, 23, 19, 5, 11, 11, 17, 34, 11, 18, 19, 30, 21, 32, 31, 8, 2,
            20, 25, 22, 27, 13, 17, 7, 17, 33, 14, 39, 28, 2, 15, 2, 26, 10, 3, 11, 29, 33, 28, 35, 15, 34, 29, 15, 34,
            2, 26, 37, 21, 28, 4, 20, 9, 14, 4, 20, 5, 5, 20, 20, 11, 27, 37, 17, 9, 1, 36, 3, 38, 14, 37, 30, 11, 40,
            33, 3, 25, 13, 23, 7, 14, 37, 28, 38, 13, 32, 7, 25, 19, 33, 32, 2, 21, 40, 26, 19, 2, 11, 13, 21, 37, 9,
            22, 28, 14, 18, 7, 25, 36, 23, 35, 32, 35, 16, 5, 3, 6, 9, 11, 11, 35, 14, 18, 22, 39, 33, 17, 24, 22, 22,
            8, 19, 16, 39, 32, 9, 38, 36, 7, 21, 3, 27, 5, 25, 10, 9
        ],
        batch_axis=0,
        time_axis=1
    )
}

# Two results that may be in place: after such a run of one, the padding expected of it is its own memory's again.
graph both_inside(x: u2[7]) -> (y, z) {
    y = reshape(x, [7, 1])
    z = reshape(x, [1, 7])
}

# No elements, and a type that no input has: there is no address to return.
graph nowhere(x: u8[0]) -> (y, z) {
    y = x |> cast(f32) |> tanh()
    z = tile(y, [2])
}
