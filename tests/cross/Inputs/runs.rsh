# Runs of many lengths, from and to offsets of every remainder, borders of constants that repeat after 1, 2, 4 and 8
# bytes, and pieces that are swapped in one buffer.
graph one(x: i8[5, 3]) -> y { y = x[:, :2] }
graph three(x: u8[7, 5]) -> y { y = x[1:, 1:4] }
graph five(x: u8[7, 9]) -> y { y = x[:, 2:7] }
graph seven(x: i8[6, 11]) -> y { y = flip(x[:, 1:8], axes=[0]) }
graph fifteen(x: i8[6, 19]) -> y { y = x[:, 3:18] }
graph some(x: i8[9, 26], f: i8[1, 26]) -> y { y = concat(x[1:], f, axis=0) }
graph rows(x: i8[5, 31]) -> y { y = x[::2, 1:] }
graph halves(x: i16[9, 13]) -> y { y = concat(x[1:], x[8:], axis=0) }
graph words(x: f32[5, 9]) -> y { y = x[:, 1:] }
graph many(x: u8[4, 101]) -> y { y = flip(x[:, 1:], axes=[0]) }
graph lots(x: i8[2, 700]) -> y { y = x[:, 3:] }
graph pages(x: i8[3, 200] align 4) -> y: i8[3, 196] align 4 { y = x[:, 4:] }
graph longs(x: f64[3, 9]) -> y { y = x[:, 2:] }
graph zeros(x: i8[5, 40]) -> y { y = pad(x, [1, 1, 1, 3]) }
graph rims(x: i8[3, 30]) -> y { y = pad(x, [3, 30, 0, 9], value=7) }
graph pairs(x: i16[3, 21]) -> y { y = pad(x, [2, 15, 1, 1], value=515) }
graph quads(x: f32[3, 7]) -> y { y = pad(x, [2, 1, 1, 13], value=1.5) }
graph octets(x: f64[2, 3]) -> y { y = pad(x, [1, 4, 1, 1], value=0.1) }
graph unpacked(x: i4[6, 10]) -> y { y = cast(x, i8) }
graph turned(x: i4[6, 10]) -> y { y = cast(x, i16) |> transpose() }
graph crumbs(x: u2[24]) -> y { y = cast(x, u8) }
graph packed(x: i8[3, 8]) -> y { y = cast(x, i4) }
graph places(x: i8[8, 40], i: i8[3, 40]) -> y { y = concat(x[6:], i, x[1:3], axis=0) }
graph open(x: i8[N, M], y: i8[N, 3]) -> z where M <= 400 { z = concat(x, y, axis=1) }
graph heads(x: f32[B, 4, 9]) -> y { y = transpose(x, [1, 0, 2]) }
graph square(x: u8[9, 9]) -> inplace y { y = transpose(x) }
graph upside(x: i16[7, 5]) -> inplace y { y = flip(x, axes=[0]) }
graph oblong(x: i8[5, 3]) -> inplace y { y = transpose(x) }
