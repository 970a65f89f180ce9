# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A stride may exceed 64 bits in bytes if the result does for every size except 0: a call returns an error, or moves
# nothing.
# RUN: %{reshapec} verify %s | FileCheck %s
# RUN: %{reshapec} verify --emit=c %s | FileCheck %s
# CHECK: 4 of 4 graphs verified
graph transposed(x: f32[4611686018427387904, A]) -> y { y = transpose(x) }
graph shuffled(x: f32[A, B]) -> y { y = reshape(x, [A, 9223372036854775807, -1]) |> transpose([0, 2, 1]) }
graph scaled(x: f32[2305843009213693952, A]) -> y { y = transpose(x)*2 }
graph sliced(x: f32[N]) -> y { y = x[::4611686018427387904] |> pad([1, 1]) }
