# What stands between a sensor and a small network on a microcontroller.

# A camera's frame, pixel by pixel, to the planes of an image network. Its values are 7 bits.
graph camera(frame: u8[96, 96, 3]) -> planes: i8[1, 3, 96, 96] {
    planes = rearrange(frame, "h w c -> 1 c h w") |> cast(i8)
}

# 49 steps of 10 MFCC features to a keyword spotter that takes time last; in the one buffer there is.
graph keywords(mfcc: i8[49, 10]) -> inplace features: i8[10, 49] {
    features = transpose(mfcc)
}

# A sensor that sends five, six and five bits a pixel, to the planes of a quantised network whose zero point is -128. Upper
# bits stand again below, so that white stays white; the one of a byte is turned over.
graph sensor(frame: u16[96, 96]) -> planes: i8[3, 96, 96] {
    bits = bitcast(frame, u1)
    r = concat(bits[:, :, 13:], bits[:, :, 11:], axis=2)
    g = concat(bits[:, :, 9:11], bits[:, :, 5:11], axis=2)
    b = concat(bits[:, :, 2:5], bits[:, :, :5], axis=2)
    planes = bitcast((stack(r, g, b) |> bitcast(u8)) ^ 128, i8)
}
