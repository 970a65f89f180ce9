# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Elements made of other elements' bits are computed in vectors, many iterations of the innermost loop at once: words of
# the source are shifted and masked, with byte shuffles before and after.
# RUN: split-file %s %t && cd %t
# RUN: %{python} %{root}/tests/cast/Inputs/casts.py %{reshapec} good.rsh
# RUN: %{reshapec} verify good.rsh -mcpu=native | FileCheck %s --check-prefix=PROVED
# PROVED: 17 of 17 graphs verified
# RUN: %{reshapec} verify open.rsh -mcpu=native | FileCheck %s --check-prefix=OPEN
# OPEN: 4 of 4 graphs verified
# RUN: %{reshapec} --dump=plan good.rsh --target=x86_64-linux-gnu -mcpu=x86-64-v3 | FileCheck good.rsh
# RUN: %{reshapec} --dump=plan good.rsh --target=x86_64-linux-gnu | FileCheck %s --check-prefix=LEVELS
# Bytes in arbitrary order need instructions that the first level does not have.
# LEVELS-LABEL: graph rgb
# LEVELS-NOT: turns at once
# LEVELS-LABEL: graph rgb565
# RUN: %{reshapec} --dump=plan good.rsh --target=x86_64-linux-gnu --multiversion=x86-64-v2,v3,v4 | FileCheck %s --check-prefix=ALL
# ALL-LABEL: graph rgb
# ALL: element at 2: 2+3 at 0 0+5 at 3, align 1
# ALL-NEXT: 8 turns at once at x86-64-v2, 16 at x86-64-v3, 32 at x86-64-v4
# The words of a vector are as wide as the wider elements; contiguous bytes are loaded and stored as whole vectors.
# RUN: %{reshapec} good.rsh --emit=llvm-ir --target=x86_64-linux-gnu -mcpu=x86-64-v3 -o - | FileCheck %s --check-prefix=CODE
# CODE-LABEL: define{{.*}}@rgb(
# CODE: load <32 x i8>
# CODE: lshr <16 x i16>
# CODE: shufflevector <32 x i8>
# CODE: store <16 x i8>
# CODE: store <8 x i8>

