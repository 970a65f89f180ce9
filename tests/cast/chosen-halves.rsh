# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The result of these functions is the operand, with another sign perhaps, or a constant. So f16 and bf16 are not
# converted to f32: integers compare them, eight at a time with SSE2. Results are in activations.test and arithmetic.test.
# RUN: %{reshapec} %s --emit=asm --target=x86_64-linux-gnu -o - | FileCheck %s --implicit-check-not=ucomiss --implicit-check-not=cmp{{[a-z]*}}ps --implicit-check-not=hf
# RUN: %{reshapec} %s --emit=c -o - | FileCheck --check-prefix=C %s --implicit-check-not='{{[^a-z]}}float '
# RUN: %{reshapec} verify %s
# RUN: %{reshapec} verify %s -mcpu=native

# CHECK: pcmpgtw
# C: graph positive
graph positive(x: f16[1024]) -> y { y = relu(x) }
graph up_to_six(x: bf16[1024]) -> y { y = relu6(x) }
graph size(x: f16[1024]) -> y { y = abs(x) }
graph beyond(x: bf16[1024]) -> y { y = thresholded_relu(x) }
graph shrunk(x: f16[1024]) -> y { y = hard_shrink(x) }
graph other(x: bf16[1024]) -> y { y = neg(x) }
graph below(x: f16[1024]) -> y { y = min(x, 3) }
graph above(x: bf16[1024]) -> y { y = max(x, -0.5) }
graph within(x: f16[1024]) -> y { y = clip(x, -inf, 65504) }
