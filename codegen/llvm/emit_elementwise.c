// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests by element: loops around load, the steps of a chain, store. An element is an integer of its
// width between steps; LLVM turns the loops into vectors where it can. Elements of less than a byte
// are addressed by number, and stored by changing their part of a byte.
#include "codegen/llvm/llvm_module.h"

static LLVMTypeRef element_type(Gen *g, rsh_dtype dtype) {
  return LLVMIntTypeInContext(g->context, (unsigned)plan_element_bits(dtype));
}

// Element number `at` of packed ones: its byte, and the number of its lowest bit there.
typedef struct Packed {
  LLVMValueRef byte, shift;
} Packed;

static Packed packed_place(Gen *g, LLVMValueRef base, LLVMValueRef at, int bits) {
  int per_byte = 8 / bits;
  LLVMValueRef byte = LLVMBuildLShr(g->builder, at, b_int(g, per_byte == 2 ? 1 : 2), "byte");
  LLVMValueRef part = LLVMBuildAnd(g->builder, at, b_int(g, per_byte - 1), "part");
  LLVMValueRef shift = LLVMBuildMul(g->builder, part, b_int(g, bits), "shift");
  return (Packed){b_step(g, base, byte, "packed"),
                  LLVMBuildTrunc(g->builder, shift, g->i8, "shift")};
}

static LLVMValueRef load_packed(Gen *g, LLVMValueRef base, LLVMValueRef at, rsh_dtype dtype) {
  Packed place = packed_place(g, base, at, plan_element_bits(dtype));
  LLVMValueRef byte = b_load(g, g->i8, place.byte, 1, "byte");
  LLVMValueRef part = LLVMBuildLShr(g->builder, byte, place.shift, "part");
  return LLVMBuildTrunc(g->builder, part, element_type(g, dtype), "element");
}

static void store_packed(Gen *g, LLVMValueRef base, LLVMValueRef at, rsh_dtype dtype,
                         LLVMValueRef element) {
  int bits = plan_element_bits(dtype);
  Packed place = packed_place(g, base, at, bits);
  LLVMValueRef mask = LLVMConstInt(g->i8, (1u << bits) - 1, false);
  LLVMValueRef hole =
      LLVMBuildNot(g->builder, LLVMBuildShl(g->builder, mask, place.shift, "mask"), "hole");
  LLVMValueRef part = LLVMBuildShl(g->builder, LLVMBuildZExt(g->builder, element, g->i8, "part"),
                                   place.shift, "part");
  LLVMValueRef byte = b_load(g, g->i8, place.byte, 1, "byte");
  byte = LLVMBuildAnd(g->builder, byte, hole, "others");
  b_store(g, LLVMBuildOr(g->builder, byte, part, "byte"), place.byte, 1);
}

static LLVMValueRef constant(Gen *g, const Fill *fill) {
  LLVMTypeRef type = element_type(g, fill->dtype);
  uint64_t word[2] = {0, 0};
  int bytes = (plan_element_bits(fill->dtype) + 7) / 8;
  for (int i = 0; i < bytes; i++)
    word[i / 8] |= (uint64_t)fill->bits[i] << (i % 8 * 8);
  return LLVMConstIntOfArbitraryPrecision(type, bytes > 8 ? 2 : 1, word);
}

static LLVMValueRef load_source(Kernel *k, const Nest *nest, LLVMValueRef offset) {
  Gen *g = k->g;
  LLVMTypeRef type = element_type(g, nest->from);
  uint32_t align = plan_element_align(nest->from);
  if (rsh_is_fill(nest->source))
    return constant(g, &k->plan->graph->fill.item[-1 - nest->source]);
  if (!graph_is_source(k->plan->graph, nest->source)) {
    int i = 0;
    while (k->plan->stage[i].value->id != nest->source)
      i++;
    LLVMValueRef given = kernel_call_stage(k, k->stage[i], offset);
    return k->plan->stage[i].is_computed ? given : b_load(g, type, given, align, "element");
  }
  LLVMValueRef base = k->over ? k->over : kernel_source(k, nest->source);
  if (plan_element_bits(nest->from) < 8)
    return load_packed(g, base, offset, nest->from);
  return b_load(g, type, b_step(g, base, offset, "src"), align, "element");
}

