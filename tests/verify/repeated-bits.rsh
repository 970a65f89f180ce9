# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Elements of less than a byte that are repeated within one: LLVM multiplies them by 0x11 or 0x55, or negates a bit, which
# are moves of bits all the same. The scan of the code said that it computes with elements.
# RUN: %{reshapec} verify -Os %s | FileCheck %s
# RUN: %{reshapec} verify %s | FileCheck %s
# CHECK-NOT: failed
# CHECK: 9 of 9 graphs verified
graph pairs(x: i2[2]) -> y { y = tile(x, [2]) }

graph pairs_four_times(x: i2[2]) -> y { y = tile(x, [4]) }

graph bits(x: u1[4]) -> y { y = tile(x, [2]) }

graph two_bits(x: u1[2]) -> y { y = tile(x, [4]) }

graph one_bit(x: u1[1]) -> y { y = tile(x, [8]) }

graph nibble(x: u4[1]) -> y { y = tile(x, [2]) }

graph nibble_four_times(x: u4[1]) -> y { y = tile(x, [4]) }

graph nibbles(x: u4[3]) -> y { y = repeat(x, [2]) }

graph columns(x: u1[4, 2]) -> y { y = repeat(x, [1, 2]) }
