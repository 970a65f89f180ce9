# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# --tuning: a value with a kernel of its own uses the entry of a graph with that number; the general kernel, with open
# sizes, has none. The bytes are the same.
# RUN: %{reshapec} %s -mcpu=x86-64-v3 --tuning=%S/Inputs/tuning.tuning -o %t.o --report=text | FileCheck %s
# RUN: %{reshapec} %s -mcpu=x86-64-v3 -o %t.plain.o && not cmp -s %t.o %t.plain.o
# RUN: sed "s/x86-64-v3/generic/" %S/Inputs/tuning.tuning > %t.tuning && %{reshapec} verify %s --tuning=%t.tuning | FileCheck %s --check-prefix=PROOF
# CHECK: tuning for x86_64 x86-64-v3: 1 of
# PROOF: 1 of 1 graphs verified
graph tiles(x: f32[B, 100, 300]) -> y where B in [1, 8] { y = transpose(x, [0, 2, 1]) }
