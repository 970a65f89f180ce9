// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores of the elements of nests (codegen/code/code_nest.c), as integers of their width; LLVM vectorizes the
// loops around them if it can. Elements smaller than a byte are addressed by index, and a store changes only their bits
// of a byte.
#include "codegen/llvm/llvm_module.h"

static LLVMTypeRef bits_type(Gen *g, rsh_dtype dtype) {
  return b_integer(g, plan_element_bits(dtype));
}

// Packed element `at`: its byte, and the position of its lowest bit in it.
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
  return LLVMBuildTrunc(g->builder, part, bits_type(g, dtype), "element");
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

LLVMValueRef element_fill(Gen *g, const Fill *fill) {
  LLVMTypeRef type = bits_type(g, fill->dtype);
  uint64_t word[2] = {0, 0};
  int bytes = (plan_element_bits(fill->dtype) + 7) / 8;
  for (int i = 0; i < bytes; i++)
    word[i / 8] |= (uint64_t)fill->bits[i] << (i % 8 * 8);
  return LLVMConstIntOfArbitraryPrecision(type, bytes > 8 ? 2 : 1, word);
}

LLVMValueRef element_take(Kernel *k, int source, rsh_dtype type, LLVMValueRef base,
                          LLVMValueRef at) {
  if (plan_element_bits(type) < 8)
    return part_of_byte(k->g, base, at, type);
  uint32_t align = plan_common_align(type, plan_source_type(k->plan->graph, source));
  return b_load(k->g, bits_type(k->g, type), b_step(k->g, base, at, "src"), align, "element");
}

void element_put(Gen *g, rsh_dtype type, LLVMValueRef base, LLVMValueRef at, LLVMValueRef element,
                 uint32_t align) {
  if (plan_element_bits(type) < 8)
    store_part(g, base, at, type, element);
  else
    b_store(g, element, b_step(g, base, at, "dst"), align);
}

LLVMValueRef kernel_call_stage(Kernel *k, LLVMValueRef stage, LLVMValueRef at, LLVMValueRef *left) {
  int read = plan_stage_parameters(k->plan);
  LLVMValueRef *arg = ARENA_ARRAY(k->arena, LLVMValueRef, read + 1);
  for (int i = 0; i < read; i++)
    arg[i] = LLVMGetParam(k->g->function, (unsigned)i);
  arg[read] = at;
  LLVMValueRef found = b_call(k->g, stage, arg, (unsigned)read + 1, "element");
  if (LLVMGetTypeKind(LLVMTypeOf(found)) != LLVMStructTypeKind)
    return found;
  if (left)
    *left = LLVMBuildExtractValue(k->g->builder, found, 1, "left");
  return LLVMBuildExtractValue(k->g->builder, found, 0, "element");
}

LLVMValueRef element_staged(Kernel *k, int stage, rsh_dtype type, LLVMValueRef at) {
  LLVMValueRef given = kernel_call_stage(k, k->stage[stage], at, NULL);
  return k->plan->stage[stage].is_computed
             ? given
             : b_load(k->g, bits_type(k->g, type), given, plan_element_align(type), "element");
}
