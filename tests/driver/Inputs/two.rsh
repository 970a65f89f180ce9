graph swap(x: f32[2, 3]) -> y: f32[3, 2] {
    y = transpose(x)
}

graph join(a: i16[2, 2], b: i16[1, 2]) -> (both: i16[3, 2], flat: i16[4]) {
    both = concat(a, b, axis=0)
    flat = reshape(a, [4])
}
