# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Names as sizes: the same name is the same size, each ? is another one, and expressions of names are allowed wherever a
# size is.
# RUN: %{reshapec} --dump=graph %s | FileCheck --match-full-lines --strict-whitespace %s

graph named(x: f32[B, S, 768], w: f32[S, 4*B]) -> y: f32[B, 12, S, 64] {
    _ = w
    y = x |> reshape([B, S, 12, 768/12]) |> transpose([0, 2, 1, 3])
}
#      CHECK:graph named
# CHECK-NEXT:  %0 x: f32[B, S, 768] = input
# CHECK-NEXT:  %1 w: f32[S, 4*B] = input
# CHECK-NEXT:  %2: f32[B, S, 12, 64] = reshape(%0, shape=[B, S, 12, 64])
# CHECK-NEXT:  %3 y: f32[B, 12, S, 64] = transpose(%2, perm=[0, 2, 1, 3])
# CHECK-NEXT:  output y = %3

graph unnamed(x: f32[?, 2], w: f32[?, 2]) -> y {
    y = concat(x, w, axis=0)
}
#      CHECK:graph unnamed
# CHECK-NEXT:  %0 x: f32[?, 2] = input
# CHECK-NEXT:  %1 w: f32[?, 2] = input
# CHECK-NEXT:  %2 y: f32[?+?, 2] = concat(%0, %1, axis=0)
# CHECK-NEXT:  output y = %2

graph arithmetic(x: f32[B, 2*(B + 1) - 2, 7 % 4]) -> y: f32[3*B, B*2] {
    y = reshape(x, [B*3, -1])
}
#      CHECK:graph arithmetic
# CHECK-NEXT:  %0 x: f32[B, 2*B, 3] = input
# CHECK-NEXT:  where B >= 1 or ambiguous_infer
# CHECK-NEXT:  %1 y: f32[3*B, 2*B] = reshape(%0, shape=[3*B, -1])
# CHECK-NEXT:  output y = %1

graph may_be_negative(x: f32[B, B - 3]) -> y {
    y = x
}
#      CHECK:graph may_be_negative
# CHECK-NEXT:  %0 x: f32[B, B-3] = input
# CHECK-NEXT:  where B-3 >= 0 or bad_dim
# CHECK-NEXT:  %1 y: f32[B, B-3] = identity(%0)
# CHECK-NEXT:  output y = %1
