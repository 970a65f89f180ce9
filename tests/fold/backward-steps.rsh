# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Reversed rows of a length that may be 0, and then some of them: the cut is by rows, whichever way a stride of 2*C - 2
# or 2 - 2*C goes through memory.
# RUN: %{reshapec} verify %s | FileCheck %s
# RUN: %{reshapec} verify %s --emit=c --cc="%{cc}" | FileCheck %s --check-prefix=C
# RUN: %{reshapec} %s --dump=moves | FileCheck %s --check-prefix=MOVES

# CHECK: 6 of 6 graphs verified
# C: 6 of 6 graphs verified
# The stride of the rows is known to be positive, as nothing moves if C is 1.
# MOVES-LABEL: graph split_of_tiles
# MOVES: v3: u8[4, 2*C-2]
# MOVES-NEXT: from %1 at 6 to 0: {4, dst 2*C-2, src -2} {C-1, dst 2, src 0} {2, dst 1, src 1}
graph split_of_tiles(s0: u8[2, C], x0: u8[5, 2]) -> v3 {
    v0 = tile(x0, [3, C - 1])
    v1 = flip(v0, [0])
    _v2, v3 = split(v1, 0, sizes=[11, 4])
}

graph rows_of_tiles(s0: u8[C], x0: u8[5, 2]) -> y { y = flip(tile(x0, [3, C - 1]), [0])[3:13] }

graph every_other_row(s0: u8[C], x0: u8[5, 2]) -> y { y = flip(tile(x0, [3, C - 1]), [0])[2:13:3] }

graph shorter_rows(x: u8[5, C]) -> y { y = flip(x[:, 1:], 0)[1:3] }

graph rows_of_quotients(x: u8[7, C]) -> y { y = flip(x[:, C//2:], 0)[1:6:2] }

graph two_lengths(x: u8[6, A], z: u8[6, B]) -> y { y = flip(concat(x[:, 2:], z[:, 1:], axis=1), [0, 1])[1:5] }
