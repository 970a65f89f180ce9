# Results that may reside in their input's memory.
graph square(x: f32[64, 64]) -> inplace y { y = transpose(x) }
graph planes(x: u8[28, 28, 3]) -> inplace y { y = transpose(x, [2, 0, 1]) }
graph batched(x: i16[8, 6, 10]) -> inplace y { y = transpose(x, [0, 2, 1]) }
graph pieces(x: f16[4, 5, 63]) -> inplace y { y = transpose(x, [1, 0, 2]) }
graph backwards(x: u8[100]) -> inplace y { y = flip(x, 0) }
graph mirrored(x: u8[6, 8, 3]) -> inplace y { y = flip(x, 1) }
graph positive(x: f32[3, 4]) -> inplace y { y = relu(x) }
graph wide(x: c128[3, 4]) -> inplace y { y = transpose(x) }
graph names(x: string[3, 4]) -> inplace y { y = transpose(x) }
graph turned_names(x: string[5]) -> inplace y { y = flip(x, 0) }
graph powers(x: u8[64, 128]) -> inplace y { y = transpose(x) }
graph split(x: u8[4, 6, 4, 6]) -> inplace y { y = transpose(x, [0, 2, 1, 3]) }
graph same(x: f64[12]) -> inplace y { y = reshape(x, [3, 4]) }
graph rolled(x: i16[12, 5]) -> inplace y { y = roll(x, 3, axis=0) }
graph rolled_rows(x: u8[4, 6, 5]) -> inplace y { y = roll(x, -2, axis=1) }
graph rolled_by_one(x: c128[7]) -> inplace y { y = roll(x, 1, axis=0) }
graph any(x: f32[N, 4]) -> inplace y { y = relu(x) }

# Sizes are open.
graph open_square(x: u8[N, N]) -> inplace y { y = transpose(x) }
graph open_planes(x: u8[H, W, 3]) -> inplace y { y = transpose(x, [2, 0, 1]) }
graph open_heads(x: u16[B, S, 3, 4]) -> inplace y { y = transpose(x, [0, 2, 1, 3]) }
graph open_ring(x: u16[N]) -> inplace y { y = concat(x[3:], x[:3], axis=0) }
graph open_rolled(x: u8[N, M]) -> inplace y { y = roll(x, -1, axis=1) }
graph open_pieces(x: u32[B, S, D]) -> inplace y { y = transpose(x, [1, 0, 2]) }
graph open_names(x: string[N, M]) -> inplace y { y = transpose(x) }
graph open_turned(x: u8[N, M]) -> inplace y { y = x[::-1] |> transpose() }
graph open_blocks(x: c64[N, C]) -> inplace y where C % 4 == 0 { y = rearrange(x, "n (c k) -> c n k", k=4) }
