# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# For T = 0 y is only a, which is already in its place. Every task checks y then, not only the first one, and with the
# checks of this case, not with those of sizes of at least 1.
# RUN: %{reshapec} verify --parallel %s | grep '2 of 2 graphs verified'
# RUN: %{reshapec} verify --parallel --emit=c --cc=%{cc} %s | grep '2 of 2 graphs verified'
graph joined(a: f64[3, S, 8] placed, b: f64[3, T, 8], c: f64[3, T, 8]) -> y { y = concat(b, flip(c, 1), a, axis=1) }

graph resized(x: f32[N, M, 99], z: f32[K]) -> y { y = reshape(x, [K, M, 99]) |> transpose() }
