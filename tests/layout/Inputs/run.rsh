graph nchw(x: u8[1, 3, 2, 4] layout "n c h w -> n h w c") -> y {
    y = x
}
graph rows(p: u8[4, 6] strides [8, 1]) -> q: u8[4, 6] strides [10, 1] {
    q = p
}
