# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Layouts of inputs and results: what is in memory, and what an operator then costs.
# RUN: %{python} %{root}/tests/layout/Inputs/stored.py %{root} %{reshapec} "%{cc}" %t.dir %s

graph from_nhwc(x: f32[2, 3, 4, 5] layout "n c h w -> n h w c") -> y {
    # STORED x [2, 4, 5, 3]
    # EXPECT y static [2, 3, 4, 5] = x.transpose(0, 3, 1, 2)
    y = x
}

graph to_nhwc(x: f32[2, 3, 4, 5]) -> y: f32[2, 3, 4, 5] layout "n c h w -> n h w c" {
    # STORED x [2, 3, 4, 5]
    # EXPECT y static [2, 3, 4, 5] = x.transpose(0, 2, 3, 1)
    y = x
}

# "May have a different memory layout": a reshape of what is not row-major in memory is one copy.
graph static_reshape(x: f32[2, 3, 4, 5] layout "n c h w -> n h w c") -> y: f32[2, 60] {
    # STORED x [2, 4, 5, 3]
    # EXPECT y static [2, 60] = x.transpose(0, 3, 1, 2)
    y = onednn.static_reshape(x, shape=[2, -1], special_zero=false)
}

# The inverse of the layout leaves nothing to do.
graph cancels(x: f32[2, 3, 4, 5] layout "n c h w -> n h w c") -> view y: f32[2, 20, 3] {
    # STORED x [2, 4, 5, 3]
    # EXPECT y alias [2, 20, 3] = x
    y = rearrange(x, "n c h w -> n (h w) c")
}

graph through(x: f32[2, 3, 4, 5] layout "n c h w -> n h w c") -> view y: f32[2, 3, 4, 5] layout "n c h w -> n h w c" {
    # STORED x [2, 4, 5, 3]
    # EXPECT y alias [2, 3, 4, 5] = x
    y = x
}

# Some channels of an NHWC image, and some of its rows.
graph parts(x: u8[1, 3, 4, 5] layout "n c h w -> n h w c") -> (
    c: u8[1, 2, 4, 5] layout "n c h w -> n h w c",
    view r: u8[1, 3, 2, 5] layout "n c h w -> n h w c"
) {
    # STORED x [1, 4, 5, 3]
    # EXPECT c static [1, 2, 4, 5] = x[..., 1:]
    c = x[:, 1:]
    # EXPECT r alias [1, 3, 2, 5] = x[:, 1:3]
    r = x[:, :, 1:3]
}

graph nChw16c(x: f32[2, 32, 4, 5]) -> y: f32[2, 32, 4, 5] layout "n (c1 16) h w -> n c1 h w 16" {
    # STORED x [2, 32, 4, 5]
    # EXPECT y static [2, 32, 4, 5] = x.reshape(2, 2, 16, 4, 5).transpose(0, 1, 3, 4, 2)
    y = x
}

graph from_nChw16c(x: f32[2, 32, 4, 5] layout "n (c1 16) h w -> n c1 h w 16") -> y {
    # STORED x [2, 2, 4, 5, 16]
    # EXPECT y static [2, 32, 4, 5] = x.transpose(0, 1, 4, 2, 3)
    y = x
}

# A channel block is contiguous in both.
graph one_block(x: f32[2, 32, 4, 5] layout "n (c1 16) h w -> n c1 h w 16")
    -> view y: f32[1, 16, 4, 5] layout "n c h w -> n h w c" {
    # STORED x [2, 2, 4, 5, 16]
    # EXPECT y alias [1, 16, 4, 5] = x[0, 1]
    y = x[0:1, 16:]
}

# Two axes with the same number, in order: the block of o is outside that of i.
graph OIhw4o4i(w: f32[8, 12, 3, 3]) -> y: f32[8, 12, 3, 3] layout "(o 4) (i 4) h w -> o i h w 4 4" {
    # STORED w [8, 12, 3, 3]
    # EXPECT y static [8, 12, 3, 3] = w.reshape(2, 4, 3, 4, 3, 3).transpose(0, 2, 4, 5, 1, 3)
    y = w
}

# The other order needs names.
graph OIhw4i4o(w: f32[8, 12, 3, 3]) -> y: f32[8, 12, 3, 3] layout "(o a=4) (i b=4) h w -> o i h w b a" {
    # STORED w [8, 12, 3, 3]
    # EXPECT y static [8, 12, 3, 3] = w.reshape(2, 4, 3, 4, 3, 3).transpose(0, 2, 4, 5, 3, 1)
    y = w
}

# 8i16o2i: an axis in three parts.
graph blocked_twice(w: f64[4, 8]) -> y: f64[4, 8] layout "(o 2) (i i1=2 i0=2) -> o i i1 2 i0" {
    # STORED w [4, 8]
    # EXPECT y static [4, 8] = w.reshape(2, 2, 2, 2, 2).transpose(0, 2, 3, 1, 4)
    y = w
}

graph dots(x: i16[2, 3, 4, 5] layout "n c ... -> n ... c") -> y: i16[2, 3, 4, 5] layout "n ... w -> w n (...)" {
    # STORED x [2, 4, 5, 3]
    # EXPECT y static [2, 3, 4, 5] = x.transpose(2, 0, 3, 1)
    y = x
}

# Only a size of 1, and no axes at all.
graph same(x: f32[2, 3] layout "a b -> a 1 b", z: f32[2, 3] layout "a b -> a b") -> (view y, view v) {
    # STORED x [2, 1, 3]
    # STORED z [2, 3]
    # EXPECT y alias [2, 3] = x
    y = x
    # EXPECT v alias [2, 3] = z
    v = z
}

# A call passes values; layouts only concern memory.
graph channels(x: f32[2, 3, 4, 5] layout "n c h w -> n h w c") -> y: f32[3, 40] layout "c r -> r c" {
    # STORED x [2, 4, 5, 3]
    # EXPECT y alias [3, 40] = x
    y = rearrange(x, "n c h w -> c (n h w)")
}
graph calls(x: f32[2, 3, 4, 5]) -> y {
    # STORED x [2, 3, 4, 5]
    # EXPECT y static [3, 40] = x.transpose(1, 0, 2, 3)
    y = channels(x)
}
