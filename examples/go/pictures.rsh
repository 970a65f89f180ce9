# The kernels that main.go calls: for pictures of any size, and for a fixed size.
graph planes(photo: u8[H, W, 3]) -> y { y = transpose(photo, [2, 0, 1]) }
graph thumbnail(photo: u8[224, 224, 3]) -> y { y = photo[::8, ::8] }
