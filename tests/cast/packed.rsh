# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Elements smaller than a byte are moved one by one, also through stages, and are results of casts; the unused bits of
# the last byte are 0.
# RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir
# RUN: %{reshapec} %s -o packed.o && %{cc} -shared packed.o -o packed.so
# RUN: %{python} %S/Inputs/packed.py ./packed.so
graph t4(x: i4[5, 7]) -> y: i4[7, 5] { y = transpose(x) }
graph f4(x: f32[5, 7]) -> y: f4e2m1[7, 5] { y = transpose(cast(x, f4e2m1)) }
graph f2(x: u2[9, 7]) -> y: u2[7, 9] { y = flip(transpose(x), 1) }
graph far4(x: u4[61, 67]) -> y: u4[67, 61] { y = x |> transpose() |> reshape([61, 67]) |> transpose() }
