graph g(x: f32[2, 3]) -> y {
    y = transpose(x, [0, 1, 2])
}
