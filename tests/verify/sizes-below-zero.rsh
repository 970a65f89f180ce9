# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A size of an input may come out below 0: the call refuses it, and so it is proved. Where a remainder is part of a product
# no call of sizes near 2^63 is tried, as either overflow or missing memory may be told of it.
# RUN: %{reshapec} verify %s | FileCheck %s
# CHECK: 3 of 3 graphs verified
graph less(s: u8[A], x: i32[A - 2]) -> y {
    y = x[::-1]
}
graph half(s: u8[A], x: i32[A//2 - 1]) -> y {
    y = x[::-1]
}
graph rest(s: u8[A], x: u8[A//2]) -> y {
    y = tile(x, [A % 3])
}
