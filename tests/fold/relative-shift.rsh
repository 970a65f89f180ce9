# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Transformer-XL's relative shift: pad a column, reinterpret the rows one off, cut the pad away. Complete inner axes do
# not split a move, so this is three moves: the rest of the first row, the other rows, and the zeros between them that
# end up in the new rows. (-1 below is a zero of the pad.)
# RUN: %{reshapec} explain --json %s | FileCheck %s
# RUN: %{python} %{root}/tests/support/expect.py %{reshapec} "%{cc}" %t.dir %s
#
# CHECK: "moves": 3,
graph rel_shift(x: i32[5, 7]) -> y {
    # EXPECT y static [5, 7] = np.pad(x, ((0, 0), (1, 0)), constant_values=-1).reshape(8, 5)[1:].reshape(5, 7)
    y = x |> pad([1, 0], axes=[1]) |> reshape([8, 5]) |> slice([1], [8], [0]) |> reshape([5, 7])
}
