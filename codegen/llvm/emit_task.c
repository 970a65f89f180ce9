// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work of tasks (codegen/code/code_task.c): an output, a share of it, or a part of a share.
#include "codegen/llvm/llvm_module.h"

// Loops run at least once, so that a part without indexes is passed by.
static void build_part(Kernel *k, const Share *share, LLVMValueRef begin, LLVMValueRef end,
                       LLVMValueRef out) {
  Gen *g = k->g;
  Portion portion = {share->depth, begin, LLVMBuildSub(g->builder, end, begin, "count")};
  LLVMValueRef some = LLVMBuildICmp(g->builder, LLVMIntSGT, portion.count, b_int(g, 0), "some");
  Fork fork = b_fork(g, some, "mine", NULL, "next");
  kernel_build_portion(k, &share->nest, &portion, out);
  b_fork_end(g, &fork);
}

void task_build_work(Kernel *k, const Split *split, const CodeNode *node, LLVMValueRef begin,
                     LLVMValueRef end) {
  LLVMValueRef out = kernel_parameter(k, PARAMETER_OUTPUT, node->index);
  const Share *share = &split[node->index].share[node->n];
  if (node->op == CODE_DO_OUTPUT)
    kernel_build_output(k, node->index, NULL);
  else if (node->op == CODE_DO_NEST)
    kernel_build_portion(k, &share->nest, NULL, out);
  else
    build_part(k, share, begin, end, out);
}
