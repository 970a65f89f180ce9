# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sizes start at 0, and a graph is lowered once for all of them. The values after `in` are variants: the graph lowered
# again with numbers in their place. The first one that matches is used.
# RUN: %{reshapec} --dump=graph %s | FileCheck --match-full-lines --strict-whitespace --implicit-check-not='  for' %s

# The -1 is inferred; for S = 0 it could be anything.
graph inferred(x: f32[B, S]) -> y: f32[B, S] {
    y = reshape(x, [-1, S])
}
#      CHECK:graph inferred
# CHECK-NEXT:  %0 x: f32[B, S] = input
# CHECK-NEXT:  where S >= 1 or ambiguous_infer

# If both volumes are 0 they are equal: B = 0 works with any D.
graph compared(x: f32[B, D]) -> y: f32[B, 4, 2] {
    y = reshape(x, [B, 4, 2])
}
#      CHECK:graph compared
# CHECK-NEXT:  %0 x: f32[B, D] = input
# CHECK-NEXT:  where B*D == 8*B or volume_mismatch

# One result may have elements while another is empty: that needs no check.
graph apart(x: f32[B, 4], z: f32[S, 4]) -> (a, b) {
    a = transpose(x)
    b = transpose(z)
}
#      CHECK:graph apart
# CHECK-NEXT:  %0 x: f32[B, 4] = input
# CHECK-NEXT:  %1 z: f32[S, 4] = input
# CHECK-NEXT:  %2 a: f32[4, B] = transpose(%0)

# Facts about sizes are known: N is at least 1 if B and S are.
graph derived(x: f32[N, 4], z: f32[B, S]) -> (a, b) where N == B*S, B*S >= 1 {
    a = reshape(x, [-1, N])
    b = z
}
#      CHECK:graph derived
# CHECK-NEXT:  %0 x: f32[B*S, 4] = input
# CHECK-NEXT:  %1 z: f32[B, S] = input
# CHECK-NEXT:  where N == B*S, B*S >= 1
# CHECK-NEXT:  %2 a: f32[4, B*S] = reshape(%0, shape=[-1, B*S])

graph values(x: f32[B, S]) -> y where B in [1, 8], S in [0, 16] {
    y = transpose(x)
}
#      CHECK:graph values
#      CHECK:  for B = 1, S = 0: its own graph
# CHECK-NEXT:  for B = 1, S = 16: its own graph
# CHECK-NEXT:  for B = 8, S = 0: its own graph
# CHECK-NEXT:  for B = 8, S = 16: its own graph

# Any number of sizes may be 0.
graph many(x: f32[A, B, C, D, E, F, G, H, I]) -> y {
    y = transpose(x)
}
#      CHECK:graph many
# CHECK-NEXT:  %0 x: f32[A, B, C, D, E, F, G, H, I] = input
# CHECK-NEXT:  %1 y: f32[I, H, G, F, E, D, C, B, A] = transpose(%0)

# 0 elements are B - 1 for B = 1, and for no other B.
graph asked(x: f32[C], s: u8[B]) -> (y, z) {
    y = reshape(x, [B - 1])
    z = s
}
#      CHECK:graph asked
#      CHECK:  where B-1 >= 0 or bad_dim, C == B-1 or volume_mismatch
