# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What is proven of a graph holds for sizes of at least 1. Sizes of 0, and the values after `in`, are variants:
# the graph lowered again with numbers in their place. Of those that fit the first goes.
# RUN: %{reshapec} --dump=graph %s | FileCheck --match-full-lines --strict-whitespace --implicit-check-not='  for' %s

graph usual(x: f32[B, S, 8]) -> y: f32[S, B, 8] {
    y = transpose(x, [1, 0, 2])
}
#      CHECK:graph usual
#      CHECK:  for B = 0: empty
# CHECK-NEXT:  for S = 0: empty

# The -1 is what is left for it; for S = 0 that could be anything. All values of B do that.
graph inferred(x: f32[B, S]) -> y: f32[B, S] {
    y = reshape(x, [-1, S])
}
#      CHECK:graph inferred
#      CHECK:  for S = 0: ambiguous_infer
# CHECK-NEXT:  for B = 0, S >= 1: empty

# A guard that the volumes ask for is no condition where both are 0: B = 0 goes with any D.
graph compared(x: f32[B, D]) -> y: f32[B, 4, 2] {
    y = reshape(x, [B, 4, 2])
}
#      CHECK:graph compared
# CHECK-NEXT:  %0 x: f32[B, 8] = input
# CHECK-NEXT:  where D == 8 or volume_mismatch
#      CHECK:  for B = 0: empty
# CHECK-NEXT:  for B >= 1, D = 0: volume_mismatch

# One result may be left where another is empty.
graph apart(x: f32[B, 4], z: f32[S, 4]) -> (a, b) {
    a = transpose(x)
    b = transpose(z)
}
#      CHECK:graph apart
#      CHECK:  for B = 0, S >= 1: its own graph
# CHECK-NEXT:  for B >= 1, S = 0: its own graph
# CHECK-NEXT:  for B = 0, S = 0: empty

# N is 0 exactly where B is: S is not. Zeros that conditions exclude are no variants.
graph derived(x: f32[N, 4], z: f32[B, S]) -> (a, b) where N == B*S, S >= 2 {
    a = transpose(x)
    b = transpose(z)
}
#      CHECK:graph derived
#      CHECK:  for N = 0, B = 0: empty

graph at_least_one(x: f32[B, S]) -> y where B >= 1, S != 0 {
    y = transpose(x)
}
#      CHECK:graph at_least_one
#      CHECK:  where B >= 1, S != 0

# A size among the entries of a target is a size, and no instruction to copy one.
graph no_instruction(x: f32[B, S]) -> y {
    y = reshape(x, [S, B])
}
#      CHECK:graph no_instruction
#      CHECK:  for B = 0: empty
# CHECK-NEXT:  for S = 0: empty

graph values(x: f32[B, S]) -> y where B in [1, 8], S in [0, 16] {
    y = transpose(x)
}
#      CHECK:graph values
#      CHECK:  for S = 0: empty
# CHECK-NEXT:  for B = 1, S = 16: its own graph
# CHECK-NEXT:  for B = 8, S = 16: its own graph

# Up to 8 sizes are tried as 0.
graph many(x: f32[A, B, C, D, E, F, G, H, I]) -> y {
    y = transpose(x)
}
#      CHECK:graph many
#      CHECK:  for A = 0: guard_failed
# CHECK-NEXT:  for B = 0: guard_failed
# CHECK-NEXT:  for C = 0: guard_failed
# CHECK-NEXT:  for D = 0: guard_failed
# CHECK-NEXT:  for E = 0: guard_failed
# CHECK-NEXT:  for F = 0: guard_failed
# CHECK-NEXT:  for G = 0: guard_failed
# CHECK-NEXT:  for H = 0: guard_failed
# CHECK-NEXT:  for I = 0: guard_failed

# What a rule asks of the other sizes is asked where some are 0, too: 0 elements are B - 1 for B = 1, and for no
# other B. That is asked of the variant.
graph asked(x: f32[C], s: u8[B]) -> (y, z) {
    y = reshape(x, [B - 1])
    z = s
}
#      CHECK:graph asked
#      CHECK:  where C == B-1 or volume_mismatch
#      CHECK:  for B = 0: bad_dim
# CHECK-NEXT:  for C = 0, B >= 1: its own graph
