# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A layout change fused with a reshape wrote past the end of its output (pytorch/pytorch#191837):
# 6912 elements and not one more.
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} %{cc} %t.dir %s

graph a11(x: f32[1, 6, 4, 9, 32]) -> y {
    # EXPECT y static [1, 1728, 4] = 0 288 576 864 32 320 608 896 64 352 640 928 ...
    y = x |> transpose([0, 1, 4, 3, 2]) |> reshape([1, 1728, 4])
}
graph whole(x: u8[1, 6, 4, 9, 32]) -> y {
    # EXPECT y static [1, 1728, 4] = x.transpose(0, 1, 4, 3, 2)
    y = x |> transpose([0, 1, 4, 3, 2]) |> reshape([1, 1728, 4])
}
