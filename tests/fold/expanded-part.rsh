# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The first S rows of a table, expanded to S rows: min(S, 8) is 1 only where S is 1, so the two sizes must be equal, and
# the graph has loops.
# RUN: %{reshapec} explain %s positions | FileCheck %s
# CHECK:      needs  min(S, 8) == S or not_broadcastable
# CHECK-NEXT: y  symbolic

# A table of one row is repeated, and so may be one of T rows.
# RUN: %{reshapec} explain %s one | FileCheck %s --check-prefix=REPEATED
# RUN: %{reshapec} explain %s open | FileCheck %s --check-prefix=REPEATED
# REPEATED: y  dynamic

# RUN: %{reshapec} verify %s
# RUN: %{reshapec} verify %s --emit=c
graph positions(table: f32[8, 4], tokens: f32[B, S, 4]) -> y {
    y = table[:S] |> expand([B, S, 4]) |> concat(tokens, axis=2)
}

graph one(table: f32[1, 4], tokens: f32[B, S, 4]) -> y {
    y = table[:S] |> expand([B, S, 4])
}

graph open(table: f32[T, 4], tokens: f32[B, S, 4]) -> y {
    y = table[:S] |> expand([B, S, 4])
}
