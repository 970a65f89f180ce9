# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Facts that a shape rule needs at run time are found during lowering: they are checked on entry, with the status of the
# rule, and known from then on. Each is exactly the rule's condition, without common factors that are never 0; they keep
# the order of the operators.
# RUN: %{reshapec} --dump=graph %s | FileCheck --match-full-lines --strict-whitespace %s

graph infer(x: f32[N, 2]) -> y {
    y = reshape(x, [-1, 8])
}
#      CHECK:graph infer
# CHECK-NEXT:  %0 x: f32[N, 2] = input
# CHECK-NEXT:  where N % 4 == 0 or not_divisible
# CHECK-NEXT:  %1 y: f32[N/4, 8] = reshape(%0, shape=[-1, 8])

graph infer_beside_symbols(x: f32[B, S, D]) -> y {
    y = reshape(x, [B, S, -1, 64])
}
#      CHECK:graph infer_beside_symbols
# CHECK-NEXT:  %0 x: f32[B, S, D] = input
# CHECK-NEXT:  where B >= 1 or ambiguous_infer, S >= 1 or ambiguous_infer, D % 64 == 0 or not_divisible
# CHECK-NEXT:  %1 y: f32[B, S, D/64, 64] = reshape(%0, shape=[B, S, -1, 64])

graph volume(x: f32[B, S, D]) -> y {
    y = reshape(x, [B, S, 12, 64])
}
#      CHECK:graph volume
# CHECK-NEXT:  %0 x: f32[B, S, D] = input
# CHECK-NEXT:  where B*S*D == 768*B*S or volume_mismatch

graph volume_of_symbols(x: f32[N, D], b: f32[B, S]) -> (y, z) {
    y = reshape(x, [B, S, D])
    z = b
}
#      CHECK:graph volume_of_symbols
# CHECK-NEXT:  %0 x: f32[N, D] = input
# CHECK-NEXT:  %1 b: f32[B, S] = input
# CHECK-NEXT:  where N*D == D*B*S or volume_mismatch

graph twice(x: f32[N]) -> y {
    z = reshape(x, [-1, 4])
    y = reshape(z, [-1, 3, 4])
}
#      CHECK:graph twice
# CHECK-NEXT:  %0 x: f32[N] = input
# CHECK-NEXT:  where N % 4 == 0 or not_divisible, N % 12 == 0 or not_divisible
# CHECK-NEXT:  %1 z: f32[N/4, 4] = reshape(%0, shape=[-1, 4])
# CHECK-NEXT:  %2 y: f32[N/12, 3, 4] = reshape(%1, shape=[-1, 3, 4])

graph called(x: f32[M]) -> y {
    y = twice(x)
}
#      CHECK:graph called
# CHECK-NEXT:  %0 x: f32[M] = input
# CHECK-NEXT:  where M % 4 == 0 or not_divisible, M % 12 == 0 or not_divisible

# `where` comes first, followed only by what it does not imply.
graph where_says(x: f32[N, C]) -> y where C == 6, N % 8 == 0 {
    z = reshape(x, [-1, 4])
    y = reshape(z, [-1, 9, 16])
}
#      CHECK:graph where_says
# CHECK-NEXT:  %0 x: f32[N, 6] = input
# CHECK-NEXT:  where C == 6, N % 8 == 0, N % 24 == 0 or not_divisible

graph size(x: f32[S, T, T - 3]) -> y {
    y = reshape(x, [T - 3, -1, T])
}
#      CHECK:graph size
# CHECK-NEXT:  %0 x: f32[S, T, T-3] = input
# CHECK-NEXT:  where T-3 >= 0 or bad_dim, T-3 >= 1 or ambiguous_infer
# CHECK-NEXT:  %1 y: f32[T-3, S, T] = reshape(%0, shape=[T-3, -1, T])

graph joined(x: f32[B, 4], z: f32[8, C]) -> y {
    y = concat(x, z, axis=0)
}
#      CHECK:graph joined
# CHECK-NEXT:  %0 x: f32[B, 4] = input
# CHECK-NEXT:  %1 z: f32[8, 4] = input
# CHECK-NEXT:  where C == 4 or shape_mismatch

graph cut(x: f32[B, S]) -> (a, b) {
    a, b = split(x, axis=1)
}
#      CHECK:graph cut
# CHECK-NEXT:  %0 x: f32[B, S] = input
# CHECK-NEXT:  where S % 2 == 0 or bad_parts

graph blocks(x: f32[1, C, H, W]) -> y {
    y = space_to_depth(depth_to_space(x, 2), 4)
}
#      CHECK:graph blocks
# CHECK-NEXT:  %0 x: f32[1, C, H, W] = input
# CHECK-NEXT:  where C % 4 == 0 or bad_block, H % 2 == 0 or bad_block, W % 2 == 0 or bad_block

graph picked(x: f32[N, 3], z: f32[S, K]) -> (a, b, c, d) {
    a = gather(x, [0, 5, -3])
    b = x[7]
    c = pad(z, [-2, 0, -3, 1])
    d = squeeze(z, [1])
}
#      CHECK:graph picked
# CHECK-NEXT:  %0 x: f32[N, 3] = input
# CHECK-NEXT:  %1 z: f32[S, 1] = input
# CHECK-NEXT:  where N >= 1 or bad_index, N >= 6 or bad_index, N >= 8 or bad_index, S-5 >= 0 or bad_dim, K == 1 or not_one

graph pattern(x: f32[B, D]) -> y {
    y = rearrange(x, "b (h d) -> h b d", h=12)
}
#      CHECK:graph pattern
# CHECK-NEXT:  %0 x: f32[B, D] = input
# CHECK-NEXT:  where D % 12 == 0 or not_divisible

# Known factors are removed from a divisibility condition, even if they do not divide both sides.
graph simple(x: f32[N, 4], z: f32[W, 16], v: f32[A, B, 6]) -> (a, b, c) where W % 16 == 0 {
    a = reshape(x, [-1, 3])
    b = reshape(z, [-1, 24])
    c = reshape(v, [9, B, -1])
}
#      CHECK:graph simple
# CHECK-NEXT:  %0 x: f32[N, 4] = input
# CHECK-NEXT:  %1 z: f32[W, 16] = input
# CHECK-NEXT:  %2 v: f32[A, B, 6] = input
# CHECK-NEXT:  where W % 16 == 0, N % 3 == 0 or not_divisible, W % 3 == 0 or not_divisible, B >= 1 or ambiguous_infer, A % 3 == 0 or not_divisible
