# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The parts of `v` must agree in their rows of 2*(B % 2) elements and 6*(B % 2): B is even, and the rows are empty. Both
# copies of a tile then start at the same place, which ended the compiler.
# RUN: %{reshapec} -fverify %s -o %t.o --header %t.h
# RUN: %{reshapec} --dump=graph %s | FileCheck %s
# CHECK: where B-2*(B//2) == 3*B-6*(B//2) or shape_mismatch
graph g(s: u8[B], x: u8[B, 2]) -> v {
    one = tile(x, [1, B % 2])
    two = concat([one, one], 1)
    v = concat([tile(two, [B, 3]), tile(two, [3, 1])], 0)
}

# The rows of both parts must agree: C*C-C is 0. Merging the axes of the transposed parts makes an extent of 0.
# CHECK: where C*C-C >= 0 or bad_dim, C*C-C == 2*C*C-2*C or shape_mismatch
graph merged(s: u8[C, 2], x: u8[63, C*C - C, C]) -> v {
    v = concat([concat([x, x], 1), x], 2) |> transpose([1, 2, 0])
}
