# Conversions between the pixel order of cameras and decoders and the planes that networks read.

graph planar(photo: u8[1080, 1920, 3]) -> planes: u8[3, 1080, 1920] {
    planes = rearrange(photo, "h w c -> c h w")
}

graph interleaved(planes: u8[3, 1080, 1920]) -> photo: u8[1080, 1920, 3] {
    photo = rearrange(planes, "c h w -> h w c")
}

# The upper half of the picture: an alias.
graph upper_half(photo: u8[1080, 1920, 3]) -> view top: u8[540, 1920, 3] {
    top = photo[:540]
}

# Network input: planes of floats from -1 to 1, in one pass with the deinterleaving of pixels.
graph normalized(photo: u8[1080, 1920, 3]) -> planes: f32[3, 1080, 1920] {
    planes = cast(transpose(photo, [2, 0, 1]), f32)/127.5 - 1.0
}

# Input of a quantized network: the same, with the scale of its input.
graph quantized(photo: u8[1080, 1920, 3]) -> planes: i8[3, 1080, 1920] {
    planes = cast(transpose(photo, [2, 0, 1]), f32)/127.5 - 1.0 |> quantize(0.0078125, -1, i8)
}
