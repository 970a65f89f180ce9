# Kernels with target shapes that are data, for cross.py: `s:2,12` is what input s holds, `y=96` the bytes of output y.

# sizes s:2,12 y=96
graph shaped(x: f32[4, 6], s: i64[2]) -> y { y = reshape(x, s) }
# sizes s:0,-1 y=48
graph inferred(x: i16[4, 6], s: i64[2]) -> y { y = reshape(x, s) |> transpose() }
# sizes s:5,-1 y=48
graph refused(x: i16[4, 6], s: i64[2]) -> y { y = reshape(x, s) }
# sizes N=6 s:3,-1,2 y=24
graph sized(x: u8[4, N], s: i64[3]) -> y { y = transpose(x) |> reshape(s) |> transpose() }
# sizes s:2,3,8 y=96
graph padded(x: u8[4, 12], s: i64[3]) -> y { y = reshape(x, s) |> pad([1, 0, 0, 1, 0, 0], value=9) }
# sizes s:6,4 y=192
graph widened(x: u8[4, 6], s: i64[2]) -> y { y = reshape(x, s) |> flip([1]) |> transpose() |> cast(i64) }
# sizes s:12 y=12
graph nibbles(x: u4[4, 6], s: i64[1]) -> y {
    y = transpose(x) |> reshape([2, 12]) |> slice([0], [1], [0]) |> reshape(s)
}
# sizes s:3,8 y=96
graph positive(x: i32[4, 6], s: i64[2]) -> y { y = reshape(x, s) |> relu() |> transpose() }
# sizes s:6,4 y=48
graph halves(x: f16[4, 6], s: i64[2]) -> y { y = reshape(x, s) |> abs() }
# sizes s:2,12 y=128
graph bordered(x: f32[4, 6], s: i64[2]) -> y { y = reshape(x, s) |> pad([0, 1, 0, 3], value=1.5) }
# sizes s:2,2 y=96
graph complex_border(x: c64[4], s: i64[2]) -> y { y = reshape(x, s) |> pad([0, 1, 0, 3], value=2) }
