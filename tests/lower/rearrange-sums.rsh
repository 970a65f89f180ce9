# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# (q + k) in rearrange: split on the left, concat on the right, and both at once. Pieces are matched by their axes; a
# piece that lacks some axes is repeated along them.
# RUN: %{reshapec} --dump=graph %s | FileCheck --match-full-lines --strict-whitespace %s

graph joined(a: f32[2, 3], b: f32[2, 5], w: f32[5]) -> (c, d, e, f, g) {
    c = rearrange(a, b, "n q, n k -> n (q + k)")
    d = a |> rearrange(b, "n q, n k -> (k + q) n")
    e = rearrange([a, b], "n q, n k -> 1 (n q + n k)")
    f = rearrange(b, w, "n q, q -> (n + 1) q")
    g = rearrange(b, w, "n q, q -> n (q + q)")
}
#      CHECK:graph joined
# CHECK-NEXT:  %0 a: f32[2, 3] = input
# CHECK-NEXT:  %1 b: f32[2, 5] = input
# CHECK-NEXT:  %2 w: f32[5] = input
# CHECK-NEXT:  %3 c: f32[2, 8] = concat(%0, %1, axis=1)
# CHECK-NEXT:  %4: f32[5, 2] = transpose(%1, perm=[1, 0])
# CHECK-NEXT:  %5: f32[3, 2] = transpose(%0, perm=[1, 0])
# CHECK-NEXT:  %6 d: f32[8, 2] = concat(%4, %5, axis=0)
# CHECK-NEXT:  %7: f32[1, 6] = reshape(%0, shape=[1, 6])
# CHECK-NEXT:  %8: f32[1, 10] = reshape(%1, shape=[1, 10])
# CHECK-NEXT:  %9 e: f32[1, 16] = concat(%7, %8, axis=1)
# CHECK-NEXT:  %10: f32[1, 5] = reshape(%2, shape=[1, 5])
# CHECK-NEXT:  %11 f: f32[3, 5] = concat(%1, %10, axis=0)
# CHECK-NEXT:  %12: f32[1, 5] = unsqueeze(%2, axes=[0])
# CHECK-NEXT:  %13: f32[2, 5] = expand(%12, shape=[2, 5])
# CHECK-NEXT:  %14 g: f32[2, 10] = concat(%1, %13, axis=1)
# CHECK-NEXT:  output c = %3
# CHECK-NEXT:  output d = %6
# CHECK-NEXT:  output e = %9
# CHECK-NEXT:  output f = %11
# CHECK-NEXT:  output g = %14

graph cut(x: f32[4, 6, 10]) -> (q, k, v, m, n) {
    q, k = rearrange(x, "a b (q + k) -> a b q, k (a b)", q=4)
    v, m, n = rearrange(x, "a (h + h + h) b -> a h b, h (a b), b a h")
}
#      CHECK:graph cut
# CHECK-NEXT:  %0 x: f32[4, 6, 10] = input
# CHECK-NEXT:  %1 q: f32[4, 6, 4], %2: f32[4, 6, 6] = split(%0, axis=2, sizes=[4, 6])
# CHECK-NEXT:  %3: f32[6, 4, 6] = transpose(%2, perm=[2, 0, 1])
# CHECK-NEXT:  %4 k: f32[6, 24] = reshape(%3, shape=[6, 24])
# CHECK-NEXT:  %5 v: f32[4, 2, 10], %6: f32[4, 2, 10], %7: f32[4, 2, 10] = split(%0, axis=1, sizes=[2, 2, 2])
# CHECK-NEXT:  %8: f32[2, 4, 10] = transpose(%6, perm=[1, 0, 2])
# CHECK-NEXT:  %9 m: f32[2, 40] = reshape(%8, shape=[2, 40])
# CHECK-NEXT:  %10 n: f32[10, 4, 2] = transpose(%7, perm=[2, 0, 1])
# CHECK-NEXT:  output q = %1
# CHECK-NEXT:  output k = %4
# CHECK-NEXT:  output v = %5
# CHECK-NEXT:  output m = %9
# CHECK-NEXT:  output n = %10

graph both(x: f32[4, 6]) -> y {
    y = rearrange(x, "(b + c) (d + e) -> (c + b) (e + d)", b=1, d=2)
}
#      CHECK:graph both
# CHECK-NEXT:  %0 x: f32[4, 6] = input
# CHECK-NEXT:  %1: f32[1, 6], %2: f32[3, 6] = split(%0, axis=0, sizes=[1, 3])
# CHECK-NEXT:  %3: f32[1, 2], %4: f32[1, 4] = split(%1, axis=1, sizes=[2, 4])
# CHECK-NEXT:  %5: f32[3, 2], %6: f32[3, 4] = split(%2, axis=1, sizes=[2, 4])
# CHECK-NEXT:  %7: f32[3, 6] = concat(%6, %5, axis=1)
# CHECK-NEXT:  %8: f32[1, 6] = concat(%4, %3, axis=1)
# CHECK-NEXT:  %9 y: f32[4, 6] = concat(%7, %8, axis=0)
# CHECK-NEXT:  output y = %9

graph two(a: f32[2, 3, 4], b: f32[5, 3, 4]) -> (y, z) {
    y = rearrange(a, b, "m ..., n ... -> ... (m + n)")
    z = rearrange(a, b, "m rest..., n rest... -> (m + n) (rest...)")
}
#      CHECK:graph two
# CHECK-NEXT:  %0 a: f32[2, 3, 4] = input
# CHECK-NEXT:  %1 b: f32[5, 3, 4] = input
# CHECK-NEXT:  %2: f32[3, 4, 2] = transpose(%0, perm=[1, 2, 0])
# CHECK-NEXT:  %3: f32[3, 4, 5] = transpose(%1, perm=[1, 2, 0])
# CHECK-NEXT:  %4 y: f32[3, 4, 7] = concat(%2, %3, axis=2)
# CHECK-NEXT:  %5: f32[2, 12] = reshape(%0, shape=[2, 12])
# CHECK-NEXT:  %6: f32[5, 12] = reshape(%1, shape=[5, 12])
# CHECK-NEXT:  %7 z: f32[7, 12] = concat(%5, %6, axis=0)
# CHECK-NEXT:  output y = %4
# CHECK-NEXT:  output z = %7

graph sizes(x: f32[B, S, 768], y: f32[B, 3]) -> (a, b, c) {
    a, b = rearrange(x, "b (s + t) d -> b s d, t b d", s=64)
    c = rearrange(x, y, "b s d, b e -> b s (d + e)")
}
#      CHECK:graph sizes
# CHECK-NEXT:  %0 x: f32[B, S, 768] = input
# CHECK-NEXT:  %1 y: f32[B, 3] = input
# CHECK-NEXT:  where S-64 >= 0 or bad_parts
# CHECK-NEXT:  %2 a: f32[B, 64, 768], %3: f32[B, S-64, 768] = split(%0, axis=1, sizes=[64, S-64])
# CHECK-NEXT:  %4 b: f32[S-64, B, 768] = transpose(%3, perm=[1, 0, 2])
# CHECK-NEXT:  %5: f32[B, 1, 3] = unsqueeze(%1, axes=[1])
# CHECK-NEXT:  %6: f32[B, S, 3] = expand(%5, shape=[B, S, 3])
# CHECK-NEXT:  %7 c: f32[B, S, 771] = concat(%0, %6, axis=2)
# CHECK-NEXT:  output a = %2
# CHECK-NEXT:  output b = %4
# CHECK-NEXT:  output c = %7
