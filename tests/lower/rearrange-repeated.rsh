# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# einx's dots after brackets: as many axes as the rank says. If none of their names has dots elsewhere they are einops'
# dots, an axis and then '...'. A term of a sum may have brackets.
# RUN: %{reshapec} --dump=graph %s | FileCheck --match-full-lines --strict-whitespace %s

graph patches(x: f32[4, 6, 5]) -> y {
    y = rearrange(x, "(s ds)... c -> (s...) ds... c", ds=2)
}
#      CHECK:graph patches
# CHECK-NEXT:  %0 x: f32[4, 6, 5] = input
# CHECK-NEXT:  %1: f32[2, 2, 3, 2, 5] = reshape(%0, shape=[2, 2, 3, 2, 5])
# CHECK-NEXT:  %2: f32[2, 3, 2, 2, 5] = transpose(%1, perm=[0, 2, 1, 3, 4])
# CHECK-NEXT:  %3 y: f32[6, 2, 2, 5] = reshape(%2, shape=[6, 2, 2, 5])
# CHECK-NEXT:  output y = %3

graph back(x: f32[2, 3, 2, 2, 5]) -> y {
    y = rearrange(x, "s... ds... c -> (s ds)... c")
}
#      CHECK:graph back
# CHECK-NEXT:  %0 x: f32[2, 3, 2, 2, 5] = input
# CHECK-NEXT:  %1: f32[2, 2, 3, 2, 5] = transpose(%0, perm=[0, 2, 1, 3, 4])
# CHECK-NEXT:  %2 y: f32[4, 6, 5] = reshape(%1, shape=[4, 6, 5])
# CHECK-NEXT:  output y = %2

graph no_axes(x: f32[5]) -> y {
    y = rearrange(x, "(s ds)... c -> s... c ds...", ds=2)
}
#      CHECK:graph no_axes
# CHECK-NEXT:  %0 x: f32[5] = input
# CHECK-NEXT:  %1 y: f32[5] = identity(%0)
# CHECK-NEXT:  output y = %1

graph as_einops(x: f32[6, 20]) -> y {
    y = rearrange(x, "(a b)... -> a ... b", a=2)
}
#      CHECK:graph as_einops
# CHECK-NEXT:  %0 x: f32[6, 20] = input
# CHECK-NEXT:  %1: f32[2, 3, 20] = reshape(%0, shape=[2, 3, 20])
# CHECK-NEXT:  %2 y: f32[2, 20, 3] = transpose(%1, perm=[0, 2, 1])
# CHECK-NEXT:  output y = %2

graph terms(x: f32[4, 20]) -> (q, kv) {
    q, kv = rearrange(x, "n (q + (k v)) -> n q, n v k", q=4, v=2)
}
#      CHECK:graph terms
# CHECK-NEXT:  %0 x: f32[4, 20] = input
# CHECK-NEXT:  %1 q: f32[4, 4], %2: f32[4, 16] = split(%0, axis=1, sizes=[4, 16])
# CHECK-NEXT:  %3: f32[4, 8, 2] = reshape(%2, shape=[4, 8, 2])
# CHECK-NEXT:  %4 kv: f32[4, 2, 8] = transpose(%3, perm=[0, 2, 1])
# CHECK-NEXT:  output q = %1
# CHECK-NEXT:  output kv = %4
