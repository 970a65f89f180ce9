graph swap(x: f32[10, 20]) -> y {
    y = transpose(x)
}

graph pixels(x: u8[28, 28, 3]) -> y {
    y = transpose(x, [2, 0, 1])
}

graph open(x: f32[N, 20]) -> y {
    y = transpose(x)
}

graph rows(x: f32[10, 20]) -> y {
    y = reshape(x, [-1])
}
graph batches(x: f32[B, 10, 20]) -> y where B in [1] { y = transpose(x, [0, 2, 1]) }
