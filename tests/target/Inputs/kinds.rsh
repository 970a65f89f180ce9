# One graph for each way to build a kernel.
graph turned(x: f32[70, 90]) -> y { y = transpose(x) }
graph rows(x: f32[5, 100]) -> y: f32[5, 99] { y = x[:, 1:100] }
graph whole(x: u8[3000]) -> y: u8[3000] { y = reshape(x, [3000]) }
graph part(x: i16[8, 6]) -> y: i16[2, 6] { y = x[3:5, :] }
graph joined(a: u8[3, 5], b: u8[2, 5]) -> y { y = concat(a, b, axis=0) }
graph looked_up(x: i32[61, 67]) -> y { y = x |> transpose() |> reshape([61, 67]) |> transpose() }
graph nothing(x: f32[0, 4]) -> y { y = transpose(x) }
graph scalar(x: f64) -> y: f64[1, 1] { y = reshape(x, [1, 1]) }
graph pairs(x: c64[2, 3], w: c128[4]) -> (y, z) {
    y = transpose(x)
    z = w[1:3]
}
graph long(x: f32[2, 3]) -> y { y = transpose(x) }
graph heads(x: f16[B, S, 24]) -> y { y = x |> reshape([0, 0, 3, 8]) |> transpose([0, 2, 1, 3]) }
graph fives(x: u8[N]) -> y where N % 5 == 0 { y = reshape(x, [-1, 5]) |> transpose() }
graph shifted(x: f32[Q, K]) -> y {
    y = x |> pad([1, 0], axes=[1]) |> reshape([K + 1, Q]) |> slice([1], [K + 1], [0]) |> reshape([Q, K])
}
graph nibbles(x: u4[7, 9]) -> y { y = transpose(x) }
graph positive(x: i32[4, 6], s: i64[2]) -> y { y = reshape(x, s) |> relu() }
graph target(x: f32[4, 6], s: i64[2]) -> y { y = reshape(x, s) }
