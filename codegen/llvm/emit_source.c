// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The start of a function, and the start of a nest's source.
#include "codegen/llvm/llvm_module.h"

#include <string.h>

void kernel_begin(Kernel *k, LLVMValueRef function, const Signature *signature) {
  k->g->function = function;
  k->signature = signature;
  k->entry = b_block(k->g, "entry");
  k->number = ARENA_ARRAY(k->arena, LLVMValueRef, number_count(k->plan));
  k->symbol = ARENA_ARRAY(k->arena, LLVMValueRef, k->plan->graph->symbol.count + 1);
  b_position(k->g, k->entry);
}

LLVMValueRef kernel_source(Kernel *k, int id) {
  const Value *value = k->plan->graph->value.item[id];
  const Pass *pass = value_is_kept(value) ? plan_pass(k->plan, id) : NULL;
  if (pass)
    return pass->output >= 0 ? kernel_parameter(k, PARAMETER_OUTPUT, pass->output)
                             : b_step(k->g, kernel_parameter(k, PARAMETER_SCRATCH, 0),
                                      kernel_number(k, pass->at), "kept");
  return value_is_constant(value) ? b_constant(k->g, k->arena, k->name, value)
                                  : kernel_parameter(k, PARAMETER_INPUT, id);
}

uint32_t kernel_source_align(const Kernel *k, const Nest *nest) {
  return plan_common_align(nest->from, plan_source_type(k->plan->graph, nest->source));
}

// An offset advanced to the first index of this task.
LLVMValueRef kernel_past_begin(Kernel *k, LLVMValueRef offset, rsh_num stride) {
  LLVMValueRef step = b_scale(k->g, k->portion->begin, kernel_number(k, stride), "begin_at");
  return LLVMBuildNSWAdd(k->g->builder, offset, step, "offset");
}

// The start of a nest's source.
Cursor kernel_cursor(Kernel *k, int source) {
  Cursor cursor = {.at = NULL};
  if (source < 0) {
    uint8_t fill[sizeof cursor.fill];
    cursor.period = plan_fill(k->plan->graph, source, fill);
    memcpy(cursor.fill,
           b_target_bytes(k->g, k->arena, fill, sizeof fill,
                          k->plan->graph->fill.item[-1 - source].dtype),
           sizeof fill);
  } else if (graph_is_source(k->plan->graph, source)) {
    cursor.at = kernel_source(k, source);
  } else {
    cursor.at = b_int(k->g, 0);
    cursor.stage = k->stage[plan_stage(k->plan, source)];
  }
  return cursor;
}
