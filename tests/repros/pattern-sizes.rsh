# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What a pattern requires of an open size becomes a condition, as for other operators.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{reshapec} verify %s | grep '5 of 5 graphs verified'

# CHECK-LABEL: graph one(
# CHECK-NEXT:  needs N == 1 or bad_pattern
graph one(x: f32[N, 3]) -> y { y = rearrange(x, "1 c -> c") }

# CHECK-LABEL: graph product(
# CHECK-NEXT:  needs N == 10 or bad_pattern
graph product(x: f32[N, 3]) -> y { y = rearrange(x, "(a b) c -> a b c", a=2, b=5) }

# CHECK-LABEL: graph squeezed(
# CHECK-NEXT:  needs N == 1 or not_one
graph squeezed(x: f32[N, 3]) -> y { y = squeeze(x, [0]) }

# Two tensors have an axis with the same name.
# CHECK-LABEL: graph joined(
# CHECK-NEXT:  needs C == A or bad_pattern
graph joined(x: f32[A, B], z: f32[C, D]) -> y { y = rearrange(x, z, "a b, a c -> a (b + c)") }

# CHECK-LABEL: graph dots(
# CHECK-NEXT:  needs A == C or bad_pattern, D == B or bad_pattern
graph dots(x: f32[A, B], z: f32[C, D]) -> y { y = rearrange(x, z, "... a, ... a -> ... (a + a)") }
