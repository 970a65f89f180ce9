# One graph for each way to write large results. The names say which; symbolic_large.py has the expected results.
graph matrix(x: f32[M, N]) -> y: f32[N, M] {
    y = transpose(x)
}
graph halves(x: f16[M, N]) -> y: f16[N, M] {
    y = transpose(x)
}
graph bytes_(x: u8[M, N]) -> y: u8[N, M] {
    y = transpose(x)
}
graph pixels(x: f32[B, 64, P]) -> y: f32[B, P, 64] {
    y = transpose(x, [0, 2, 1])
}
graph planes(x: f16[B, P, C]) -> y: f16[B, C, P] {
    y = transpose(x, [0, 2, 1])
}
graph heads(x: f16[B, S, 768]) -> y: f16[B, 12, S, 64] {
    y = x |> reshape([0, 0, 12, 64]) |> transpose([0, 2, 1, 3])
}
graph merged(x: f16[B, 12, S, 64]) -> y: f16[B, S, 12, 64] {
    y = transpose(x, [0, 2, 1, 3])
}
graph cache(past: f32[B, S, 16], new: f32[B, T, 16]) -> y: f32[B, S + T, 16] {
    y = concat(past, new, axis=1)
}
graph side_by_side(a: u8[B, S], b: u8[B, T]) -> y: u8[B, S + T] {
    y = concat(a, b, axis=1)
}
graph stacked(a: f32[N], b: f32[N]) -> y: f32[N, 2] {
    y = stack(a, b, axis=1)
}
graph stacked_rows(a: u8[M, N], b: u8[M, N]) -> y where N > 1 {
    y = stack(a[:, 1:], b[:, 1:], axis=2)
}
graph with_alpha(x: u8[N, 3]) -> y: u8[N, 4] {
    y = pad(x, [0, 0, 0, 1], 255)
}
graph above_and_beside(x: f32[M, N]) -> y: f32[M + 3, N + 2000] {
    y = pad(x, [3, 2000, 0, 0], 1.5)
}
graph below(x: f16[M, N]) -> y: f16[M + 1, N + 300] {
    y = pad(x, [0, 0, 1, 300], -2)
}
graph every_other(x: f32[N, 2]) -> y: f32[N] {
    y = x[:, 1]
}
graph backward(x: f16[M, N]) -> y: f16[M, N] {
    y = x[:, ::-1]
}
graph few_of_pixels(x: u8[M, N, 4]) -> y: u8[M, N, 2] {
    y = x[:, :, 1:3]
}
graph small_squares(x: u8[N, 8, 8]) -> y: u8[N, 8, 8] {
    y = transpose(x, [0, 2, 1])
}
graph known_rows(x: f32[N, 4096]) -> y {
    y = x[:, ::2]
}
