# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sizes that a called graph declares, and that the caller's sizes may have, are checked at entry.
# RUN: %{reshapec} explain %s | FileCheck %s
# RUN: %{reshapec} verify %s | FileCheck --check-prefix=VERIFY %s
# RUN: %{reshapec} verify --emit=c %s | FileCheck --check-prefix=VERIFY %s
# VERIFY: 10 of 10 graphs verified

graph row(x: u8[1, B]) -> y { y = flip(x, [1]) }
graph sides(x: u8[P, P]) -> y { y = transpose(x, [1, 0]) }
graph halves(x: u8[P, 2*P]) -> y { y = reshape(x, [P, 2, P]) }
graph few(x: u8[P, Q]) -> y where P <= 4 { y = transpose(x, [1, 0]) }

# CHECK-LABEL: graph of_row(x: u8[1, B])
# CHECK-NEXT: needs A == 1 or shape_mismatch
graph of_row(x: u8[A, B]) -> y { y = row(x) }

# CHECK-LABEL: graph of_sides(x: u8[A, A])
# CHECK-NEXT: needs B == A or shape_mismatch
graph of_sides(x: u8[A, B]) -> y { y = sides(x) }

# CHECK-LABEL: graph of_halves(x: u8[A, 2*A])
# CHECK-NEXT: needs B == 2*A or shape_mismatch
graph of_halves(x: u8[A, B]) -> y { y = halves(x) }

# N is 2*N for 0 only.
# CHECK-LABEL: graph of_nothing(x: u8[0, 0])
# CHECK-NEXT: needs N == 2*N or shape_mismatch
graph of_nothing(x: u8[N, N]) -> y { y = halves(x) }

# Sizes that a target gives are checked after the reshape, and so are the conditions of the called graph.
# CHECK-LABEL: graph of_target(x: u8[4], t: i64[2])
# CHECK-NEXT: needs reshape(...).shape[1] == reshape(...).shape[0] or shape_mismatch
graph of_target(x: u8[4], t: i64[2]) -> y { y = sides(reshape(x, t)) }

# CHECK-LABEL: graph of_few(x: u8[12], t: i64[2])
# CHECK-NEXT: needs reshape(...).shape[0] <= 4
graph of_few(x: u8[12], t: i64[2]) -> y { y = few(reshape(x, t)) }
