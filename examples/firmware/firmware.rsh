# Conversions from a sensor to the input of a small network on a microcontroller.

# Interleaved pixels of a camera to the planes of an image network, whose inputs have 7 bits.
graph camera(frame: u8[96, 96, 3]) -> planes: i8[1, 3, 96, 96] {
    planes = rearrange(frame, "h w c -> 1 c h w") |> cast(i8)
}

# 49 steps of 10 MFCC features, transposed for a keyword spotter with time as the last axis, in a single buffer.
graph keywords(mfcc: i8[49, 10]) -> inplace features: i8[10, 49] {
    features = transpose(mfcc)
}

# RGB565 pixels of a sensor to the planes of a quantized network whose zero point is -128. The upper bits are repeated
# as the lowest ones, so that white remains white, and the highest bit of each byte is inverted.
graph sensor(frame: u16[96, 96]) -> planes: i8[3, 96, 96] {
    bits = bitcast(frame, u1)
    r = concat(bits[:, :, 13:], bits[:, :, 11:], axis=2)
    g = concat(bits[:, :, 9:11], bits[:, :, 5:11], axis=2)
    b = concat(bits[:, :, 2:5], bits[:, :, :5], axis=2)
    planes = bitcast((stack(r, g, b) |> bitcast(u8)) ^ 128, i8)
}
