# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# For T = 0 nothing is left to do but to find a in y. All tasks ask for y then, not the first alone; and they ask what
# this case asks, not what sizes of at least 1 do.
# RUN: %{reshapec} verify --parallel %s | grep '2 of 2 graphs verified'
# RUN: %{reshapec} verify --parallel --emit=c --cc=%{cc} %s | grep '2 of 2 graphs verified'
graph joined(a: f64[3, S, 8] placed, b: f64[3, T, 8], c: f64[3, T, 8]) -> y { y = concat(b, flip(c, 1), a, axis=1) }

graph resized(x: f32[N, M, 99], z: f32[K]) -> y { y = reshape(x, [K, M, 99]) |> transpose() }
