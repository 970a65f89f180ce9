# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# rearrange as reshape, transpose, unsqueeze, expand, reshape, without the steps that would do nothing.
# RUN: %{reshapec} --dump=graph %s | FileCheck --match-full-lines --strict-whitespace %s

graph f(x: f32[8, 6, 3]) -> (a, b, c, d, e) {
    a = rearrange(x, "h w c -> c h w")
    b = rearrange(x, "(h p) w c -> h w (p c)", p=2)
    c = x |> rearrange("... (a b) -> (b a) ...", b=3)
    d = rearrange(x, "h w c -> h (w two) 1 c 2", two=2)
    e = rearrange(x, "(h 1) w c -> (h w) () c")
}
#      CHECK:graph f
# CHECK-NEXT:  %0 x: f32[8, 6, 3] = input
# CHECK-NEXT:  %1 a: f32[3, 8, 6] = transpose(%0, perm=[2, 0, 1])
# CHECK-NEXT:  %2: f32[4, 2, 6, 3] = reshape(%0, shape=[4, 2, 6, 3])
# CHECK-NEXT:  %3: f32[4, 6, 2, 3] = transpose(%2, perm=[0, 2, 1, 3])
# CHECK-NEXT:  %4 b: f32[4, 6, 6] = reshape(%3, shape=[4, 6, 6])
# CHECK-NEXT:  %5: f32[8, 6, 1, 3] = reshape(%0, shape=[8, 6, 1, 3])
# CHECK-NEXT:  %6: f32[3, 1, 8, 6] = transpose(%5, perm=[3, 2, 0, 1])
# CHECK-NEXT:  %7 c: f32[3, 8, 6] = reshape(%6, shape=[3, 8, 6])
# CHECK-NEXT:  %8: f32[8, 6, 1, 3, 1] = unsqueeze(%0, axes=[2, 4])
# CHECK-NEXT:  %9: f32[8, 6, 2, 3, 2] = expand(%8, shape=[8, 6, 2, 3, 2])
# CHECK-NEXT:  %10 d: f32[8, 12, 1, 3, 2] = reshape(%9, shape=[8, 12, 1, 3, 2])
# CHECK-NEXT:  %11 e: f32[48, 1, 3] = reshape(%0, shape=[48, 1, 3])
# CHECK-NEXT:  output a = %1
# CHECK-NEXT:  output b = %4
# CHECK-NEXT:  output c = %7
# CHECK-NEXT:  output d = %10
# CHECK-NEXT:  output e = %11

graph nothing(x: f32[8, 6, 1]) -> (a, b, c) {
    a = rearrange(x, "h w c -> h w c")
    b = rearrange(x, "h w 1 -> h w")
    c = rearrange(x, "... -> (...)")
}
#      CHECK:graph nothing
# CHECK-NEXT:  %0 x: f32[8, 6, 1] = input
# CHECK-NEXT:  %1 a: f32[8, 6, 1] = identity(%0)
# CHECK-NEXT:  %2 b: f32[8, 6] = reshape(%0, shape=[8, 6])
# CHECK-NEXT:  %3 c: f32[48] = reshape(%0, shape=[48])
# CHECK-NEXT:  output a = %1
# CHECK-NEXT:  output b = %2
# CHECK-NEXT:  output c = %3

graph sizes(x: f32[B, S, 768]) -> (a, b) {
    a = rearrange(x, "b s (h d) -> b h s d", h=12)
    b = rearrange(x, "b s d -> (b s) d n", n=B)
}
#      CHECK:graph sizes
# CHECK-NEXT:  %0 x: f32[B, S, 768] = input
# CHECK-NEXT:  %1: f32[B, S, 12, 64] = reshape(%0, shape=[B, S, 12, 64], allowzero=1)
# CHECK-NEXT:  %2 a: f32[B, 12, S, 64] = transpose(%1, perm=[0, 2, 1, 3])
# CHECK-NEXT:  %3: f32[B, S, 768, 1] = unsqueeze(%0, axes=[3])
# CHECK-NEXT:  %4: f32[B, S, 768, B] = expand(%3, shape=[B, S, 768, B])
# CHECK-NEXT:  %5 b: f32[B*S, 768, B] = reshape(%4, shape=[B*S, 768, B], allowzero=1)
# CHECK-NEXT:  output a = %2
# CHECK-NEXT:  output b = %5

graph scalar(x: f32) -> (a, b) {
    a = rearrange(x, "-> 1 ()")
    b = rearrange(x, "... -> ... 3")
}
#      CHECK:graph scalar
# CHECK-NEXT:  %0 x: f32 = input
# CHECK-NEXT:  %1 a: f32[1, 1] = reshape(%0, shape=[1, 1])
# CHECK-NEXT:  %2: f32[1] = unsqueeze(%0, axes=[0])
# CHECK-NEXT:  %3 b: f32[3] = expand(%2, shape=[3])
# CHECK-NEXT:  output a = %1
# CHECK-NEXT:  output b = %3

graph empty(x: f32[0, 6]) -> y {
    y = rearrange(x, "a (b c) -> c (a b)", b=2)
}
#      CHECK:graph empty
# CHECK-NEXT:  %0 x: f32[0, 6] = input
# CHECK-NEXT:  %1: f32[0, 2, 3] = reshape(%0, shape=[0, 2, 3], allowzero=1)
# CHECK-NEXT:  %2: f32[3, 0, 2] = transpose(%1, perm=[2, 0, 1])
# CHECK-NEXT:  %3 y: f32[3, 0] = reshape(%2, shape=[3, 0], allowzero=1)
# CHECK-NEXT:  output y = %3
