# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Two transposes in a row were composed in the wrong order (onnx/onnx#2446), which gave (2,0,1).
# Composed, p1 and p2 are p1[p2[i]]: (1,2,0) here.
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s

graph a1(x: f32[2, 3, 4]) -> y {
    # EXPECT y static [3, 4, 2] = 0 12 1 13 2 14 3 15 4 16 5 17 6 18 7 19 8 20 9 21 10 22 11 23
    y = x |> transpose([1, 0, 2]) |> transpose([0, 2, 1])
}
graph composed(x: f32[2, 3, 4]) -> y {
    # EXPECT y static [3, 4, 2] = x.transpose(1, 2, 0)
    y = transpose(x, [1, 2, 0])
}
graph three(x: f32[2, 3, 4, 5]) -> y {
    # EXPECT y static [4, 3, 5, 2] = x.transpose(1, 2, 3, 0).transpose(3, 0, 2, 1).transpose(3, 1, 2, 0)
    y = x |> transpose([1, 2, 3, 0]) |> transpose([3, 0, 2, 1]) |> transpose([3, 1, 2, 0])
}
