graph two(x: u8[28, 28, 3], n: f32[40, 50]) -> (y, z) {
    y = x
        |> transpose([2, 0, 1])
    z = transpose(n)
}
graph heads(x: f16[B, S, 768]) -> y where S <= 4096 {
    h = reshape(x, [0, 0, 12, 64])
    y = transpose(h, [0, 2, 1, 3])
}
graph left(x: f32[4, 6], s: i64[2]) -> y { y = reshape(x, s) }
