# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# bitcast between sizes: smaller elements add a last axis, the lowest first, and larger ones remove it, like numpy's
# unpackbits(bitorder="little") and view. Parts of elements then move like elements.
# RUN: split-file %s %t && cd %t
# RUN: %{python} %{root}/tests/cast/Inputs/casts.py %{reshapec} good.rsh
# RUN: %{reshapec} explain good.rsh | FileCheck good.rsh
# RUN: %{reshapec} verify good.rsh | FileCheck %s --check-prefix=PROVED
# RUN: %{reshapec} verify --emit=c good.rsh | FileCheck %s --check-prefix=PROVED
# RUN: %{reshapec} verify --emit=c --freestanding good.rsh | FileCheck %s --check-prefix=PROVED
# PROVED: 16 of 16 graphs verified
# RUN: %{reshapec} verify open.rsh | FileCheck %s --check-prefix=OPEN
# RUN: %{reshapec} verify --emit=c open.rsh | FileCheck %s --check-prefix=OPEN
# OPEN: 5 of 5 graphs verified
# An unknown size is checked.
# RUN: %{reshapec} --dump=code open.rsh | FileCheck %s --check-prefix=CONDITION
# CONDITION: code packed
# CONDITION: fail %{{[0-9]+}}, shape_mismatch
# Whole words that are permuted move as words.
# RUN: %{reshapec} --dump=moves good.rsh | FileCheck %s --check-prefix=MOVES
# MOVES-LABEL: graph words
# MOVES: %2 y: u32[6]
# MOVES-NEXT: from %0 at 5 to 0: {6, dst 1, src -1}
# A big-endian machine has another order.
# RUN: not %{reshapec} good.rsh --target=s390x-linux-gnu -o big.o 2>&1 | FileCheck %s --check-prefix=BIG
# BIG: error: 's390x-{{.*}}' is big-endian, and bitcast to another element size is little-endian

