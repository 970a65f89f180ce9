# Kernels of every kind of plan, for cross.py: `# sizes` gives the sizes of symbols of the graph below it, and what a
# target shape is. Nothing here needs floating-point arithmetic.

# ---- one nest: widths of 1 to 16 bytes
graph turned1(x: u8[17, 23]) -> y { y = transpose(x) }
graph turned2(x: i16[17, 23]) -> y { y = transpose(x) }
graph turned4(x: f32[17, 23]) -> y { y = transpose(x) }
graph turned8(x: f64[17, 23]) -> y { y = transpose(x) }
graph turned16(x: c128[7, 9]) -> y { y = transpose(x) }
graph pairs(x: c64[5, 6]) -> y { y = transpose(x) }
graph tiles1(x: u8[70, 130]) -> y { y = transpose(x) }
graph tiles4(x: f32[70, 90]) -> y { y = transpose(x) }
graph chw(x: u8[9, 7, 3]) -> y { y = transpose(x, [2, 0, 1]) }
graph hwc(x: u8[3, 9, 7]) -> y { y = transpose(x, [1, 2, 0]) }
graph hwc4(x: f32[4, 5, 7]) -> y { y = transpose(x, [1, 2, 0]) }
graph stereo(x: i16[2, 50]) -> y { y = transpose(x) }
graph heads(x: f16[2, 7, 24]) -> y { y = x |> reshape([2, 7, 3, 8]) |> transpose([0, 2, 1, 3]) }
graph blocks(x: f32[1, 16, 3, 5]) -> y { y = rearrange(x, "n (c1 8) h w -> n c1 h w 8") }
graph patches(x: u8[12, 12, 3]) -> y { y = rearrange(x, "(h p) (w q) c -> (h w) (p q c)", p=4, q=4) }
graph shuffled(x: f32[1, 12, 2, 3]) -> y {
    y = x |> reshape([1, 3, 4, 2, 3]) |> transpose([0, 2, 1, 3, 4]) |> reshape([1, 12, 2, 3])
}
graph deep(x: i8[2, 3, 4, 5, 2, 3]) -> y { y = transpose(x, [5, 3, 1, 4, 2, 0]) }
graph to_depth(x: f32[1, 2, 4, 6]) -> y { y = space_to_depth(x, 2) }
graph to_space(x: u16[1, 8, 3, 2]) -> y { y = depth_to_space(x, 2) }
graph rows(x: f32[5, 100]) -> y { y = x[:, 1:100] }
graph part(x: i16[8, 6]) -> y { y = x[3:5, ::2] }
graph bytes(x: u8[300]) -> y { y = x[1:299] }
graph flipped(x: i32[4, 9]) -> y { y = flip(x, [1]) }
graph both_ways(x: u8[5, 6]) -> y { y = x[::-1, ::-1] }
graph spread(x: u16[1, 5, 1]) -> y { y = expand(x, [3, 5, 4]) }
graph tiled(x: u8[3, 5]) -> y { y = tile(x, [2, 3]) }
graph expanded(x: f64[3, 1]) -> y { y = expand(x, [3, 7]) }
graph scalar(x: f64) -> y { y = reshape(x, [1, 1]) }
graph nothing(x: f32[0, 4]) -> y { y = transpose(x) }

# ---- memory that is declared to be aligned
graph word_rows(x: u8[40, 64] align 4) -> y: u8[20, 64] align 8 { y = x[::2, :] }
graph word_heads(x: f16[2, 7, 24] align 8) -> y: f16[2, 3, 7, 8] align 8 {
    y = x |> reshape([2, 7, 3, 8]) |> transpose([0, 2, 1, 3])
}
graph word_fill(x: i8[4, 8] align 4) -> y: i8[6, 8] align 4 { y = pad(x, [1, 0, 1, 0], value=3) }
graph word_odd(x: u8[40, 62] align 4) -> y: u8[20, 62] align 4 { y = x[::2, :] }

