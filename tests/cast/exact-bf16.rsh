# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Integers of 8 bits and powers of two fit bf16, so they are not rounded: the upper half of the f32 is the result.
# RUN: %{reshapec} %s --emit=c -o - | FileCheck %s --implicit-check-not='+ 0x7FFFU'
# RUN: %{reshapec} verify %s

# CHECK: graph small
graph small(x: i8[1024]) -> y { y = cast(x, bf16) }
graph positive(x: u8[1024]) -> y { y = cast(x, bf16) }
graph powers(x: f8e8m0[256]) -> y { y = cast(x, bf16) }
