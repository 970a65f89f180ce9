# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A joined tensor is reshaped to [C, 2/C]: element 1 is [0, 1] for C = 1, and [1, 0] for C = 2. The compiler took it for
# [0, 1] at all sizes. After a flip it was written past the result for C = 2.
# RUN: %{reshapec} verify %s | FileCheck %s
# RUN: %{reshapec} verify --emit=c --cc=%{cc} %s | FileCheck %s
# RUN: %{reshapec} explain %s | FileCheck %s --check-prefix=EXPLAIN
# CHECK: 6 of 6 graphs verified

# EXPLAIN: why {{.*}}no small set of loops fits all sizes: each element of y is looked up through the last of 3 operators
graph flipped(s: u8[C], x: u8[1], z: u8[1]) -> y { y = concat([z, x], 0) |> reshape([C, -1]) |> flip([0]) }
graph flipped_columns(s: u8[C], x: u8[1], z: u8[1]) -> y { y = concat([z, x], 0) |> reshape([-1, C]) |> flip([1]) }
graph rolled(s: u8[C], x: u8[1], z: u8[1]) -> y { y = concat([z, x], 0) |> reshape([C, -1]) |> roll(1, axes=0) }
graph turned(s: u8[C], x: u8[1], z: u8[1]) -> y { y = concat([z, x], 0) |> reshape([C, -1]) |> transpose() }
graph joined(s: u8[C], x: u8[1], z: u8[1]) -> y { v = concat([z, x], 0) |> reshape([C, -1]); y = concat([v, v], 1) }
graph picked(s: u8[C], x: u8[1], z: u8[1]) -> y { y = pad(concat([z, x], 0) |> reshape([C, -1]), [0, 1, 0, 1], 7) }
