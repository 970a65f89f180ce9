graph chw(x: u8[28, 28, 3]) -> y: u8[3, 28, 28] {
    y = transpose(x, [2, 0, 1])
}