static LLVMValueRef mapped(Kernel *k, const Nest *nest, LLVMValueRef element) {
  int count;
  const rsh_step *step = graph_map_steps(k->arena, k->plan->graph, nest->map, &count);
  for (int i = 0; i < count; i++)
    element = step_build(k->g, &step[i], element);
  return element;
}

LLVMValueRef elementwise_build_load(Kernel *k, const Nest *nest, LLVMValueRef offset) {
  return mapped(k, nest, load_source(k, nest, offset));
}

void elementwise_build_at(Kernel *k, const Nest *nest, LLVMValueRef src, LLVMValueRef dst) {
  Gen *g = k->g;
  LLVMValueRef element =
      rsh_is_fill(nest->source)
          ? constant(g, &k->plan->graph->fill.item[-1 - nest->source])
          : b_load(g, element_type(g, nest->from), src, plan_element_align(nest->from), "element");
  b_store(g, mapped(k, nest, element), dst, nest->unit);
}

static LLVMValueRef bits_at(Gen *g, int64_t shift) {
  return LLVMConstInt(g->i8, (unsigned long long)shift, false);
}

void elementwise_build_group(Kernel *k, const Nest *nest, LLVMValueRef src, LLVMValueRef dst) {
  Gen *g = k->g;
  const Loop *last = &nest->loop[nest->loop_count - 1];
  int from = plan_element_bits(nest->from), to = plan_element_bits(nest->to);
  LLVMTypeRef type = element_type(g, nest->from);
  LLVMValueRef byte = from < 8 ? b_load(g, g->i8, src, 1, "byte") : LLVMConstNull(g->i8);
  for (int64_t i = 0; i < nest_group(nest); i++) {
    LLVMValueRef element;
    if (from < 8) {
      element =
          LLVMBuildTrunc(g->builder, LLVMBuildLShr(g->builder, byte, bits_at(g, i * from), "part"),
                         type, "element");
      b_store(g, mapped(k, nest, element), b_step(g, dst, b_int(g, i * last->dst.n), "dst"),
              nest->unit);
      continue;
    }
    element = b_load(g, type, b_step(g, src, b_int(g, i * last->src.n), "src"),
                     plan_element_align(nest->from), "element");
    element = LLVMBuildZExt(g->builder, mapped(k, nest, element), g->i8, "part");
    byte = LLVMBuildOr(g->builder, byte,
                       LLVMBuildShl(g->builder, element, bits_at(g, i * to), "part"), "byte");
  }
  if (to < 8)
    b_store(g, byte, dst, 1);
}

static void store_element(Kernel *k, const Nest *nest, LLVMValueRef out, LLVMValueRef offset,
                          LLVMValueRef element) {
  if (plan_element_bits(nest->to) < 8)
    store_packed(k->g, out, offset, nest->to, element);
  else
    b_store(k->g, element, b_step(k->g, out, offset, "dst"), nest->unit);
}

static LLVMValueRef stepped(Kernel *k, LLVMValueRef offset, LLVMValueRef index, rsh_num stride,
                            const char *name) {
  if (rsh_is(stride, 0))
    return offset;
  LLVMValueRef step = b_scale(k->g, index, kernel_number(k, stride), "step");
  return LLVMBuildNSWAdd(k->g->builder, offset, step, name);
}

void elementwise_build_nest(Kernel *k, const Nest *nest, LLVMValueRef src, LLVMValueRef dst,
                            LLVMValueRef out) {
  Gen *g = k->g;
  Repeat *repeat = ARENA_ARRAY(k->arena, Repeat, nest->loop_count);
  for (int i = 0; i < nest->loop_count; i++) {
    const Loop *loop = &nest->loop[i];
    repeat[i] = b_repeat_begin(g, kernel_extent(k, nest, i), 1, "i");
    src = stepped(k, src, repeat[i].index, loop->src, "from");
    dst = stepped(k, dst, repeat[i].index, loop->dst, "to");
  }
  store_element(k, nest, out, dst, elementwise_build_load(k, nest, src));
  for (int i = nest->loop_count; i > 0; i--)
    b_repeat_end(g, &repeat[i - 1]);
}
