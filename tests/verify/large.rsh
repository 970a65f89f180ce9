# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# More than the last-level cache holds: lines that are prefetched, and lines that are stored past the cache.
# RUN: %{reshapec} verify %s | FileCheck %s
# CHECK: 9 of 9 graphs verified

# The rows of the results are whole lines: stored past the cache.
graph streamed(x: c128[800, 1008]) -> y { y = transpose(x) }

graph streamed_runs(x: c128[4, 1056, 12, 16]) -> y { y = transpose(x, [0, 2, 1, 3]) }

# The rows are not whole lines.
graph uneven(x: c128[801, 1007]) -> y { y = transpose(x) }

graph shifted(x: c128[400, 2050]) -> y { y = concat(transpose(x), transpose(x)[:3], axis=0)[1:] }

# Rows that all start at the same offset within a line, wherever the result does: stored from their first whole line on.
graph rows(x: f64[1280, 1288]) -> y { y = transpose(x) }

# All lines are whole except at the start, or at the end.
graph behind(x: f64[1280, 1288], a: f64[5]) -> y { y = concat(a, x |> transpose() |> reshape([-1]), axis=0) }

graph beside(x: f64[1280, 1288], a: f64[1288, 1]) -> y { y = concat(transpose(x), a, axis=1) }

# Through a buffer.
graph crowded(x: f16[3140, 2048]) -> y { y = transpose(x[:, :2030]) }

# Vectors that are assembled, and a last one that overlaps the one before.
graph picked(x: u16[2300003, 2]) -> y { y = x[:, 0] }
