# What firmware moves between sensors and networks: the graphs that bench/firmware.py measures. Each has the name of the
# C function in kernels.c that does the same.

# bench/cases.tsv
graph fw_t_8x8_u8(x: u8[8, 8]) -> y {
    y = transpose(x, [1, 0])
}

graph fw_28x28x1_to_1x28x28_u8(x: u8[28, 28, 1]) -> y {
    y = transpose(x, [2, 0, 1])
}

graph fw_t_49x10_f32(x: f32[49, 10]) -> y {
    y = transpose(x, [1, 0])
}

graph fw_chw2hwc_3x32x32_i8(x: i8[3, 32, 32]) -> y {
    y = transpose(x, [1, 2, 0])
}

# The middle of a feature map.
graph crop_16x16x8_i8(x: i8[16, 16, 8]) -> y {
    y = x[2:14, 2:14]
}

# A camera's pixels to planes, unchanged and in the type of a quantized network.
graph hwc2chw_96x96x3_u8(x: u8[96, 96, 3]) -> y {
    y = transpose(x, [2, 0, 1])
}

graph camera_64x80x3_u8_i8(x: u8[64, 80, 3]) -> y {
    y = rearrange(x, "h w c -> c h w") |> cast(i8)
}

# 49 steps of 10 MFCC features, time last.
graph mfcc_49x10_i8(x: i8[49, 10]) -> y {
    y = transpose(x, [1, 0])
}

graph mfcc_49x10_i16(x: i16[49, 10]) -> y {
    y = transpose(x, [1, 0])
}

# Two feature maps side by side: by channels, and by planes.
graph concat_8x8x16_8x8x8_i8(a: i8[8, 8, 16], b: i8[8, 8, 8]) -> y {
    y = concat(a, b, axis=2)
}

graph concat_16x8x8_8x8x8_f32(a: f32[16, 8, 8], b: f32[8, 8, 8]) -> y {
    y = concat(a, b, axis=0)
}

# A border of zeros around each plane, and around pixels.
graph pad_3x8x8_i8(x: i8[3, 8, 8]) -> y {
    y = pad(x, [0, 1, 1, 0, 1, 1])
}

graph pad_8x8x4_f32(x: f32[8, 8, 4]) -> y {
    y = pad(x, [1, 1, 0, 1, 1, 0])
}

# A mirrored picture; blocks of 2 by 2 pixels as channels; every second pixel; channels shuffled in two groups.
graph mirror_28x28_u8(x: u8[28, 28]) -> y {
    y = flip(x, axes=[1])
}

graph blocks_28x28_u8(x: u8[28, 28]) -> y {
    y = rearrange(x, "(h i) (w j) -> h w (i j)", i=2, j=2)
}

graph half_32x32_u8(x: u8[32, 32]) -> y {
    y = x[::2, ::2]
}

graph shuffle_8x8x16_i8(x: i8[8, 8, 16]) -> y {
    y = rearrange(x, "h w (g c) -> h w (c g)", g=2)
}

# 128 samples of a sensor with three axes, to one row for each axis.
graph axes_128x3_i16(x: i16[128, 3]) -> y {
    y = transpose(x, [1, 0])
}

# The same with elements that can be moved as words.
graph words_crop_16x16x8_i8(x: i8[16, 16, 8] align 4) -> y: i8[12, 12, 8] align 4 {
    y = x[2:14, 2:14]
}

graph words_concat_8x8x16_8x8x8_i8(a: i8[8, 8, 16] align 4, b: i8[8, 8, 8] align 4) -> y: i8[8, 8, 24] align 4 {
    y = concat(a, b, axis=2)
}

# Four channels to planes.
graph hwc2chw_8x8x4_i8(x: i8[8, 8, 4]) -> y {
    y = transpose(x, [2, 0, 1])
}

# The steps of a sliding window move up by one; the newest one is repeated.
graph window_20x13_i16(x: i16[20, 13]) -> y {
    y = concat(x[1:], x[19:], axis=0)
}

# A border of zeros around the pixels of a feature map, for convolutions.
graph border_32x32x8_i8(x: i8[32, 32, 8]) -> y {
    y = pad(x, [1, 1, 0, 1, 1, 0])
}

# The pixels under each position of a 3 by 3 window.
graph im2col_16x16x4_i8(x: i8[16, 16, 4]) -> y {
    y = stack(
        x[0:14, 0:14],
        x[0:14, 1:15],
        x[0:14, 2:16],
        x[1:15, 0:14],
        x[1:15, 1:15],
        x[1:15, 2:16],
        x[2:16, 0:14],
        x[2:16, 1:15],
        x[2:16, 2:16],
        axis=2
    )
}

# 49 frames of a spectrogram, of which a new one replaces the oldest; the same with elements that can be moved as words.
graph slide_49x40_i8(x: i8[49, 40], f: i8[1, 40]) -> y {
    y = concat(x[1:], f, axis=0)
}

graph words_slide_49x40_i8(x: i8[49, 40] align 4, f: i8[1, 40] align 4) -> y: i8[49, 40] align 4 {
    y = concat(x[1:], f, axis=0)
}

