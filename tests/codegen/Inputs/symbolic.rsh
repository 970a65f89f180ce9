# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Every element of kernels with open sizes: runs of constant and of open length, blocks, casts, constants, staged
# values, elements smaller than a byte, strides, several results, and special code for certain sizes.

graph heads(x: f16[B, S, 768]) -> y: f16[B, 12, S, 64] {
    y = x |> reshape([0, 0, 12, 64]) |> transpose([0, 2, 1, 3])
}

graph matrix(x: f32[M, N]) -> y { y = transpose(x) }

graph bytes(x: u8[M, N]) -> y { y = transpose(x) }

graph side_by_side(a: u8[B, S], b: u8[B, T]) -> y { y = concat(a, b, axis=1) }

graph planes(x: u8[H, W, 3]) -> y: f32[1, 3, H, W] where W % 4 == 0 {
    y = rearrange(x, "h w c -> 1 c h w") |> cast(f32) |> relu()
}

graph bordered(x: i16[H, W]) -> y { y = pad(x, [1, 2, 3, 0], value=7) }

graph rotated(x: i32[A, B, C]) -> (y, z, same) {
    y = transpose(x, [2, 0, 1])
    z = flip(x, [1])
    same = reshape(x, [A*B, C])
}

# Rows of Q in rows of K + 1: no loop nest expresses where an element comes from.
graph shifted(x: f32[Q, K]) -> y {
    y = x |> pad([1, 0], axes=[1]) |> reshape([K + 1, Q]) |> slice([1], [K + 1], [0]) |> reshape([Q, K])
}

graph rolled(x: u16[N, C]) -> y { y = roll(x, [1, -1], axes=[0, 1]) }

graph halves(x: f64[N]) -> (a, b) where N % 2 == 0 {
    a, b = split(x, parts=2)
}

graph fours(x: f32[N]) -> y { y = reshape(x, [-1, 4]) |> transpose() }

graph tail(x: u16[N, C]) -> view y { y = x[1:] }

graph some(x: f32[B, S]) -> y where B in [1, 8] { y = transpose(x) }

# One result has elements while the other has none.
graph apart(a: u8[B, 4], b: u8[S, 3]) -> (y, z) {
    y = transpose(a)
    z = transpose(b)
}

# The bounds of slices depend on sizes: on the number of rows, and on whether an index counts from the end.
graph ends_cut(x: u8[H, W]) -> y { y = x[2:-2, :5] |> transpose() }

graph cyclic_rows(x: u16[N, C]) -> y: u16[N, C] { y = concat(x[3:], x[:3], axis=0) }

graph cyclic(x: u16[N, C]) -> y {
    rows = cyclic_rows(x)
    y = concat(rows[:, 3:], rows[:, :3], axis=1)
}

graph up_to(x: f32[N], t: f32[M]) -> y { y = slice(x, [0], [N - M], [0]) |> reshape([-1, 1]) |> tile([1, 3]) }

graph tiles(t: u8[B, H, W, P], x: u8[B*H*W, 2, 3]) -> y {
    y = x
        |> reshape([B, H, W, 2, 3])
        |> transpose([0, 1, 3, 2, 4])
        |> reshape([B, 2*H, 3*W])
        |> slice([0], [2*H - P], [1])
}

graph last_pairs(x: f32[N]) -> y { y = x[-6:] |> reshape([-1, 2]) |> transpose() }

graph first_three(x: u16[N, 2]) -> y: u16[3, 2] { y = flip(x[:3], [0]) }

graph nibbles(x: u4[N, 3]) -> y { y = transpose(x) }

graph padded_rows(x: u8[H, W] strides [W + 2, 1]) -> y: u8[W, H] strides [H + 1, 1] { y = transpose(x) }

# Pixels to planes, of 3, 2 and 4, and back: with vectors, if there are enough pixels to fill one.
graph to_planes(x: u8[B, P, 3]) -> y { y = transpose(x, [0, 2, 1]) }

graph to_pixels(x: u8[B, 3, P]) -> y { y = transpose(x, [0, 2, 1]) }

graph apart_in_pairs(x: u16[N, 2]) -> y { y = transpose(x) }

graph together_in_fours(x: f32[4, N]) -> y { y = transpose(x) }
