# Each graph has inputs that reside in its result; its twin named `whole_` reads them from memory of their own.
graph beside(a: f32[4, 3] placed, b: f32[4, 5]) -> y { y = concat(a, b, axis=1) }
graph whole_beside(a: f32[4, 3], b: f32[4, 5]) -> y { y = concat(a, b, axis=1) }

graph framed(x: u8[6, 5, 3] placed) -> y { y = pad(x, [1, 1, 0, 1, 1, 0], 7) }
graph whole_framed(x: u8[6, 5, 3]) -> y { y = pad(x, [1, 1, 0, 1, 1, 0], 7) }

graph woven(re: c64[5] placed, im: c64[5]) -> y { y = stack(re, im, axis=1) }
graph whole_woven(re: c64[5], im: c64[5]) -> y { y = stack(re, im, axis=1) }

graph turned(x: i16[2, 3, 4] placed, z: i16[3, 3, 2]) -> y { y = concat(transpose(x), z, axis=0) }
graph whole_turned(x: i16[2, 3, 4], z: i16[3, 3, 2]) -> y { y = concat(transpose(x), z, axis=0) }

graph mirrored(x: i32[2, 3, 4] placed, z: i32[2, 3, 4]) -> y { y = concat(z, flip(x, [0, 2]), axis=1) }
graph whole_mirrored(x: i32[2, 3, 4], z: i32[2, 3, 4]) -> y { y = concat(z, flip(x, [0, 2]), axis=1) }

graph stored(x: u8[2, 4, 4] placed, z: u8[1, 4, 4]) -> y: u8[3, 4, 4] layout "c h w -> h w c" strides [16, 4, 1] {
    y = concat(x, z, axis=0)
}
graph whole_stored(x: u8[2, 4, 4], z: u8[1, 4, 4]) -> y: u8[3, 4, 4] layout "c h w -> h w c" strides [16, 4, 1] {
    y = concat(x, z, axis=0)
}

graph appended(a: f16[B, S, 2] placed, b: f16[B, T, 2] placed, c: f16[B, U, 2]) -> y { y = concat(a, b, c, axis=1) }
graph whole_appended(a: f16[B, S, 2], b: f16[B, T, 2], c: f16[B, U, 2]) -> y { y = concat(a, b, c, axis=1) }

graph tailed(x: f64[12] placed, s: f64[B]) -> y { y = concat(s[-4:], x, axis=0) }
graph whole_tailed(x: f64[12], s: f64[B]) -> y { y = concat(s[-4:], x, axis=0) }

# Nothing is left to do.
graph both(a: i8[3] placed, b: i8[4] placed) -> y { y = concat(a, b, axis=0) }
graph whole_both(a: i8[3], b: i8[4]) -> y { y = concat(a, b, axis=0) }
