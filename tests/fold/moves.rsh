# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How each kind of operator changes the moves of its operand: extents, strides of destination and source.
# RUN: %{reshapec} --dump=moves %s | FileCheck %s

# CHECK-LABEL: graph transposed
# CHECK: %1 y: f32[3, 2]
# CHECK-NEXT: from %0 at 0 to 0: {3, dst 2, src 1} {2, dst 1, src 3}
graph transposed(x: f32[2, 3]) -> y { y = transpose(x, [1, 0]) }

# Axes that stay adjacent are merged: 3 x 4 x 5 is 60.
# CHECK-LABEL: graph merged
# CHECK: %1 y: f32[3, 4, 5, 2]
# CHECK-NEXT: from %0 at 0 to 0: {60, dst 2, src 1} {2, dst 1, src 60}
graph merged(x: f32[2, 3, 4, 5]) -> y { y = transpose(x, [1, 2, 3, 0]) }

# Every second column from the third on, backwards: the source starts at the last and steps by -2.
# CHECK-LABEL: graph sliced
# CHECK: %1 y: f32[2, 3]
# CHECK-NEXT: from %0 at 7 to 0: {2, dst 3, src 8} {3, dst 1, src -2}
graph sliced(x: f32[2, 8]) -> y { y = x[:, 7:2:-2] }

# CHECK-LABEL: graph flipped
# CHECK: %1 y: f32[2, 3]
# CHECK-NEXT: from %0 at 2 to 0: {2, dst 3, src 3} {3, dst 1, src -1}
graph flipped(x: f32[2, 3]) -> y { y = flip(x, [1]) }

# Repeating is a source stride of 0.
# CHECK-LABEL: graph expanded
# CHECK: %1 y: f32[4, 2, 3]
# CHECK-NEXT: from %0 at 0 to 0: {4, dst 6, src 0} {2, dst 3, src 1} {3, dst 1, src 0}
graph expanded(x: f32[2, 1]) -> y { y = expand(x, [4, 2, 3]) }

# Two sources, two moves.
# CHECK-LABEL: graph joined
# CHECK: %2 y: f32[2, 5]
# CHECK-NEXT: from %0 at 0 to 0: {2, dst 5, src 3} {3, dst 1, src 1}
# CHECK-NEXT: from %1 at 0 to 3: {2, dst 5, src 2} {2, dst 1, src 1}
graph joined(a: f32[2, 3], b: f32[2, 2]) -> y { y = concat(a, b, axis=1) }

# One source, and the pieces line up: rotate-half of rotary embeddings is one nest with a negative stride.
# CHECK-LABEL: graph rotated
# CHECK: y: f32[5, 8]
# CHECK-NEXT: from %0 at 4 to 0: {5, dst 8, src 8} {2, dst 4, src -4} {4, dst 1, src 1}
graph rotated(x: f32[5, 8]) -> y { y = concat(x[:, 4:], x[:, :4], axis=1) }

# A reshape changes no address, so its moves are its operand's.
# CHECK-LABEL: graph reshaped
# CHECK: y: f32[6]
# CHECK-NEXT: from %0 at 0 to 0: {3, dst 2, src 1} {2, dst 1, src 3}
graph reshaped(x: f32[2, 3]) -> y { y = x |> transpose([1, 0]) |> reshape([6]) }

# Symbols are kept.
# CHECK-LABEL: graph symbolic
# CHECK: y: f32[B, 12, S, 64]
# CHECK-NEXT: from %0 at 0 to 0: {B, dst 768*S, src 768*S} {12, dst 64*S, src 64} {S, dst 64, src 768} {64, dst 1, src 1}
graph symbolic(x: f32[B, S, 768]) -> y { y = x |> reshape([0, 0, 12, 64]) |> transpose([0, 2, 1, 3]) }