#--- good.rsh
# CHECK-LABEL: graph bits
# CHECK: y alias
# CHECK: why the bits of y are those of x, from element 0 on
graph bits(x: u16[2, 3]) -> view y: u1[2, 3, 16] {
    # NUMPY np.unpackbits(x.view("u1").reshape(2, 3, 2), bitorder="little").reshape(2, 3, 16)
    y = bitcast(x, u1)
}
# CHECK-LABEL: graph nibbles
graph nibbles(x: u8[5]) -> y: u4[5, 2] {
    # NUMPY np.stack([x & 15, x >> 4], 1)
    y = bitcast(x, u4)
}
graph words_of_bits(x: u1[3, 16]) -> y: u16[3] {
    # NUMPY np.packbits(x, axis=1, bitorder="little").view("u2")[:, 0]
    y = bitcast(x, u16)
}
# CHECK-LABEL: graph planes
# CHECK: why transpose moves axes 0 and 1: 8 x 40 elements
graph planes(x: u8[40]) -> y: u1[8, 40] {
    # NUMPY np.unpackbits(x.reshape(40, 1), axis=1, bitorder="little").T
    y = bitcast(x, u1) |> transpose()
}
graph of_planes(x: u1[8, 40]) -> y: u8[40] {
    # NUMPY np.packbits(x.T, axis=1, bitorder="little")[:, 0]
    y = transpose(x) |> bitcast(u8)
}
# A page of a 1-bit display: eight rows to a byte.
graph page(x: u1[16, 24]) -> y: u8[2, 24] {
    # NUMPY np.packbits(x.reshape(2, 8, 24), axis=1, bitorder="little").reshape(2, 24)
    y = x |> reshape([2, 8, 24]) |> transpose([0, 2, 1]) |> bitcast(u8)
}
graph swapped(x: u32[5]) -> y: u32[5] {
    # NUMPY x.byteswap()
    y = bitcast(flip(bitcast(x, u8), 1), u32)
}
graph words(x: u8[6, 4]) -> y: u32[6] {
    # NUMPY np.ascontiguousarray(x[::-1]).view("u4")[:, 0]
    y = bitcast(flip(x, 0), u32)
}
graph floats(x: u8[3, 8]) -> y: f64[3] {
    # NUMPY x.view("f8")[::-1, 0]
    y = bitcast(x, f64) |> flip(0)
}
graph turned(x: i64[4]) -> y: i16[4, 4] {
    # NUMPY x.view("i2").reshape(4, 4).T
    y = bitcast(x, i16) |> transpose()
}
graph reversed(x: u8[9]) -> y: u8[9] {
    # NUMPY np.packbits(np.unpackbits(x))[:9] * 0 + np.packbits(np.unpackbits(x.reshape(9, 1), axis=1, bitorder="little"), axis=1)[:, 0]
    y = bitcast(flip(bitcast(x, u1), 1), u8)
}
# Concatenated bits become elements again, which move on.
graph padded(x: u1[4, 5]) -> y: u8[3, 7] {
    # NUMPY np.pad(np.packbits(x, axis=1, bitorder="little")[:, 0], (1, 2), constant_values=129)[None].repeat(3, 0)
    y = pad(x, [0, 0, 0, 3]) |> bitcast(u8) |> pad([1, 2], value=129) |> expand([3, 7])
}
# RGB565 to RGB888: five bits become eight by repeating the upper ones below.
graph rgb(x: u16[4, 8]) -> y: u8[4, 8, 3] {
    # NUMPY (lambda r, g, b: np.stack([r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2], 2).astype("u1"))(x >> 11, x >> 5 & 63, x & 31)
    bits = bitcast(x, u1)
    r = concat(bits[:, :, 13:], bits[:, :, 11:], axis=2)
    g = concat(bits[:, :, 9:11], bits[:, :, 5:11], axis=2)
    b = concat(bits[:, :, 2:5], bits[:, :, :5], axis=2)
    y = stack(r, g, b, axis=2) |> bitcast(u8)
}
graph rgb565(x: u8[4, 8, 3]) -> y: u16[4, 8] {
    # NUMPY (x[..., 0].astype("u2") >> 3 << 11) | (x[..., 1].astype("u2") >> 2 << 5) | x[..., 2] >> 3
    bits = bitcast(x, u1)
    y = concat(bits[:, :, 2, 3:], bits[:, :, 1, 2:], bits[:, :, 0, 3:], axis=2) |> bitcast(u16)
}
# Computed values are split afterwards, and reassembled ones are computed with.
graph computed(x: u8[4]) -> y: i32[4, 4] {
    # NUMPY (lambda w: np.stack([w >> s & 15 for s in (0, 4, 8, 12)], 1).astype("i4"))(x.astype("u2") * 3)
    y = (cast(x, u16)*3) |> bitcast(u4) |> cast(i32)
}
graph mixed(x: u8[4, 2], z: u1[4, 8]) -> y: f32[2, 4] {
    # NUMPY np.stack([np.packbits(z[:, ::-1], axis=1, bitorder="little")[:, 0], x[:, 0]], 0).astype("f4") * 2
    y = (stack(flip(z, 1) |> bitcast(u8), x[:, 0], axis=0) |> cast(f32))*2.0
}
#--- open.rsh
graph opened(x: u16[N, M]) -> y: u1[M, 16, N] { y = bitcast(x, u1) |> transpose([1, 2, 0]) }
graph packed(x: u1[N, B]) -> y: u8[N] { y = bitcast(flip(x, 0), u8) }
graph longer(x: u8[N]) -> y: u16[N] { y = stack(x, flip(x, 0), axis=1) |> bitcast(u16) }
graph bytes(x: u32[N, M]) -> y: u8[M, N, 4] { y = bitcast(transpose(x), u8) }
graph order(x: u32[N]) -> y: u32[N] { y = bitcast(flip(bitcast(x, u8), 1), u32) }
