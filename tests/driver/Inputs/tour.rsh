# One of everything, to be cut at every byte.
graph heads(x: f16[4, 16, 24]) -> y: f16[4, 3, 16, 8] {
    y = x |> reshape([0, 0, 3, 8]) |> transpose([0, 2, 1, 3])
}
graph rows(x: f32[B, 28, 28]) -> view y: f32[B, 784] where B <= 64, B in [1, 8] {
    y = flatten(x)
}
graph parts(x: i8[2, 6]) -> (a: i8[2, 3], b: i8[6, 2]) {
    a, c = split(x, axis=-1, parts=2)
    t = x[::-1, 0:6, ...]
    b = rearrange(t, "h (w k) -> (w k) h", k=2)
}
