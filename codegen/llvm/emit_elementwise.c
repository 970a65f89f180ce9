// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests by element: loops around load, the steps of a chain, store. An element is an integer of its
// width between steps; LLVM turns the loops into vectors where it can. Elements of less than a byte
// are addressed by number, and stored by changing their part of a byte.
#include "codegen/llvm/llvm_module.h"

static LLVMTypeRef element_type(Gen *g, rsh_dtype dtype) {
  return b_integer(g, plan_element_bits(dtype));
}

// Element number `at` of packed ones: its byte, and the number of its lowest bit there.
typedef struct Packed {
  LLVMValueRef byte, shift;
} Packed;

static Packed packed_place(Gen *g, LLVMValueRef base, LLVMValueRef at, int bits) {
  int per_byte = 8 / bits;
  LLVMValueRef byte =
      LLVMBuildLShr(g->builder, at, b_int(g, __builtin_ctz((unsigned)per_byte)), "byte");
  LLVMValueRef part = LLVMBuildAnd(g->builder, at, b_int(g, per_byte - 1), "part");
  LLVMValueRef shift = LLVMBuildMul(g->builder, part, b_int(g, bits), "shift");
  return (Packed){b_step(g, base, byte, "packed"),
                  LLVMBuildTrunc(g->builder, shift, g->i8, "shift")};
}

static LLVMValueRef part_of_byte(Gen *g, LLVMValueRef base, LLVMValueRef at, rsh_dtype dtype) {
  Packed place = packed_place(g, base, at, plan_element_bits(dtype));
  LLVMValueRef byte = b_load(g, g->i8, place.byte, 1, "byte");
  LLVMValueRef part = LLVMBuildLShr(g->builder, byte, place.shift, "part");
  return LLVMBuildTrunc(g->builder, part, element_type(g, dtype), "element");
}

static void store_part(Gen *g, LLVMValueRef base, LLVMValueRef at, rsh_dtype dtype,
                       LLVMValueRef element) {
  int bits = plan_element_bits(dtype);
  Packed place = packed_place(g, base, at, bits);
  LLVMValueRef mask = b_const(g->i8, (1u << bits) - 1);
  LLVMValueRef hole =
      LLVMBuildNot(g->builder, LLVMBuildShl(g->builder, mask, place.shift, "mask"), "hole");
  LLVMValueRef part = LLVMBuildShl(g->builder, LLVMBuildZExt(g->builder, element, g->i8, "part"),
                                   place.shift, "part");
  LLVMValueRef byte = b_load(g, g->i8, place.byte, 1, "byte");
  byte = LLVMBuildAnd(g->builder, byte, hole, "others");
  b_store(g, LLVMBuildOr(g->builder, byte, part, "byte"), place.byte, 1);
}

static LLVMValueRef fill_bits(Gen *g, const Fill *fill) {
  LLVMTypeRef type = element_type(g, fill->dtype);
  uint64_t word[2] = {0, 0};
  int bytes = (plan_element_bits(fill->dtype) + 7) / 8;
  for (int i = 0; i < bytes; i++)
    word[i / 8] |= (uint64_t)fill->bits[i] << (i % 8 * 8);
  return LLVMConstIntOfArbitraryPrecision(type, bytes > 8 ? 2 : 1, word);
}

// Element number `at` of a stage, of type `type`.
static LLVMValueRef stage_element(Kernel *k, int stage, rsh_dtype type, LLVMValueRef at) {
  Gen *g = k->g;
  int bits = plan_element_bits(type);
  LLVMValueRef offset = bits < 8 ? at : b_scale(g, at, b_int(g, bits / 8), "offset");
  LLVMValueRef given = kernel_call_stage(k, k->stage[stage], offset);
  return k->plan->stage[stage].is_computed
             ? given
             : b_load(g, element_type(g, type), given, plan_element_align(type), "element");
}

// What a nest reads of a stage, whose elements may be larger or smaller: a part of one, or several together.
static LLVMValueRef load_stage(Kernel *k, const Nest *nest, LLVMValueRef offset) {
  Gen *g = k->g;
  rsh_dtype type = plan_source_type(k->plan->graph, nest->source);
  LLVMTypeRef wanted = element_type(g, nest->from);
  int stage = plan_stage(k->plan, nest->source);
  int have = plan_element_bits(type), want = plan_element_bits(nest->from);
  LLVMValueRef at =
      want < 8 ? offset : LLVMBuildUDiv(g->builder, offset, b_int(g, want / 8), "number");
  if (have == want)
    return stage_element(k, stage, type, at);
  if (have > want) {
    LLVMValueRef each = b_int(g, have / want);
    LLVMValueRef whole =
        stage_element(k, stage, type, LLVMBuildUDiv(g->builder, at, each, "whole"));
    LLVMValueRef part = LLVMBuildURem(g->builder, at, each, "part");
    LLVMValueRef shift = b_as(g, element_type(g, type), b_scale(g, part, b_int(g, want), "shift"));
    return LLVMBuildTrunc(g->builder, LLVMBuildLShr(g->builder, whole, shift, "part"), wanted,
                          "element");
  }
  LLVMValueRef element = b_const(wanted, 0);
  for (int i = 0; i < want / have; i++) {
    LLVMValueRef number = b_scale(g, at, b_int(g, want / have), "number");
    LLVMValueRef part =
        stage_element(k, stage, type, LLVMBuildAdd(g->builder, number, b_int(g, i), "number"));
    part = LLVMBuildShl(g->builder, LLVMBuildZExt(g->builder, part, wanted, "part"),
                        b_const(wanted, i * have), "part");
    element = LLVMBuildOr(g->builder, element, part, "element");
  }
  return element;
}

