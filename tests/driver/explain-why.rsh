# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# explain's last line says what happens to memory and why: which operators, how much from where, what is filled in, and
# what an alias is. The chains are taken from models.
# RUN: %{reshapec} explain %s | FileCheck %s

# An entry is 128 f16: 511 of them are contiguous in `past`, 1 in `new`, for each of 4 x 8 heads.
# CHECK-LABEL: graph kv_append
# CHECK: why    past and new are joined: 32 runs of 130816 bytes from past, 32 runs of 256 bytes from new
graph kv_append(past: f16[4, 8, 511, 128], new: f16[4, 8, 1, 128]) -> y {
    y = concat(past, new, axis=2)
}

# Transformer-XL's relative shift: all but the first rows stay as they were, a column apart.
# CHECK-LABEL: graph rel_shift
# CHECK: why    pad and slice change the order: one run of 8320 bytes, 63 runs of 16384 bytes, 8064 bytes filled
graph rel_shift(x: f32[64, 128, 4, 8]) -> y {
    y = x |> pad([1, 0], axes=[1]) |> reshape([129, 64, 4, 8]) |> slice([1], [129], [0]) |> reshape([64, 128, 4, 8])
}

# If the border is cut off again nothing is filled.
# CHECK-LABEL: graph rel_logits
# CHECK: why    pad and slice change the order: 16 x 149 runs of 596 bytes
graph rel_logits(x: f32[1, 16, 149, 297]) -> y {
    y = x
        |> pad([1, 0], axes=[3])
        |> reshape([1, 16, 298, 149])
        |> slice([1], [298], [2])
        |> reshape([1, 16, 149, 297])
        |> slice([0], [149], [3])
}

# The border of 2 x 130 + 2 x 64 bytes.
# CHECK-LABEL: graph bordered
# CHECK: why    pad adds a border: 64 runs of 128 bytes, 388 bytes filled
graph bordered(x: u8[64, 128]) -> y { y = pad(x, [1, 1, 1, 1], 3) }

# CHECK-LABEL: graph half_bytes
# CHECK: why    pad adds a border: 3 runs of 5 elements, 10 bytes filled
graph half_bytes(x: i4[3, 5]) -> y { y = pad(x, [1, 1, 1, 1], 3) }

# Two rows of each are one piece, whatever is between them.
# CHECK-LABEL: graph scattered
# CHECK: why    gather picks elements: 5 pieces
graph scattered(x: f32[40, 2]) -> y { y = gather(x, [0, 5, 3, 20, 9, 30, 35, 1, 38]) }

# Swin's windows of 7 x 7.
# CHECK-LABEL: graph windows
# CHECK: why    transpose moves axes 2 and 3: 8 x 8 x 7 runs of 2688 bytes
graph windows(x: f32[1, 56, 56, 96]) -> y {
    y = x |> reshape([1, 8, 7, 8, 7, 96]) |> transpose([0, 1, 3, 2, 4, 5]) |> reshape([64, 49, 96])
}

# CHECK-LABEL: graph far
# CHECK: why    too many pieces for loops: each element of y is looked up through the last of 3 operators, one by one; a graph of only the last has loops
# CHECK: loops  reshape to y
graph far(x: f32[61, 67]) -> y { y = x |> transpose() |> reshape([61, 67]) |> transpose() }

# CHECK-LABEL: graph bottom_up
# CHECK: why    flip, transpose and the layout change the order: 480 runs of 1920 bytes
graph bottom_up(x: u8[480, 640, 3] strides [2048, 3, 1]) -> y: u8[1, 3, 480, 640] layout "n c h w -> n h w c" {
    y = x |> flip(0) |> rearrange("h w c -> 1 c h w")
}

# CHECK-LABEL: graph canceled
# CHECK: why    both operators cancel: element i of y is element i of x
# CHECK: why    a contiguous slice of x, from element 12
graph canceled(x: f32[2, 3, 4]) -> (y, z) {
    y = x |> transpose([2, 0, 1]) |> transpose([1, 2, 0])
    z = x[1]
}
