# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
graph b9(x: f32[A, B, C, D, E, F, G], z: f32[K]) -> y { y = reshape(x, [K, B, C, D, E, F, G]) |> transpose() }
