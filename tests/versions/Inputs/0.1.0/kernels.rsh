# One graph of each tier, and what a header has beside.
graph planes(x: u8[2, 3]) -> (y: u8[3, 2], view row: u8[3]) {
    y = transpose(x)
    row = x[1]
}

graph swap(x: f32[N, 4]) -> y where N >= 1 {
    y = x |> reshape([-1, 2, 2]) |> transpose([0, 2, 1])
}

graph as_asked(x: u8[B, 6], s: i64[2]) -> y {
    y = reshape(transpose(x), s)
}
