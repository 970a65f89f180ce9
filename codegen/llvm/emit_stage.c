// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stages: a function for each value that is looked up, from an address in it to the place of the element.
#include "codegen/llvm/llvm_module.h"

enum { MOST_TESTS = 256 }; // of a stage that is optimised

// A stride that is 0 belongs to a nest without elements: any digit will do.
static LLVMValueRef divisor(Kernel *k, rsh_num stride) {
  LLVMValueRef n = kernel_number(k, stride), one = b_int(k->g, 1);
  if (plan_is_positive(k->plan, stride))
    return n;
  LLVMValueRef test = LLVMBuildICmp(k->g->builder, LLVMIntSGT, n, one, "above");
  return LLVMBuildSelect(k->g->builder, test, n, one, "divisor");
}

// Does address `at` lie in the nest, and if so, at which address of its source? Digits from the
// outermost loop in; addresses before dst_offset wrap to huge ones and fail the first test. Without
// `inside`, it does. Where `at` lies elsewhere the sum is not used.
static LLVMValueRef build_lookup(Kernel *k, const Nest *nest, LLVMValueRef at,
                                 LLVMValueRef *inside) {
  Gen *g = k->g;
  LLVMValueRef rest = LLVMBuildSub(g->builder, at, kernel_number(k, nest->dst_offset), "rest");
  LLVMValueRef offset = kernel_number(k, nest->src_offset), good = NULL;
  for (int i = 0; i <= nest->loop_count; i++) {
    bool is_run = i == nest->loop_count;
    LLVMValueRef dst = is_run ? NULL : kernel_number(k, nest->loop[i].dst);
    LLVMValueRef digit = is_run ? rest : number_divide(g, rest, divisor(k, nest->loop[i].dst));
    LLVMValueRef below = kernel_number(k, is_run ? nest->run : nest->loop[i].extent);
    if (inside) {
      LLVMValueRef test = LLVMBuildICmp(g->builder, LLVMIntULT, digit, below, "below");
      good = good ? LLVMBuildAnd(g->builder, good, test, "inside") : test;
    }
    if (is_run && nest->by_element) // rest is 0
      break;
    LLVMValueRef src_stride =
        is_run ? b_int(g, nest->source >= 0) : kernel_number(k, nest->loop[i].src);
    offset = LLVMBuildAdd(g->builder, offset, LLVMBuildMul(g->builder, digit, src_stride, "step"),
                          "offset");
    if (!is_run)
      rest = LLVMBuildSub(g->builder, rest, LLVMBuildMul(g->builder, digit, dst, "taken"), "rest");
  }
  if (inside)
    *inside = good;
  return offset;
}

// What a stage gives for an address of a nest's source: the place of the element, or the element.
static LLVMValueRef build_found(Kernel *k, const Stage *stage, const Nest *nest,
                                LLVMValueRef offset) {
  Gen *g = k->g;
  if (stage->is_computed)
    return elementwise_build_load(k, nest, offset);
  Cursor src = kernel_cursor(k, nest->source);
  if (src.period)
    return b_data(k->g, piece_fill(g, &src, 0, src.period),
                  arena_printf(k->arena, "%s.fill.%d", k->name, -nest->source), nest->unit);
  if (src.stage)
    return kernel_call_stage(k, src.stage, offset);
  return LLVMBuildGEP2(g->builder, g->i8, src.at, &offset, 1, "src");
}

static void build_stage(Kernel *k, const Stage *stage) {
  Gen *g = k->g;
  LLVMValueRef at = LLVMGetLastParam(g->function);
  for (int i = 0; i < stage->nest_count; i++) {
    bool is_last =
        i == stage->nest_count - 1; // exactly one nest has the address, so the last needs no test
    LLVMValueRef inside = NULL;
    LLVMBasicBlockRef found = NULL, next = NULL;
    LLVMValueRef offset = build_lookup(k, &stage->nest[i], at, is_last ? NULL : &inside);
    if (!is_last) {
      found = b_block(g, "found"), next = b_block(g, "next");
      LLVMBuildCondBr(g->builder, inside, found, next);
      b_position(g, found);
    }
    LLVMBuildRet(g->builder, build_found(k, stage, &stage->nest[i], offset));
    if (next)
      b_position(g, next);
  }
}

// Element `at` of a value with a table, which becomes a constant of the object.
static void build_table(Kernel *k, const Value *value, LLVMValueRef at, const char *name) {
  Gen *g = k->g;
  LLVMTypeRef entry = LLVMInt32TypeInContext(g->context);
  rsh_num volume;
  rsh_volume(NULL, &value->shape, &volume);
  LLVMValueRef *item = ARENA_ARRAY(k->arena, LLVMValueRef, volume.n);
  for (int64_t i = 0; i < volume.n; i++)
    item[i] = LLVMConstInt(entry, value->table[i], false);
  LLVMValueRef array = LLVMConstArray2(entry, item, (uint64_t)volume.n);
  LLVMValueRef table = b_data(k->g, array, name, 4);
  int64_t element = plan_element_bits(value->dtype) / 8;
  LLVMValueRef index = LLVMBuildUDiv(g->builder, at, b_int(g, element), "index");
  LLVMValueRef slot = LLVMBuildInBoundsGEP2(g->builder, entry, table, &index, 1, "slot");
  LLVMValueRef number = b_as(g, g->index, b_load(g, entry, slot, 4, "number"));
  LLVMValueRef source = kernel_source(k, value->table_source->id);
  LLVMBuildRet(g->builder,
               b_step(g, source, b_scale(g, number, b_int(g, element), "offset"), "src"));
}

// LLVM asks of each number what all the tests before it say of it, which takes half a minute for a thousand of them.
static void leave_as_is(Gen *g, LLVMValueRef function) {
  LLVMAttributeIndex self = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  LLVMRemoveEnumAttributeAtIndex(function, self, LLVMGetEnumAttributeKindForName("optsize", 7));
  LLVMRemoveEnumAttributeAtIndex(function, self, LLVMGetEnumAttributeKindForName("minsize", 7));
  b_attribute(g, function, self, "optnone", 0);
  b_attribute(g, function, self, "noinline", 0);
}

void kernel_build_stages(Kernel *k) {
  Gen *g = k->g;
  int read = kernel_stage_parameters(k->plan);
  LLVMTypeRef *type = module_parameter_types(g, k->arena, &k->plan->signature);
  type[read] = g->index;
  k->stage = ARENA_ARRAY(k->arena, LLVMValueRef, k->plan->stage_count + 1);
  for (int i = 0; i < k->plan->stage_count; i++) {
    const Stage *stage = &k->plan->stage[i];
    unsigned bits = (unsigned)plan_element_bits(plan_source_type(k->plan->graph, stage->value->id));
    LLVMTypeRef given = stage->is_computed ? LLVMIntTypeInContext(g->context, bits) : g->ptr;
    k->stage[i] = LLVMAddFunction(g->module, arena_printf(k->arena, "%s.stage.%d", k->name, i),
                                  LLVMFunctionType(given, type, (unsigned)read + 1, false));
    LLVMSetLinkage(k->stage[i], LLVMInternalLinkage);
    module_set_attributes(g, k->stage[i], k->target);
    if (stage->nest_count > MOST_TESTS)
      leave_as_is(g, k->stage[i]);
    kernel_begin(k, k->stage[i], &k->plan->signature);
    if (stage->value->table && !stage->is_computed)
      build_table(k, stage->value, LLVMGetLastParam(g->function),
                  arena_printf(k->arena, "%s.table.%d", k->name, i));
    else
      build_stage(k, stage);
  }
}
