# Pixel formats of small displays and cameras: each conversion is one pass of shifts and masks over whole words.
# reshapec pixels.rsh --target=thumbv7em-none-eabi -mcpu=cortex-m4 -o pixels.o --header pixels.h

# RGB565 to RGB888: the upper bits are repeated as the lowest ones, so that white remains white.
graph rgb565_to_rgb888(x: u16[240, 320]) -> y: u8[240, 320, 3] {
    bits = bitcast(x, u1)
    r = concat(bits[:, :, 13:], bits[:, :, 11:], axis=2)
    g = concat(bits[:, :, 9:11], bits[:, :, 5:11], axis=2)
    b = concat(bits[:, :, 2:5], bits[:, :, :5], axis=2)
    y = stack(r, g, b, axis=2) |> bitcast(u8)
}

graph rgb888_to_rgb565(x: u8[240, 320, 3]) -> y: u16[240, 320] {
    bits = bitcast(x, u1)
    y = concat(bits[:, :, 2, 3:], bits[:, :, 1, 2:], bits[:, :, 0, 3:], axis=2) |> bitcast(u16)
}

# The camera's picture as planes.
graph rgb565_to_planes(x: u16[240, 320]) -> y: u8[3, 240, 320] {
    bits = bitcast(x, u1)
    r = concat(bits[:, :, 13:], bits[:, :, 11:], axis=2)
    g = concat(bits[:, :, 9:11], bits[:, :, 5:11], axis=2)
    b = concat(bits[:, :, 2:5], bits[:, :, :5], axis=2)
    y = stack(r, g, b) |> bitcast(u8)
}

# Pages of a display with one bit per pixel (SSD1306): a byte has eight rows, the top one in the lowest bit.
graph display_pages(x: u1[64, 128]) -> y: u8[8, 128] {
    y = rearrange(x, "(page row) column -> page column row", row=8) |> bitcast(u8)
}

graph bit_planes(x: u8[4096]) -> y: u1[8, 4096] {
    y = bitcast(x, u1) |> transpose()
}

# The same for a quantized network whose zero point is -128: the highest bit of each byte is inverted.
graph rgb565_to_network(x: u16[96, 96]) -> y: i8[3, 96, 96] {
    bits = bitcast(x, u1)
    r = concat(bits[:, :, 13:], bits[:, :, 11:], axis=2)
    g = concat(bits[:, :, 9:11], bits[:, :, 5:11], axis=2)
    b = concat(bits[:, :, 2:5], bits[:, :, :5], axis=2)
    y = bitcast((stack(r, g, b) |> bitcast(u8)) ^ 128, i8)
}

# Accumulators of a convolution, requantized as in TensorFlow Lite, with their channels shuffled (ShuffleNet).
graph requantize_and_shuffle(x: i32[28, 28, 64]) -> y: i8[28, 28, 64] {
    y = requantize(x, 1518500250, -9, zero_point=-5, dtype=i8) |> rearrange("h w (g c) -> h w (c g)", g=4)
}
