# Element functions that only compare floats, for cross.py: arbitrary bits of f16, including NaN.
graph halves(x: f16[64, 32]) -> y { y = relu(x) |> transpose() }
graph singles(x: f16[64, 32]) -> (a, b, c, d) {
    a = cast(x, f32) |> relu()
    b = cast(x, f32) |> relu6()
    c = cast(x, f32) |> thresholded_relu()
    d = cast(x, f32) |> hard_shrink()
}
graph doubles(x: f16[64, 32]) -> (a, b, c, d) {
    a = cast(x, f64) |> abs()
    b = cast(x, f64) |> brelu() |> cast(f32)
    c = cast(x, f64) |> thresholded_relu() |> cast(f16)
    d = cast(x, f64) |> hard_shrink() |> cast(i8)
}
