# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# x86-64 has no vectors that compare f16. If a function computes, comparisons are of f32. LLVM would compare f16 one by
# one if it could, by ucomiss, so constants are not f16 but the f32 beside them.
# RUN: %{reshapec} %s --emit=asm -mcpu=x86-64-v3 -o - | FileCheck %s --implicit-check-not=ucomiss
# RUN: %{reshapec} verify %s -mcpu=x86-64-v3
# RUN: %{reshapec} verify %s -mcpu=native

# CHECK: vcvtph2ps
graph leaky(x: f16[1024]) -> y { y = leaky_relu(x) }
graph shrunk(x: f16[1024]) -> y { y = softshrink(x) }