# Space to depth, every second pixel, and weights of 4 bits as bytes.
graph s2d_32x32x4_i8(x: i8[32, 32, 4]) -> y {
    y = rearrange(x, "(h i) (w j) c -> h w (i j c)", i=2, j=2)
}

graph stride2_32x32x8_i8(x: i8[32, 32, 8]) -> y {
    y = x[::2, ::2]
}

graph unpack_2048_i4(x: i4[2048]) -> y {
    y = cast(x, i8)
}

# Pixels for a display: three bytes get a fourth one; five, six and five bits become bytes; red and blue are swapped; a
# picture is rotated by 90 or by 180 degrees; the luma of YUYV.
graph xrgb_24x32x3_u8(x: u8[24, 32, 3]) -> y {
    y = pad(x, [0, 0, 0, 0, 0, 1])
}

graph rgb888_24x32_u16(x: u16[24, 32]) -> y: u8[24, 32, 3] {
    bits = bitcast(x, u1)
    r = concat(bits[:, :, 13:], bits[:, :, 11:], axis=2)
    g = concat(bits[:, :, 9:11], bits[:, :, 5:11], axis=2)
    b = concat(bits[:, :, 2:5], bits[:, :, :5], axis=2)
    y = stack(r, g, b, axis=2) |> bitcast(u8)
}

graph bgr_24x32x3_u8(x: u8[24, 32, 3]) -> y {
    y = flip(x, axes=[2])
}

graph rotate_24x32_u16(x: u16[24, 32]) -> y {
    y = x |> flip(axes=[0]) |> transpose([1, 0])
}

graph turn_24x32_u16(x: u16[24, 32]) -> y {
    y = flip(x, axes=[0, 1])
}

graph luma_24x32_u8(x: u8[24, 32, 2]) -> y {
    y = x[:, :, 0:1]
}

# Interleaved samples of eight microphones, and of two, to one row for each; two rows interleaved.
graph tdm_64x8_i16(x: i16[64, 8]) -> y {
    y = transpose(x, [1, 0])
}

graph stereo_256x2_i16(x: i16[256, 2]) -> y {
    y = transpose(x, [1, 0])
}

graph mix_2x256_i16(x: i16[2, 256]) -> y {
    y = transpose(x, [1, 0])
}

# Depth to space, pixels twice each way, and heads of 8 side by side.
graph d2s_16x16x4_u8(x: u8[16, 16, 4]) -> y {
    y = rearrange(x, "h w (i j) -> (h i) (w j)", i=2, j=2)
}

graph twice_12x12x8_i8(x: i8[12, 12, 8]) -> y {
    y = x |> unsqueeze([1, 3]) |> expand([12, 2, 12, 2, 8]) |> reshape([24, 24, 8])
}

graph heads_16x4x8_i8(x: i8[16, 4, 8]) -> y {
    y = transpose(x, [1, 0, 2])
}

# Parts of bytes: a bitmap transposed, one with a border, and four-bit pixels transposed; flags to bytes and back.
graph bits_17x24_u1(x: u1[17, 24]) -> y {
    y = transpose(x, [1, 0])
}

graph frame_8x10_u1(x: u1[8, 10]) -> y {
    y = pad(x, [1, 1, 1, 1])
}

graph pixels_12x10_u4(x: u4[12, 10]) -> y {
    y = transpose(x, [1, 0])
}

graph flags_256_u1_u8(x: u1[256]) -> y {
    y = cast(x, u8)
}

graph pack_256_u8_u1(x: u8[256]) -> y {
    y = cast(x, u1)
}

# Rows in the order of a table.
graph rows_14x5_u8(x: u8[16, 5]) -> y {
    y = gather(x, [3, 0, 15, 7, 7, 2, 9, 1, 4, 13, 5, 8, 8, 14])
}

# In one buffer: a square transposed, a picture mirrored, and pixels to planes.
graph inplace_square_24x24_u8(x: u8[24, 24]) -> inplace y {
    y = transpose(x, [1, 0])
}

graph inplace_mirror_24x32_u8(x: u8[24, 32]) -> inplace y {
    y = flip(x, axes=[1])
}

graph inplace_planes_24x32x3_u8(x: u8[24, 32, 3]) -> inplace y {
    y = transpose(x, [2, 0, 1])
}

# The steps of a sliding window move up in their buffer, and a new one comes behind them; a part of an image is packed
# at the start of its buffer; the oldest samples of a ring buffer come first.
graph inplace_slide_49x10_i8(x: i8[49, 10], f: i8[1, 10]) -> inplace y {
    y = concat(x[1:], f, axis=0)
}

graph inplace_crop_24x32_u8(x: u8[24, 32]) -> inplace y {
    y = x[4:20, 4:28]
}

graph inplace_ring_256_i16(x: i16[256]) -> inplace y {
    y = roll(x, -48, axis=0)
}

# Sizes that are known at run time; each is called with those of its name.
graph open_40x42_t_u8(x: u8[H, W]) -> y {
    y = transpose(x, [1, 0])
}

graph open_24x21_t_f32(x: f32[H, W]) -> y {
    y = transpose(x, [1, 0])
}

graph open_24x32_planes_u8(x: u8[H, W, 3]) -> y {
    y = transpose(x, [2, 0, 1])
}
