# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A size with a few values, divided by another size: each value uses the quotient of the graph itself, and nothing is
# computed twice.
# RUN: %{reshapec} verify %s | FileCheck %s
# CHECK: 4 of 4 graphs verified
graph whole(s: u8[B], x: u8[A]) -> y where A in [0, 4] { y = reshape(x, [B, -1]) }

graph one(s: u8[B], x: u8[A]) -> y where A in [4] { y = reshape(x, [B, -1]) }

graph rest(s: u8[B], x: u8[A]) -> y where A in [2, 4] {
    _v, w = split(x, axis=0, sizes=[2, A - 2])
    y = reshape(w, [B, -1])
}

graph twice(s: u8[B], x: u8[A], z: u8[A, 2]) -> (y, w) where A in [3, 6] {
    y = reshape(x, [-1, B])
    w = reshape(z, [B, -1])
}
