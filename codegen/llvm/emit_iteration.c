// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The body of loops that the emitter builds itself: vectors, and the remainder after them.
#include "codegen/llvm/llvm_module.h"

// Such loops do not step through tables (strategy.c): all elements use entry 0.
void iteration_build(Kernel *k, const Nest *nest, LLVMValueRef src, LLVMValueRef dst,
                     bool is_group) {
  LLVMValueRef none = b_int(k->g, 0);
  const CodeLoops loops = {nest->loop_count, nest->loop_count, 1, 1, false, is_group, 0};
  kernel_build_code(
      k, code_loops(k->arena, k->plan, nest, loops),
      (CodeLeaves){.from = src, .buffer = dst, .start = {none, none, none}, .align = nest->unit});
}

LLVMValueRef elementwise_build_vector(Kernel *k, const Nest *nest, LLVMValueRef elements) {
  LLVMValueRef made;
  k->g->elements = (int)LLVMGetVectorSize(LLVMTypeOf(elements));
  kernel_build_code(k, code_steps(k->arena, k->plan, nest),
                    (CodeLeaves){.word_given = elements, .result = &made});
  k->g->elements = 0;
  return made;
}
