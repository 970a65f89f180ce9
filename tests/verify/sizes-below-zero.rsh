# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The size of an input may evaluate to less than 0: the call refuses it, and that is proved. If a remainder is part of a
# product, no sizes near 2^63 are tried, as the call may report either overflow or missing memory for them.
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