# ---- several nests
graph bordered(x: i16[5, 6]) -> y { y = pad(x, [1, 2, 3, 0], value=-7) }
graph bordered4(x: i32[5, 6]) -> y { y = pad(x, [2, 2, 1, 1], value=305419896) }
graph bordered8(x: i64[3, 2]) -> y { y = pad(x, [1, 1, 1, 1], value=1311768467463790320) }
graph edges(x: u8[4, 5]) -> y { y = pad(x, [1, 2, 2, 1], mode="edge") }
graph mirrored(x: f32[4, 5]) -> y { y = pad(x, [1, 2, 2, 1], mode="reflect") }
graph wrapped(x: u16[4, 5]) -> y { y = pad(x, [1, 2, 2, 1], mode="wrap") }
graph rolled(x: u8[5, 7]) -> y { y = roll(x, [1, -2], axes=[0, 1]) }
graph joined(a: u8[3, 5], b: u8[2, 5]) -> y { y = concat(a, b, axis=0) }
graph beside(a: f32[4, 3], b: f32[4, 2]) -> y { y = concat(a, b, axis=1) }
graph stacked(a: i16[4, 3], b: i16[4, 3], c: i16[4, 3]) -> y { y = stack(a, b, c, axis=2) }
graph rotate_half(x: f16[2, 3, 8]) -> y { y = concat(x[..., 4:], x[..., :4], axis=2) }
graph parts(x: f32[6, 4]) -> (a, b, c) { a, b, c = split(x, axis=0, parts=3) }
graph qkv(x: u8[3, 12]) -> (q, k, v) {
    q, k, v = rearrange(x, "s (three h d) -> three h s d", three=3, h=2) |> split(axis=0, parts=3)
}
graph gathered(x: f32[9, 3]) -> y { y = gather(x, [8, 0, 3, 3, 1], axis=0) }
graph picked(x: u8[4, 9]) -> y { y = gather(x, [0, 8, 7, 2], axis=1) }
graph reversed(x: i32[5, 4]) -> y { y = reverse_sequence(x, [5, 1, 3, 2], time_axis=0, batch_axis=1) }
graph relative(x: f32[8, 9]) -> y { y = x |> pad([1, 0], axes=[1]) |> reshape([10, 8]) |> slice([1], [10], [0]) }

# ---- values that are looked up element by element
graph looked_up(x: i32[61, 67]) -> y { y = x |> transpose() |> reshape([61, 67]) |> transpose() }
graph looked_up1(x: u8[13, 11]) -> y {
    y = x |> transpose() |> reshape([13, 11]) |> transpose() |> reshape([11, 13]) |> transpose()
}
graph looked_up8(x: f64[13, 11]) -> y {
    y = x |> transpose() |> reshape([13, 11]) |> transpose() |> pad([1, 1, 1, 1], value=2)
}

# ---- elements of less than a byte
graph nibbles(x: u4[7, 9]) -> y { y = transpose(x) }
graph nibble_rows(x: i4[5, 16]) -> y { y = x[:, 3:14] }
graph nibble_ends(x: u4[11]) -> y { y = x[1:] }
graph crumbs(x: u2[5, 13]) -> y { y = transpose(x) }
graph floats4(x: f4e2m1[4, 6, 2]) -> y { y = transpose(x, [1, 0, 2]) }
graph unpacked(x: u4[3, 5]) -> y { y = transpose(x) |> cast(u8) }
graph packed(x: i8[3, 5]) -> y { y = transpose(x) |> cast(i4) }

# ---- functions of elements
graph widened(x: u8[4, 6]) -> y { y = transpose(x) |> cast(i32) }
graph widest(x: i32[4, 6]) -> y { y = cast(x, i64) |> transpose() }
graph narrowed(x: i64[4, 6]) -> y { y = cast(x, u8) |> transpose() }
graph brain(x: bf16[4, 6]) -> y { y = transpose(x) |> cast(f32) }
graph rectified(x: i32[4, 6]) -> y { y = relu(x) |> transpose() }
graph truths(x: u16[4, 6]) -> y { y = cast(x, bool) }

# ---- storage, in place
graph stored(x: f32[1, 6, 5, 4] layout "n c h w -> n h w c") -> y { y = reshape(x, [6, 20]) }
graph to_blocks(x: f32[1, 16, 3, 2]) -> y: f32[1, 16, 3, 2] layout "n (c1 8) h w -> n c1 h w 8" { y = identity(x) }
graph over(x: i32[4, 6]) -> y { y = paddle.reshape(x, [24], act="relu", inplace=true) }
graph viewed(x: f32[6, 4]) -> y { y = reshape(x, [3, 8]) }
graph tail(x: u16[6, 4]) -> y { y = x[2:] }

# ---- inputs that reside in their result: the buffer keeps what it held there
graph joined_to(a: f32[4, 3] placed, b: f32[4, 5]) -> y { y = concat(a, b, axis=1) }
graph in_frame(x: u8[6, 5, 3] placed) -> y { y = pad(x, [1, 1, 0, 1, 1, 0]) }
graph third(a: u16[7], b: u16[7] placed, c: u16[7]) -> y { y = stack(a, b, c, axis=1) }

# ---- one buffer for both, and two
graph square(x: u8[9, 9]) -> inplace y { y = transpose(x) }
graph features(x: i16[13, 10]) -> inplace y { y = transpose(x) }
graph camera(x: u8[6, 8, 3]) -> inplace y { y = transpose(x, [2, 0, 1]) }
graph batched(x: f32[3, 4, 6]) -> inplace y { y = transpose(x, [0, 2, 1]) }
graph backward(x: f64[5, 7]) -> inplace y { y = x[::-1, ::-1] }
graph ring_rows(x: i16[7, 6]) -> inplace y { y = roll(x, 2, axis=1) }
graph turned_over(x: c128[3, 5]) -> inplace y { y = transpose(x) }
graph many_cycles(x: u8[48, 48]) -> inplace y { y = transpose(x) }
