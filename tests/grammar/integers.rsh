# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Integers are decimal, with _ allowed between digits, and the smallest one can be written.
# RUN: %{reshapec} --dump=ast %s | FileCheck %s

# CHECK: input x: f32[0, 7, 1000000, 9223372036854775807, -9223372036854775808, (1 + -9223372036854775808), (-(-1))]
graph g(x: f32[0, 007, 1_000_000, 9223372036854775807, -9223372036854775808,
               1 + -9_223_372_036_854_775_808, - -1]) -> y {
    y = x
}
