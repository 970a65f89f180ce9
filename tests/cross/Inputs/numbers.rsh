# Element functions that need floating-point arithmetic, for cross.py.
graph planes(x: u8[5, 6, 3]) -> y { y = rearrange(x, "h w c -> 1 c h w") |> cast(f32) }
graph halves(x: f16[4, 6]) -> y { y = transpose(x) |> cast(f32) }
graph to_halves(x: f32[4, 6]) -> y { y = transpose(x) |> cast(f16) }
graph to_brain(x: f32[4, 6]) -> y { y = transpose(x) |> cast(bf16) }
graph to_bytes(x: f32[4, 6]) -> y { y = transpose(x) |> cast(u8) }
graph rectified(x: f32[4, 6]) -> y { y = relu(x) |> transpose() }
graph leaky(x: f32[4, 6]) -> y { y = leaky_relu(x) |> transpose() }
graph swish(x: f32[4, 6]) -> y { y = hard_swish(x) |> transpose() }
