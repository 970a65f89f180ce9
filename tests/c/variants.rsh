# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# C functions of values after `in` have the offsets that they use, and no unused ones.
# RUN: %{reshapec} %s --emit=c -fno-verify -o %t.c
# RUN: %{cc} -std=c99 -I %{root} -Wall -Wextra -pedantic -Werror -c %t.c -o %t.o
# RUN: %{reshapec} verify %s --emit=c | FileCheck %s
# CHECK: 1 of 1 graphs verified
graph shifted(s: u8[A], x: u8[4, B]) -> y where A in [2, 4] { y = flip(x, [1]) |> roll(1) }
