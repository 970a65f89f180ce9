# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# For T = 0 the only work is to find a in y. All tasks check y then, not only the first; and they make the checks of
# this case, not those for sizes of at least 1.
# RUN: %{reshapec} verify --parallel %s | grep '2 of 2 graphs verified'
# RUN: %{reshapec} verify --parallel --emit=c --cc=%{cc} %s | grep '2 of 2 graphs verified'
graph joined(a: f64[3, S, 8] placed, b: f64[3, T, 8], c: f64[3, T, 8]) -> y { y = concat(b, flip(c, 1), a, axis=1) }

graph resized(x: f32[N, M, 99], z: f32[K]) -> y { y = reshape(x, [K, M, 99]) |> transpose() }
