# What stands between a sensor and a small network on a microcontroller.

# A camera's frame, pixel by pixel, to the planes of an image network. Its values are 7 bits.
graph camera(frame: u8[96, 96, 3]) -> planes: i8[1, 3, 96, 96] {
    planes = rearrange(frame, "h w c -> 1 c h w") |> cast(i8)
}

# 49 steps of 10 MFCC features to a keyword spotter that takes time last; in the one buffer there is.
graph keywords(mfcc: i8[49, 10]) -> inplace features: i8[10, 49] {
    features = transpose(mfcc)
}
