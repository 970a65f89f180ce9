# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sizes inside a pattern: numbers on both sides are axes, matched in order; names take sizes. '...' with names.
# RUN: %{reshapec} --dump=graph %s | FileCheck --match-full-lines --strict-whitespace %s

graph numbers(x: f32[4, 6, 3]) -> (a, b, c, d) {
    a = rearrange(x, "h w 3 -> 3 h w")
    b = rearrange(x, "h (w 2) c -> h 2 w c")
    c = rearrange(x, "(h 2) (w 2) c -> h w 2 2 c")
    d = rearrange(x, "(h p=2) (w q=2) c -> h w q p c")
}
#      CHECK:graph numbers
# CHECK-NEXT:  %0 x: f32[4, 6, 3] = input
# CHECK-NEXT:  %1 a: f32[3, 4, 6] = transpose(%0, perm=[2, 0, 1])
# CHECK-NEXT:  %2: f32[4, 3, 2, 3] = reshape(%0, shape=[4, 3, 2, 3])
# CHECK-NEXT:  %3 b: f32[4, 2, 3, 3] = transpose(%2, perm=[0, 2, 1, 3])
# CHECK-NEXT:  %4: f32[2, 2, 3, 2, 3] = reshape(%0, shape=[2, 2, 3, 2, 3])
# CHECK-NEXT:  %5 c: f32[2, 3, 2, 2, 3] = transpose(%4, perm=[0, 2, 1, 3, 4])
# CHECK-NEXT:  %6: f32[2, 2, 3, 2, 3] = reshape(%0, shape=[2, 2, 3, 2, 3])
# CHECK-NEXT:  %7 d: f32[2, 3, 2, 2, 3] = transpose(%6, perm=[0, 2, 3, 1, 4])
# CHECK-NEXT:  output a = %1
# CHECK-NEXT:  output b = %3
# CHECK-NEXT:  output c = %5
# CHECK-NEXT:  output d = %7

graph dots(x: f32[4, 6, 3]) -> (a, b) {
    a = rearrange(x, "rest... c -> c rest...")
    b = rearrange(x, "n sides... -> (sides...) n two=2")
}
#      CHECK:graph dots
# CHECK-NEXT:  %0 x: f32[4, 6, 3] = input
# CHECK-NEXT:  %1 a: f32[3, 4, 6] = transpose(%0, perm=[2, 0, 1])
# CHECK-NEXT:  %2: f32[6, 3, 4] = transpose(%0, perm=[1, 2, 0])
# CHECK-NEXT:  %3: f32[6, 3, 4, 1] = unsqueeze(%2, axes=[3])
# CHECK-NEXT:  %4: f32[6, 3, 4, 2] = expand(%3, shape=[6, 3, 4, 2])
# CHECK-NEXT:  %5 b: f32[18, 4, 2] = reshape(%4, shape=[18, 4, 2])
# CHECK-NEXT:  output a = %1
# CHECK-NEXT:  output b = %5
