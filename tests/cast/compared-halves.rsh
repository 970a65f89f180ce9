# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# x86-64 has no vectors that compare f16: comparisons are of f32. LLVM would compare f16 one by one if it could, by
# ucomiss, so constants are not f16 but the f32 beside them.
# RUN: %{reshapec} %s --emit=asm -mcpu=x86-64-v3 -o - | FileCheck %s --implicit-check-not=ucomiss
# RUN: %{reshapec} verify %s -mcpu=x86-64-v3
# RUN: %{reshapec} verify %s -mcpu=native

# CHECK: vcvtph2ps
graph positive(x: f16[1024]) -> y { y = relu(x) }
graph leaky(x: f16[1024]) -> y { y = leaky_relu(x) }
graph below(x: f16[1024]) -> y { y = min(x, 3) }
graph above(x: f16[1024]) -> y { y = max(x, -0.5) }
graph within(x: f16[1024]) -> y { y = clip(x, -inf, 65504) }
