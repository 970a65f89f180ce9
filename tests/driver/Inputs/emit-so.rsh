graph turned(x: u8[2, 3]) -> y {
    y = transpose(x)
}

graph swap(x: f32[N, 4]) -> y {
    y = x |> reshape([-1, 2, 2]) |> transpose([0, 2, 1])
}

graph as_asked(x: u8[2, 6], s: i64[2]) -> y {
    y = reshape(transpose(x), s)
}

graph grown(x: f32[4]) -> y {
    y = tanh(x)
}