static LLVMValueRef load_source(Kernel *k, const Nest *nest, LLVMValueRef offset) {
  Gen *g = k->g;
  LLVMTypeRef type = element_type(g, nest->from);
  if (rsh_is_fill(nest->source))
    return fill_bits(g, &k->plan->graph->fill.item[-1 - nest->source]);
  if (!graph_is_source(k->plan->graph, nest->source))
    return load_stage(k, nest, offset);
  LLVMValueRef base = k->over ? k->over : kernel_source(k, nest->source);
  if (plan_element_bits(nest->from) < 8)
    return part_of_byte(g, base, offset, nest->from);
  return b_load(g, type, b_step(g, base, offset, "src"), kernel_source_align(k, nest), "element");
}

// Which entry of the tables of a step an element meets that leads to `at`; all of them together, `places`, are numbered.
static LLVMValueRef entry_of(Gen *g, const rsh_step *step, LLVMValueRef at, int64_t places) {
  if (step->divisor > 1)
    at = LLVMBuildUDiv(g->builder, at, b_int(g, step->divisor), "at");
  if (step->divisor * step->places < places)
    at = LLVMBuildURem(g->builder, at, b_int(g, step->places), "at");
  return b_as(g, g->word, at);
}

// `at` is NULL for a vector, whose elements all meet one entry (element_is_straight).
static LLVMValueRef mapped(Kernel *k, const Nest *nest, LLVMValueRef element, LLVMValueRef at) {
  const Graph *graph = k->plan->graph;
  NestElements of = nest_elements(nest);
  int64_t places = rsh_map_places(&graph->maps, of.map);
  int count;
  const rsh_step *step = graph_map_steps(k->arena, graph, of.map, &count);
  for (int i = 0; i < count; i++) {
    LLVMValueRef entry = step[i].tables && at ? entry_of(k->g, &step[i], at, places) : NULL;
    element = step_build(k->g, graph, &step[i], element, entry, of.repeat ? of.repeat : 1);
  }
  return element;
}

LLVMValueRef elementwise_build_load(Kernel *k, const Nest *nest, LLVMValueRef offset,
                                    LLVMValueRef at) {
  return mapped(k, nest, load_source(k, nest, offset), at);
}

// Pointers do not step through tables (way.c): all elements meet entry 0.
void elementwise_build_at(Kernel *k, const Nest *nest, LLVMValueRef src, LLVMValueRef dst) {
  Gen *g = k->g;
  if (nest->kind == NEST_FIELDS) {
    fields_build_turn(k, nest, src, dst);
    return;
  }
  LLVMValueRef element =
      rsh_is_fill(nest->source)
          ? fill_bits(g, &k->plan->graph->fill.item[-1 - nest->source])
          : b_load(g, element_type(g, nest->from), src, kernel_source_align(k, nest), "element");
  b_store(g, mapped(k, nest, element, b_int(g, 0)), dst, nest->unit);
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
      element = LLVMBuildTrunc(g->builder,
                               LLVMBuildLShr(g->builder, byte, b_const(g->i8, i * from), "part"),
                               type, "element");
      b_store(g, mapped(k, nest, element, b_int(g, 0)),
              b_step(g, dst, b_int(g, i * last->dst.n), "dst"), nest->unit);
      continue;
    }
    element = b_load(g, type, b_step(g, src, b_int(g, i * last->src.n), "src"),
                     plan_element_align(nest->from), "element");
    element = LLVMBuildZExt(g->builder, mapped(k, nest, element, b_int(g, 0)), g->i8, "part");
    byte = LLVMBuildOr(g->builder, byte,
                       LLVMBuildShl(g->builder, element, b_const(g->i8, i * to), "part"), "byte");
  }
  if (to < 8)
    b_store(g, byte, dst, 1);
}

void elementwise_build_store(Kernel *k, const Nest *nest, LLVMValueRef out, LLVMValueRef offset,
                             LLVMValueRef element) {
  if (plan_element_bits(nest->to) < 8)
    store_part(k->g, out, offset, nest->to, element);
  else
    b_store(k->g, element, b_step(k->g, out, offset, "dst"), nest->unit);
}

LLVMValueRef elementwise_build_vector(Kernel *k, const Nest *nest, LLVMValueRef elements) {
  k->g->elements = (int)LLVMGetVectorSize(LLVMTypeOf(elements));
  elements = mapped(k, nest, elements, NULL);
  k->g->elements = 0;
  return elements;
}
