# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Views with an offset were merged through a reshape as if they had none, and a slice was moved
# before a transpose without its axes (tinygrad/tinygrad#2844 #2614, ROCm/AMDMIGraphX#1499).
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s

graph slice_after(x: f32[4, 5, 6]) -> y {
    # EXPECT y static [3, 2, 5] = x.transpose(2, 0, 1)[1:4, 2:4]
    t = transpose(x, [2, 0, 1])
    y = t[1:4, 2:4]
}
graph slice_before(x: f32[4, 5, 6]) -> y {
    # EXPECT y static [6, 2, 3] = x[1:3, ::2].transpose(2, 0, 1)
    t = x[1:3, ::2]
    y = transpose(t, [2, 0, 1])
}
graph there_and_back(x: f32[6, 4]) -> y {
    # EXPECT y static [4, 3] = x[1:5, 1:]
    cut = x[1:5, 1:]
    y = cut |> reshape([2, 6]) |> reshape([4, 3])
}
graph cut_of_cut(x: f32[6, 4]) -> y {
    # EXPECT y static [2, 2] = x[1:5, 1:].reshape(2, 6)[:, 2:4]
    cut = x[1:5, 1:]
    flat = reshape(cut, [2, 6])
    y = flat[:, 2:4]
}
graph flipped(x: f32[6, 4]) -> y {
    # EXPECT y static [3, 8] = x[:, ::-1].reshape(3, 8)[::-1]
    back = x[:, ::-1]
    y = back |> reshape([3, 8]) |> flip(0)
}
