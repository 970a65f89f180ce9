# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Strides of inputs and results: padded rows, repetition, backwards, a strided layout. Gaps of results are not
# written.
# RUN: %{python} %{root}/tests/layout/Inputs/stored.py %{root} %{reshapec} "%{cc}" %t.dir %s

graph padded_rows(x: f32[4, 6] strides [8, 1]) -> (y, view row, t) {
    # STORED x [30]
    # EXPECT y static [4, 6] = view(x, 0, [4, 6], [8, 1])
    y = x
    # EXPECT row alias [6] = x[16:22]
    row = x[2]
    # EXPECT t static [6, 4] = view(x, 0, [6, 4], [1, 8])
    t = transpose(x)
}

graph repeated(x: f32[3, 4] strides [0, 1]) -> y {
    # STORED x [4]
    # EXPECT y static [3, 4] = np.stack([x, x, x])
    y = x
}

graph overlapping(x: f32[5, 3] strides [1, 1]) -> y {
    # STORED x [7]
    # EXPECT y static [5, 3] = view(x, 0, [5, 3], [1, 1])
    y = x
}

# The pointer is to the lowest address.
graph backwards(x: f32[4, 6] strides [6, -1]) -> (y, view z) {
    # STORED x [24]
    # EXPECT y static [4, 6] = x.reshape(4, 6)[:, ::-1]
    y = x
    # EXPECT z alias [4, 6] = x
    z = flip(x, axes=[1])
}

graph bottom_up(x: u8[3, 4, 2] strides [-8, 2, 1]) -> y: u8[3, 4, 2] strides [-8, 2, 1] {
    # STORED x [24]
    # EXPECT y alias [3, 4, 2] = x
    y = x
}

# Strides equal to the type's change nothing.
graph dense(x: f32[4, 6] strides [6, 1]) -> view y: f32[24] strides [1] {
    # STORED x [24]
    # EXPECT y alias [24] = x
    y = flatten(x, axis=0) |> reshape([-1])
}

# The strides of a size of 1 are never used.
graph ones(x: f32[1, 4] strides [1000, 1]) -> view y {
    # STORED x [4]
    # EXPECT y alias [1, 4] = x
    y = x
}

graph to_padded_rows(x: f32[6, 4]) -> y: f32[4, 6] strides [8, 1] {
    # STORED x [6, 4]
    # EXPECT y static [4, 6] = spread(x.T, 0, [8, 1])
    y = transpose(x)
}

graph to_backwards(x: f32[4, 6]) -> y: f32[4, 6] strides [-8, 1] {
    # STORED x [4, 6]
    # EXPECT y static [4, 6] = spread(x, 24, [-8, 1])
    y = x
}

# A reshape over the padding: runs end where rows do.
graph reshaped(x: f32[4, 6] strides [8, 1]) -> y: f32[3, 8] strides [10, 1] {
    # STORED x [30]
    # EXPECT y static [3, 8] = spread(view(x, 0, [4, 6], [8, 1]).reshape(3, 8), 0, [10, 1])
    y = reshape(x, [3, 8])
}

graph joined(x: f32[2, 3], z: f32[2, 2]) -> y: f32[2, 5] strides [7, 1] {
    # STORED x [2, 3]
    # STORED z [2, 2]
    # EXPECT y static [2, 5] = spread(np.concatenate([x, z], 1), 0, [7, 1])
    y = concat(x, z, axis=1)
}

# The same gaps on both sides: nothing to do, and the exported function leaves them alone.
graph both(x: f32[4, 6] strides [8, 1]) -> view y: f32[4, 6] strides [8, 1] {
    # STORED x [30]
    # EXPECT y alias [4, 6] = spread(view(x, 0, [4, 6], [8, 1]), 0, [8, 1])
    y = x
}

# Rows of an NHWC image at a pitch; the strides apply to the layout's axes in memory.
graph pitched(x: u8[1, 3, 2, 4] layout "n c h w -> n h w c" strides [32, 16, 3, 1])
    -> y: u8[1, 3, 2, 4] layout "n c h w -> n h w c" strides [64, 32, 3, 1] {
    # STORED x [28]
    # EXPECT y static [1, 3, 2, 4] = spread(view(x, 0, [1, 2, 4, 3], [32, 16, 3, 1]), 0, [64, 32, 3, 1])
    y = x
}

graph empty(x: f32[0, 6] strides [-8, 1]) -> y: f32[6, 0] strides [1, 1] {
    # STORED x [0]
    # EXPECT y alias [6, 0] = x
    y = transpose(x)
}

# Strides may use the sizes.
graph expressions(x: i32[2, 3] strides [2*3 + 1, 2]) -> y {
    # STORED x [12]
    # EXPECT y static [2, 3] = view(x, 0, [2, 3], [7, 2])
    y = x
}
