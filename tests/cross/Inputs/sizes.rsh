# Kernels with sizes as arguments, for cross.py.

# sizes B=2 S=7
graph heads(x: f16[B, S, 24]) -> y { y = x |> reshape([0, 0, 3, 8]) |> transpose([0, 2, 1, 3]) }
# sizes B=0 S=7
graph no_heads(x: f16[B, S, 24]) -> y { y = x |> reshape([0, 0, 3, 8]) |> transpose([0, 2, 1, 3]) }
# sizes M=9 N=14
graph matrix(x: f32[M, N]) -> y { y = transpose(x) }
# sizes M=35 N=66
graph matrix1(x: u8[M, N]) -> y { y = transpose(x) }
# sizes M=5 N=3
graph matrix8(x: f64[M, N]) -> y { y = transpose(x) }
# sizes B=3 S=4 T=5
graph beside(a: u8[B, S], b: u8[B, T]) -> y { y = concat(a, b, axis=1) }
# sizes H=5 W=8
graph planes(x: u8[H, W, 3]) -> y where W % 4 == 0 { y = rearrange(x, "h w c -> 1 c h w") |> cast(i16) }
# sizes H=3 W=4
graph bordered(x: i16[H, W]) -> y { y = pad(x, [1, 2, 3, 0], value=7) }
# sizes A=3 B=4 C=5
graph rotated(x: i32[A, B, C]) -> (y, z, same) {
    y = transpose(x, [2, 0, 1])
    z = flip(x, [1])
    same = reshape(x, [A*B, C])
}
# sizes B=2 S=7
graph word_heads(x: f16[B, S, 24] align 16) -> y: f16[B, 3, S, 8] align 16 {
    y = x |> reshape([0, 0, 3, 8]) |> transpose([0, 2, 1, 3])
}
# sizes N=5 B=24
graph word_runs(x: u8[N, B] align 8) -> y: u8[N, B] align 8 where B % 8 == 0 { y = flip(x, [0]) }
# sizes Q=8 K=9
graph shifted(x: f32[Q, K]) -> y {
    y = x |> pad([1, 0], axes=[1]) |> reshape([K + 1, Q]) |> slice([1], [K + 1], [0]) |> reshape([Q, K])
}
# sizes N=5 C=3
graph rolled(x: u16[N, C]) -> y { y = roll(x, [1, -1], axes=[0, 1]) }
# sizes N=8
graph halves(x: f64[N]) -> (a, b) where N % 2 == 0 { a, b = split(x, parts=2) }
# sizes N=15
graph fives(x: u8[N]) -> y where N % 5 == 0 { y = reshape(x, [-1, 5]) |> transpose() }
# sizes N=14
graph not_fives(x: u8[N]) -> y where N % 5 == 0 { y = reshape(x, [-1, 5]) |> transpose() }
# sizes B=8 S=5
graph some(x: f32[B, S]) -> y where B in [1, 8] { y = transpose(x) }
# sizes N=5
graph nibbles(x: u4[N, 3]) -> y { y = transpose(x) }
# sizes B=2 S=3 T=4
graph appended(a: f16[B, S, 6], b: f16[B, T, 6] placed) -> y { y = concat(a, b, axis=1) }
# sizes N=-1
graph below(x: u8[N, 3]) -> y { y = transpose(x) }
# sizes N=0 M=4294967297
graph empty(x: u8[N, M]) -> y { y = transpose(x) }
