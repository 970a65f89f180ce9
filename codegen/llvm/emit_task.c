// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks (codegen/plan/split.h): the part of an output that one task does, and the number of tasks.
#include "codegen/llvm/llvm_module.h"

static LLVMValueRef minimum(Gen *g, LLVMValueRef a, LLVMValueRef b) {
  LLVMValueRef less = LLVMBuildICmp(g->builder, LLVMIntSLT, a, b, "less");
  return LLVMBuildSelect(g->builder, less, a, b, "minimum");
}

// The units of a share's loop: its extent over `unit`, rounded up.
static LLVMValueRef build_units(Kernel *k, const Share *share) {
  Gen *g = k->g;
  LLVMValueRef extent = kernel_number(k, share->nest.loop[share->depth].extent);
  LLVMValueRef padded = LLVMBuildNSWAdd(g->builder, extent, b_int(g, share->unit - 1), "padded");
  return number_divide(g, padded, b_int(g, share->unit));
}

// units * task / tasks, in 64 bits, as the product may not fit a word.
static LLVMValueRef build_part(Gen *g, LLVMValueRef units, LLVMValueRef task, LLVMValueRef tasks) {
  LLVMValueRef a = b_as(g, g->i64, units), b = b_as(g, g->i64, task), past;
  LLVMValueRef product = g->multiplies_long ? LLVMBuildMul(g->builder, a, b, "product")
                                            : number_multiply(g, a, b, &past);
  return b_as(g, g->index, number_divide(g, product, b_as(g, g->i64, tasks)));
}

// The first index of task `task`; for task `tasks`, one past the last, it is the extent.
static LLVMValueRef build_begin(Kernel *k, const Share *share, LLVMValueRef units,
                                LLVMValueRef task, LLVMValueRef tasks) {
  Gen *g = k->g;
  LLVMValueRef extent = kernel_number(k, share->nest.loop[share->depth].extent);
  LLVMValueRef unit = build_part(g, units, task, tasks);
  return minimum(g, LLVMBuildMul(g->builder, unit, b_int(g, share->unit), "begin"), extent);
}

static void build_if(Kernel *k, const Share *share, const Portion *portion, LLVMValueRef test,
                     LLVMValueRef out) {
  Gen *g = k->g;
  LLVMBasicBlockRef mine = b_block(g, "mine"), next = b_block(g, "next");
  LLVMBuildCondBr(g->builder, test, mine, next);
  b_position(g, mine);
  kernel_build_portion(k, &share->nest, portion, out);
  LLVMBuildBr(g->builder, next);
  b_position(g, next);
}

static void build_share(Kernel *k, const Share *share, LLVMValueRef tasks, LLVMValueRef out) {
  Gen *g = k->g;
  if (share->depth < 0) {
    LLVMValueRef owner = number_remainder(g, b_int(g, share->task), tasks);
    build_if(k, share, NULL, LLVMBuildICmp(g->builder, LLVMIntEQ, owner, k->task, "is_mine"), out);
    return;
  }
  LLVMValueRef units = build_units(k, share);
  LLVMValueRef begin = build_begin(k, share, units, k->task, tasks);
  LLVMValueRef after = LLVMBuildAdd(g->builder, k->task, b_int(g, 1), "after");
  LLVMValueRef end = build_begin(k, share, units, after, tasks);
  Portion portion = {share->depth, begin, LLVMBuildSub(g->builder, end, begin, "count")};
  LLVMValueRef some = LLVMBuildICmp(g->builder, LLVMIntSGT, portion.count, b_int(g, 0), "some");
  build_if(k, share, &portion, some, out);
}

static void build_by_first(Kernel *k, int index) {
  Gen *g = k->g;
  LLVMBasicBlockRef first = b_block(g, "first"), next = b_block(g, "next");
  LLVMValueRef is_first = LLVMBuildICmp(g->builder, LLVMIntEQ, k->task, b_int(g, 0), "is_first");
  LLVMBuildCondBr(g->builder, is_first, first, next);
  b_position(g, first);
  kernel_build_output(k, index, NULL);
  LLVMBuildBr(g->builder, next);
  b_position(g, next);
}

void kernel_build_split(Kernel *k, int index, const Split *split, LLVMValueRef tasks) {
  LLVMValueRef out = kernel_parameter(k, PARAMETER_OUTPUT, index);
  if (split->count == 0)
    build_by_first(k, index);
  for (int i = 0; i < split->count; i++)
    build_share(k, &split->share[i], tasks, out);
}

// The largest number of units of any share, from 1 to MOST_TASKS.
LLVMValueRef kernel_task_count(Kernel *k, const Split *split) {
  Gen *g = k->g;
  LLVMValueRef most = b_int(g, 1);
  for (int i = 0; i < k->plan->output_count; i++) {
    for (int n = 0; n < split[i].count; n++) {
      if (split[i].share[n].depth < 0)
        continue;
      LLVMValueRef units = minimum(g, build_units(k, &split[i].share[n]), b_int(g, MOST_TASKS));
      LLVMValueRef more = LLVMBuildICmp(g->builder, LLVMIntSGT, units, most, "more");
      most = LLVMBuildSelect(g->builder, more, units, most, "most");
    }
  }
  return most;
}
