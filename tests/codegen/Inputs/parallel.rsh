# One graph for each way to divide work. The names say which; parallel.py has the expected results.
graph outer(x: f32[40, 33, 70]) -> y: f32[40, 70, 33] {
    y = transpose(x, [0, 2, 1])
}
graph rows_of_matrix(x: f32[1000, 300]) -> y: f32[300, 1000] {
    y = transpose(x, [1, 0])
}
graph bytes_of_matrix(x: u8[515, 1021]) -> y: u8[1021, 515] {
    y = transpose(x, [1, 0])
}
graph weave(x: u8[3, 100000]) -> y: u8[100000, 3] {
    y = transpose(x, [1, 0])
}
graph unweave(x: u8[90016, 3]) -> y: u8[3, 90016] {
    y = transpose(x, [1, 0])
}
graph odd_planes(x: u8[90001, 3]) -> y: u8[3, 90001] {
    y = transpose(x, [1, 0])
}
graph runs(x: f16[2, 128, 12, 64]) -> y: f16[2, 12, 128, 64] {
    y = transpose(x, [0, 2, 1, 3])
}
graph one_run(a: u8[200000], b: u8[100003]) -> y: u8[300003] {
    y = concat(a, b, axis=0)
}
graph lines_of_runs(a: u8[128000], b: u8[200005]) -> y: u8[328005] {
    y = concat(a, b, axis=0)
}
graph border(x: u8[64, 60, 61]) -> y: u8[64, 62, 63] {
    y = pad(x, [0, 1, 1, 0, 1, 1])
}
graph casts(x: u8[300, 400, 3]) -> y: f32[3, 300, 400] {
    y = x |> transpose([2, 0, 1]) |> cast(f32)
}
graph bits(x: i4[512, 600]) -> y: i4[600, 512] {
    y = transpose(x, [1, 0])
}
graph several(x: f32[64, 64, 64]) -> (a: f32[64, 64, 64], b: f32[8192, 32], c: f32[2, 3]) {
    a = transpose(x, [2, 1, 0])
    b = x |> flip([2]) |> reshape([8192, 32])
    c = x[0, 0:2, 0:3]
}
graph tiny(rsh_i: u8[4, 4]) -> y: u8[4, 4] {
    y = transpose(rsh_i, [1, 0])
}
graph stacked(a: f32[100003], b: f32[100003]) -> y: f32[100003, 2] {
    y = stack(a, b, axis=1)
}
graph with_alpha(x: u8[500, 401, 3]) -> y: u8[500, 401, 4] {
    y = pad(x, [0, 0, 0, 0, 0, 1], 255)
}
graph spaced(x: f16[600, 333]) -> y: f16[1200, 666] {
    y = x |> reshape([600, 1, 333, 1]) |> pad([0, 0, 0, 0, 0, 1, 0, 1]) |> reshape([1200, 666])
}
graph picked(x: f32[3000002]) -> y: f32[1500001] {
    y = x[::2]
}
graph picked_rows(x: f32[2000, 2240]) -> y: f32[1000, 1120] {
    y = x[::2, ::2]
}
graph turned(x: i8[700, 513]) -> y: i8[513, 700] {
    y = x |> transpose() |> sub(3)
}
graph mirrored(x: f32[9, 300, 64]) -> y: f32[9, 64, 300] {
    y = x |> transpose([0, 2, 1]) |> mul(-1.0)
}
graph planes(x: i8[400, 300, 3]) -> y: i8[3, 400, 300] {
    y = x |> transpose([2, 0, 1]) |> sub(1)
}
graph heads(x: f16[B, S, 96]) -> y: f16[B, 6, S, 16] where S <= 4096 {
    y = x |> reshape([0, 0, 6, 16]) |> transpose([0, 2, 1, 3])
}
graph matrix(x: f32[M, N]) -> y: f32[N, M] {
    y = transpose(x, [1, 0])
}
graph batch(x: f32[B, M, N]) -> y: f32[B, N, M] where B in [1, 3] {
    y = transpose(x, [0, 2, 1])
}
graph open_pixels(x: u8[3, N]) -> y: u8[N, 3] {
    y = transpose(x)
}
graph static_batches(x: f32[B, 500, 300]) -> y: f32[B, 300, 500] where B in [1, 8] {
    y = transpose(x, [0, 2, 1])
}
graph open_rows(x: f32[B, S, 256]) -> y: f32[B, 256, S] where B in [1, 4] {
    y = transpose(x, [0, 2, 1])
}
graph open_stack(a: u8[N, 70], b: u8[N, 70]) -> y: u8[N, 70, 2] {
    y = stack(a, b, axis=2)
}
graph open_lines(x: f32[B, S, 16]) -> y: f32[B, 2*S, 16] {
    y = concat(x, flip(x, [1]), axis=1)
}
graph open_pieces(x: f32[B, S, 3]) -> y: f32[B, 2*S, 3] {
    y = concat(x, flip(x, [1]), axis=1)
}
