# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Nests that fill each other's gaps, and picks, in whole vectors (codegen/zips.rsh says which).
# RUN: for cpu in native x86-64-v3 x86-64; do %{reshapec} verify %s -mcpu=$cpu | tail -1; done | FileCheck %s
# CHECK-COUNT-3: 19 of 19 graphs verified

# Interleaved planes.
graph two(a: u8[70, 1], b: u8[70, 1]) -> y { y = concat(a, b, axis=1) }
graph four(a: f32[3, 37, 1], b: f32[3, 37, 1], c: f32[3, 37, 1]) -> y {
    y = concat(a, b, c, axis=2) |> pad([0, 0, 0, 0, 0, 1], 2)
}
graph planes(a: u8[3, 150]) -> y { y = transpose(a) |> pad([0, 0, 0, 1], 255) }

# Assembled vectors: runs of several elements, constants with an order, sources that step back or stay.
graph alpha(a: u8[100, 3], b: f32[50, 3]) -> (p, q) {
    p = pad(a, [0, 0, 0, 1], 255)
    q = pad(b, [0, 1, 0, 0], 1)
}
graph many(a: u8[90, 1], b: u8[90, 3], c: u8[90, 1]) -> y { y = concat(a, b, c, axis=1) }
graph back(a: f16[2, 80], b: f16[2, 80]) -> y {
    y = concat(reshape(a[:, ::-1], [2, 80, 1]), reshape(b, [2, 80, 1]), axis=2)
}
graph back_of_three(a: f32[40], b: f32[40, 2]) -> y { y = concat(reshape(a[::-1], [40, 1]), b, axis=1) }
graph picks(x: f32[5, 23], y: u8[67], z: u16[7, 56]) -> (p, q, r) {
    p = x[:, ::2]
    q = y[::3]
    r = z[::2, ::2]
}
graph wide(a: c128[9, 1]) -> y { y = pad(a, [0, 0, 0, 1], 3) }
graph constants(a: c128[9, 1]) -> y {
    y = pad(a, [0, 1, 0, 0], 3)
        |> pad([0, 0, 0, 1], 4)
        |> slice([0], [1], [1])
        |> concat(pad(a, [0, 0, 0, 1], 5)[:, 1:], axis=1)
}
graph picked(a: f32[2, 60], b: f32[2, 30], c: f32[2, 120]) -> (p, q) {
    p = concat(reshape(a[:, ::2], [2, 30, 1]), reshape(b, [2, 30, 1]), axis=2)
    q = concat(reshape(c[:, ::4], [2, 30, 1]), reshape(b, [2, 30, 1]), axis=2)
}
graph short(a: u8[9, 1], b: u8[9, 1]) -> y { y = concat(a, b, axis=1) }

# The loops of one nest are split to match the other's; rows with open sizes may be shorter than a vector.
graph fitted(x: f32[40, 128]) -> y {
    y = x[:, :64] |> reshape([40, 32, 2]) |> slice([0], [1], [2]) |> pad([0, 0, 0, 0, 0, 1])
}
graph open(a: u8[M, N, 1], b: u8[M, N, 1]) -> y { y = concat(a, b, axis=2) |> reshape([M, -1]) }

# Stored past the cache if the result starts at a vector boundary.
graph large(a: f32[524288, 1], b: f32[524288, 1]) -> y { y = concat(a, b, axis=1) }
graph large_picked(a: u16[4096, 1032]) -> y {
    y = a[:, :1024] |> slice([0], [1024], [1], [2]) |> reshape([4096, 512])
}
graph large_rest(a: f32[524291, 1], b: f32[524291, 1]) -> y { y = concat(a, b, axis=1) }
graph large_rows(a: u16[4096, 1024], b: u16[4096, 1]) -> y { y = concat(slice(a, [0], [1024], [1], [2]), b, axis=1) }
# Looked-up elements are not zipped.
graph looked_up(a: u8[A], b: u8[32]) -> y where A >= 20 {
    y = stack([tile(a, [2]) |> slice([2], [34]), b], axis=1)
}
