// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stages: for each staged value a function (codegen/code/code_stage.c), from an address in the value to the address of
// the element in an input, or to the element if it is computed.
#include "codegen/llvm/llvm_module.h"

enum { MOST_TESTS = 256 }; // most nests of an optimized stage

// The constant in memory, repeated.
static LLVMValueRef build_filled(Kernel *k, const Cursor *src, int64_t bytes, const char *name,
                                 uint32_t align) {
  char *data = arena_alloc(k->arena, (size_t)bytes);
  for (int64_t i = 0; i < bytes; i++)
    data[i] = (char)src->fill[i % src->period];
  return b_shared_data(k->g, LLVMConstStringInContext2(k->g->context, data, (size_t)bytes, true),
                       name, align);
}

// The address of the element at an offset in the source of a nest of a stage. The source may limit what is left.
static LLVMValueRef build_found(Kernel *k, const Stage *stage, const Nest *nest,
                                LLVMValueRef offset, LLVMValueRef *left) {
  Gen *g = k->g;
  Cursor src = kernel_cursor(k, nest->source);
  if (src.period)
    return build_filled(k, &src, stage_fill_bytes(k->plan->graph, stage, nest->source),
                        arena_printf(k->arena, "%s.fill.%d", k->name, -nest->source), nest->unit);
  if (src.stage) {
    LLVMValueRef behind = *left;
    LLVMValueRef found = kernel_call_stage(k, src.stage, offset, &behind);
    *left = b_least(g, *left, behind);
    return found;
  }
  return LLVMBuildGEP2(g->builder, g->i8, src.at, &offset, 1, "src");
}

void kernel_build_stages(Kernel *k) {
  Gen *g = k->g;
  int read = plan_stage_parameters(k->plan);
  LLVMTypeRef *type = module_parameter_types(g, k->arena, &k->plan->signature);
  type[read] = g->index;
  k->stage = ARENA_ARRAY(k->arena, LLVMValueRef, k->plan->stage_count + 1);
  for (int i = 0; i < k->plan->stage_count; i++) {
    const Stage *stage = &k->plan->stage[i];
    int bits = plan_element_bits(plan_source_type(k->plan->graph, stage->value->id));
    LLVMTypeRef part[2] = {g->ptr, g->index};
    LLVMTypeRef given = stage->is_computed   ? LLVMIntTypeInContext(g->context, bits)
                        : stage->finds_parts ? LLVMStructTypeInContext(g->context, part, 2, false)
                                             : g->ptr;
    k->stage[i] =
        module_add_local(g, arena_printf(k->arena, "%s.stage.%d", k->name, i),
                         LLVMFunctionType(given, type, (unsigned)read + 1, false), k->target);
    if (stage->nest_count > MOST_TESTS) {
      // Not optimized: for each value LLVM examines all earlier conditions, which takes half a minute for a thousand.
      b_unmark(k->stage[i], "optsize");
      b_unmark(k->stage[i], "minsize");
      b_mark(g, k->stage[i], "optnone");
      b_mark(g, k->stage[i], "noinline");
    }
    kernel_begin(k, k->stage[i], &k->plan->signature);
    const Value *listed = stage_listed(stage);
    CodeLeaves leaves = {.stage = stage,
                         .buffer = listed ? kernel_source(k, listed->id) : NULL,
                         .source = kernel_source,
                         .found = build_found,
                         .list = arena_printf(k->arena, "%s.table.%d", k->name, i)};
    kernel_build_code(k, code_stage(k->arena, k->plan, stage, false), leaves);
  }
}