#--- good.rsh
# Five and six bits to eight, with the upper ones repeated below: 16 pixels are 32 bytes of the source. The last vector
# overlaps the one before it.
# CHECK-LABEL: graph rgb
# CHECK: for 54: dst 3, src 2
# CHECK: element at 2: 2+3 at 0 0+5 at 3, align 1
# CHECK-NEXT: 16 turns at once
graph rgb(x: u16[6, 9]) -> y: u8[6, 9, 3] {
    # NUMPY (lambda r, g, b: np.stack([r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2], 2).astype("u1"))(x >> 11, x >> 5 & 63, x & 31)
    bits = bitcast(x, u1)
    r = concat(bits[:, :, 13:], bits[:, :, 11:], axis=2)
    g = concat(bits[:, :, 9:11], bits[:, :, 5:11], axis=2)
    b = concat(bits[:, :, 2:5], bits[:, :, :5], axis=2)
    y = stack(r, g, b, axis=2) |> bitcast(u8)
}
# CHECK-LABEL: graph rgb565
# CHECK: 16 turns at once
graph rgb565(x: u8[43, 3]) -> y: u16[43] {
    # NUMPY (x[..., 0].astype("u2") >> 3 << 11) | (x[..., 1].astype("u2") >> 2 << 5) | x[..., 2] >> 3
    bits = bitcast(x, u1)
    y = concat(bits[:, 2, 3:], bits[:, 1, 2:], bits[:, 0, 3:], axis=1) |> bitcast(u16)
}
# Planes are separate blocks.
# CHECK-LABEL: graph planes
# CHECK: 16 turns at once
graph planes(x: u16[40]) -> y: u8[3, 40] {
    # NUMPY np.stack([x >> 11 << 3, x >> 5 << 2, x << 3]).astype("u1")
    bits = bitcast(x, u1)
    zero = bitcast(x*0, u1)
    r = concat(zero[:, :3], bits[:, 11:], axis=1)
    g = concat(zero[:, :2], bits[:, 5:11], axis=1)
    b = concat(zero[:, :3], bits[:, :5], axis=1)
    y = stack(r, g, b) |> bitcast(u8)
}
graph from_planes(x: u8[3, 40]) -> y: u16[40] {
    # NUMPY (x[0].astype("u2") >> 3 << 11) | (x[1].astype("u2") >> 2 << 5) | x[2] >> 3
    bits = bitcast(x, u1)
    y = concat(bits[2, :, 3:], bits[1, :, 2:], bits[0, :, 3:], axis=1) |> bitcast(u16)
}
# CHECK-LABEL: graph bits_reversed
# CHECK: 32 turns at once
graph bits_reversed(x: u8[70]) -> y: u8[70] {
    # NUMPY np.packbits(np.unpackbits(x.reshape(70, 1), axis=1, bitorder="little"), axis=1)[:, 0]
    y = bitcast(flip(bitcast(x, u1), 1), u8)
}
# Backwards: the first iteration uses the end of what is loaded.
graph turned(x: u8[70]) -> y: u8[70] {
    # NUMPY (x << 4 | x >> 4)[::-1]
    y = bitcast(flip(flip(bitcast(x, u4), 0), 1), u8)
}
# Fewer iterations than a vector has, and fewer than a lane.
# CHECK-LABEL: graph short
# CHECK: 16 turns at once
graph short(x: u8[18]) -> y: u8[18] {
    # NUMPY x << 4 | x >> 4
    y = bitcast(flip(bitcast(x, u4), 1), u8)
}
# CHECK-LABEL: graph shorter
# CHECK-NOT: turns at once
graph shorter(x: u8[15]) -> y: u8[15] {
    # NUMPY x << 4 | x >> 4
    y = bitcast(flip(bitcast(x, u4), 1), u8)
}
# CHECK-LABEL: graph page
# CHECK: 16 turns at once
graph page(x: u1[16, 160]) -> y: u8[2, 160] {
    # NUMPY np.packbits(x.reshape(2, 8, 160), axis=1, bitorder="little").reshape(2, 160)
    y = x |> reshape([2, 8, 160]) |> transpose([0, 2, 1]) |> bitcast(u8)
}
graph bit_planes(x: u8[320]) -> y: u1[8, 320] {
    # NUMPY np.unpackbits(x.reshape(320, 1), axis=1, bitorder="little").T
    y = bitcast(x, u1) |> transpose()
}
graph of_planes(x: u1[8, 320]) -> y: u8[320] {
    # NUMPY np.packbits(x.T, axis=1, bitorder="little")[:, 0]
    y = transpose(x) |> bitcast(u8)
}
# CHECK-LABEL: graph wide
# CHECK: 4 turns at once
graph wide(x: u64[13]) -> y: u32[13, 3] {
    # NUMPY np.stack([(x >> 60 | x << 4), x >> 28, x >> 12], 1).astype("u4")
    bits = bitcast(x, u1)
    y = stack(concat(bits[:, 60:], bits[:, :28], axis=1), bits[:, 28:60], bits[:, 12:44], axis=1) |> bitcast(u32)
}
graph from_wide(x: u32[13, 3]) -> y: u64[13] {
    # NUMPY x[:, 0].astype("u8") >> 4 | x[:, 1].astype("u8") << 28 | x[:, 2].astype("u8") >> 28 << 60
    bits = bitcast(x, u1)
    y = concat(bits[:, 0, 4:], bits[:, 1], bits[:, 2, 28:], axis=1) |> bitcast(u64)
}
# Bytes that an iteration does not need are not read past the end of the source.
graph some(x: u8[40, 5]) -> y: u8[40] {
    # NUMPY x[:, 1] << 4 | x[:, 3] & 15
    n = bitcast(x, u4)
    y = stack(n[:, 3, 0], n[:, 1, 0], axis=1) |> bitcast(u8)
}
# Constants between the fields.
graph filled(x: u8[40]) -> y: u8[40, 2] {
    # NUMPY np.stack([x << 4 | 5, x & 240 | 5], 1)
    n = bitcast(x, u4)
    y = stack(n[:, 0], n[:, 1], axis=1) |> reshape([40, 2, 1]) |> pad([0, 0, 1, 0, 0, 0], value=5) |> bitcast(u8)
}
# Loops around it.
graph rows(x: u16[3, 5, 33]) -> y: u8[5, 3, 33, 2] {
    # NUMPY np.stack([x << 4 | x >> 12, x >> 4], 3).astype("u1").transpose(1, 0, 2, 3)
    n = bitcast(x, u4)
    y = stack(n[:, :, :, 3], n[:, :, :, 0], n[:, :, :, 1], n[:, :, :, 2], axis=3)
        |> reshape([3, 5, 33, 2, 2])
        |> bitcast(u8)
        |> transpose([1, 0, 2, 3])
}
# Elements too far apart to be loaded together are read one by one.
# CHECK-LABEL: graph sparse
# CHECK-NOT: turns at once
graph sparse(x: u8[40, 300]) -> y: u8[40] {
    # NUMPY x[:, 7] << 4 | x[:, 7] >> 4
    y = bitcast(flip(bitcast(x[:, 7], u4), 1), u8)
}
#--- open.rsh
graph rgb(x: u16[N, M]) -> y: u8[N, M, 3] {
    bits = bitcast(x, u1)
    r = concat(bits[:, :, 13:], bits[:, :, 11:], axis=2)
    g = concat(bits[:, :, 9:11], bits[:, :, 5:11], axis=2)
    b = concat(bits[:, :, 2:5], bits[:, :, :5], axis=2)
    y = stack(r, g, b, axis=2) |> bitcast(u8)
}
graph swapped(x: u8[N]) -> inplace y: u8[N] { y = bitcast(flip(bitcast(x, u4), 1), u8) }
graph turned(x: u8[N, M]) -> y: u8[M, N] { y = bitcast(flip(bitcast(transpose(x), u4), 2), u8) }
graph planes(x: u16[N]) -> y: u8[2, N] {
    n = bitcast(x, u4)
    y = stack(n[:, 3], n[:, 0], n[:, 1], n[:, 2], axis=1) |> reshape([-1, 2, 2]) |> transpose([1, 0, 2]) |> bitcast(u8)
}
