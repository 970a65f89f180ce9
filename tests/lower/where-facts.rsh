# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Facts from conditions are part of the sizes themselves, which are printed in the user's symbols.
# RUN: %{reshapec} --dump=graph %s | FileCheck --match-full-lines --strict-whitespace %s

graph multiple(x: u8[H, W, 3]) -> y: u8[H, W/16, 16, 3] where W % 16 == 0, W % 8 == 0 {
    half = reshape(x, [W/2, 2*H, 3])
    y = reshape(half, [H, -1, 16, 3])
}
#      CHECK:graph multiple
# CHECK-NEXT:  %0 x: u8[H, W, 3] = input
# CHECK-NEXT:  where W % 16 == 0, H >= 1 or ambiguous_infer
# CHECK-NEXT:  %1 half: u8[W/2, 2*H, 3] = reshape(%0, shape=[W/2, 2*H, 3])
# CHECK-NEXT:  %2 y: u8[H, W/16, 16, 3] = reshape(%1, shape=[H, -1, 16, 3])
# CHECK-NEXT:  output y = %2

# A multiple only adds what is missing: W is 16 times something, and that is 2 times something.
graph multiple_twice(x: f32[W]) -> y: f32[3*W/32, 32] where 3*W % 16 == 0, W % 32 == 0 {
    z = tile(x, [3])
    y = reshape(z, [-1, 32])
}
#      CHECK:graph multiple_twice
# CHECK-NEXT:  %0 x: f32[W] = input
# CHECK-NEXT:  where 3*W % 16 == 0, W % 32 == 0
# CHECK-NEXT:  %1 z: f32[3*W] = tile(%0, repeats=[3])
# CHECK-NEXT:  %2 y: f32[3*W/32, 32] = reshape(%1, shape=[-1, 32])
# CHECK-NEXT:  output y = %2

graph equal(x: f32[N, C], b: f32[B, S]) -> (y: f32[B, S, 2, 32], z) where N == B*S, C == 64 {
    y = reshape(x, [B, S, 2, 32])
    z = b
}
#      CHECK:graph equal
# CHECK-NEXT:  %0 x: f32[B*S, 64] = input
# CHECK-NEXT:  %1 b: f32[B, S] = input
# CHECK-NEXT:  where N == B*S, C == 64
# CHECK-NEXT:  %2 y: f32[B, S, 2, 32] = reshape(%0, shape=[B, S, 2, 32])
# CHECK-NEXT:  %3 z: f32[B, S] = identity(%1)

# The symbol that is replaced is the one that is at least 1 for all values of the others.
graph less(x: f32[N, S]) -> y: f32[N + 1, N] where N == S - 1 {
    y = transpose(x)
}
#      CHECK:graph less
# CHECK-NEXT:  %0 x: f32[N, N+1] = input
# CHECK-NEXT:  where N == S-1
# CHECK-NEXT:  %1 y: f32[N+1, N] = transpose(%0)

# Bounds: at least, at most, different, or one of several; equality passes on what is known of S.
graph bounds(x: f32[S, T, U, V]) -> (a, b, c, d) where S == T, T >= 4, U < 10, V in [16, 32, 64], U != 1, S != 4 {
    a = x[:5]
    b = x[:, -5:]
    c = x[:, :, :2] |> pad([0, 0, 9 - U, 0, 0, 0, 0, 0])
    d = x[..., 8:] |> reshape([S, S, -1, V/8 - 1, 8])
}
#      CHECK:graph bounds
# CHECK-NEXT:  %0 x: f32[S, S, U, V] = input
# CHECK-NEXT:  where S == T, T >= 4, U < 10, V in [16, 32, 64], U != 1, S != 4
# CHECK-NEXT:  %1 a: f32[5, S, U, V] = slice(%0, starts=[0], ends=[5], axes=[0], steps=[1])
# CHECK-NEXT:  %2 b: f32[S, 5, U, V] = slice(%0, starts=[-5], ends=[S], axes=[1], steps=[1])
# CHECK-NEXT:  %3: f32[S, S, min(2, U), V] = slice(%0, starts=[0], ends=[min(2, U)], axes=[2], steps=[1])
# CHECK-NEXT:  %4 c: f32[S, S, -U+min(2, U)+9, V] = pad(%3, pads=[0, 0, -U+9, 0, 0, 0, 0, 0])
# CHECK-NEXT:  %5: f32[S, S, U, V-8] = slice(%0, starts=[8], ends=[V], axes=[3], steps=[1])
