# Results that are moved within the memory of an input.
graph mfcc(x: i8[49, 10], k: i8[1, 10]) -> inplace y { y = concat(x[1:], k, axis=0) }

graph crop(x: f32[6, 8]) -> inplace y { y = x[1:5, 2:6] }

graph later(x: u16[9], k: u16[2]) -> inplace y { y = concat(k, x[:7], axis=0) }

graph halves(x: f32[300]) -> inplace y { y = cast(x, f16) }

graph wider(x: u8[40]) -> inplace y { y = cast(x, i32) }

graph apart(x: i16[20], k: i16[2]) -> inplace y { y = concat(x[2:8], k, x[8:10], x[9:15], axis=0) }

graph window(x: i32[T, 3], k: i32[1, 3]) -> inplace y where T >= 1 { y = concat(x[1:], k, axis=0) }
