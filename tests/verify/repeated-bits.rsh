# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Elements of less than a byte that are repeated within one: LLVM multiplies them by 0x11 or 0x55, negates a bit, or tests
# it to choose a constant, which are moves of bits all the same. The scan of the code said that it computes with elements.
# RUN: %{reshapec} verify -Os %s | FileCheck %s
# RUN: %{reshapec} verify %s | FileCheck %s
# CHECK-NOT: failed
# CHECK: 13 of 13 graphs verified
graph pairs(x: i2[2]) -> y { y = tile(x, [2]) }

graph pairs_four_times(x: i2[2]) -> y { y = tile(x, [4]) }

graph bits(x: u1[4]) -> y { y = tile(x, [2]) }

graph two_bits(x: u1[2]) -> y { y = tile(x, [4]) }

graph one_bit(x: u1[1]) -> y { y = tile(x, [8]) }

graph nibble(x: u4[1]) -> y { y = tile(x, [2]) }

graph nibble_four_times(x: u4[1]) -> y { y = tile(x, [4]) }

graph nibbles(x: u4[3]) -> y { y = repeat(x, [2]) }

graph columns(x: u1[4, 2]) -> y { y = repeat(x, [1, 2]) }

graph one_bit_to_three_places(s: u8[A], x: u1[7]) -> y where A in [2, 4] {
    flipped = flip(x, 0)
    y = concat(flipped, flipped, flipped, axis=0) |> gather([18, 12, 13, 9, 20, 1, 19, 7, 3, 17, 13, 17])
}

graph highest_bit(s: u8[A], x: u1[8]) -> y where A in [2, 4] { y = gather(x, [7, 7, 0, 7, 7, 3, 7, 7]) }

graph joined_pairs(x: u2[4]) -> y { y = gather(x, [2, 2, 0, 2, 0, 0, 0, 0]) }

# Here the numbers are in vectors.
graph many_nibbles(x: u4[8]) -> y { y = repeat(x, [2]) }
