# Open extents: loops around elements, functions of elements, runs that a call copies, and two nests.
graph across(x: u8[H, W]) -> y { y = transpose(x) }
graph planes(x: i16[H, W, 3]) -> y { y = transpose(x, [2, 0, 1]) }
graph pixels(x: f32[3, H, W]) -> y { y = transpose(x, [1, 2, 0]) }
graph backward(x: i16[A, B, C]) -> y { y = flip(x, axes=[2, 0]) }
graph spread(x: i8[A, B]) -> y { y = cast(x, i32) |> transpose() }
graph swapped(x: u8[A, B, C]) -> y { y = transpose(x, [1, 0, 2]) }
graph beside(x: f32[A, B], z: f32[A, C]) -> y { y = concat(x, z, axis=1) }
graph framed(x: u8[A, B]) -> y { y = pad(x, [1, 2, 1, 0], value=7) }
graph doubled(x: u8[A, B]) -> y where B % 2 == 0 { y = reshape(x, [2*A, B/2]) |> transpose() }
