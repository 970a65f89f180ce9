# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A bf16 that only changes its sign, or that one of two bf16 replaces, is not rounded again: the upper half of the f32 is
# the result. Nor is an integer of 8 bits.
# RUN: %{reshapec} %s --emit=c -o - | FileCheck %s --implicit-check-not='+ 0x7FFFU'
# RUN: %{reshapec} verify %s

# CHECK: graph positive
graph positive(x: bf16[1024]) -> y { y = relu(x) }
graph size(x: bf16[1024]) -> y { y = abs(x) }
graph other(x: bf16[1024]) -> y { y = neg(x) }
graph within(x: bf16[1024]) -> y { y = clip(x, -2.5, 96) }
graph small(x: i8[1024]) -> y { y = cast(x, bf16) }
