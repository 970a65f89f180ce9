// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The innermost loop of a nest by element, contiguous on both sides, in vectors. Packed elements are unpacked and
// packed by shifts of whole bytes, whose parts are interleaved:
//
//   u4[64] to u8, 32 bytes b     low = b & 15, high = b >> 4; low[0] high[0] low[1] high[1] ...
//
// The remainder after the last vector uses shorter vectors, then single elements.
#include "codegen/llvm/llvm_module.h"

enum { MOST_ELEMENTS = 64, BYTE = 8, SHORTEST = 16 };

static int group_of(int bits) { return bits < BYTE ? BYTE / bits : 1; }

static LLVMValueRef every(Gen *g, LLVMValueRef vector, int step, int first) {
  int from[MOST_ELEMENTS], count = (int)LLVMGetVectorSize(LLVMTypeOf(vector)) / step;
  for (int i = 0; i < count; i++)
    from[i] = first + i * step;
  return b_shuffle(g, vector, LLVMGetPoison(LLVMTypeOf(vector)), from, count, "part");
}

// Parts first, first + step, ... of each byte, in element order: interleaved from the even and the odd parts.
static LLVMValueRef unpacked_from(Gen *g, LLVMValueRef bytes, int bits, int first, int step) {
  int count = (int)LLVMGetVectorSize(LLVMTypeOf(bytes));
  if (step * bits == BYTE)
    return LLVMBuildLShr(g->builder, bytes, b_splat(g->i8, first * bits, count), "part");
  LLVMValueRef even = unpacked_from(g, bytes, bits, first, 2 * step);
  LLVMValueRef odd = unpacked_from(g, bytes, bits, first + step, 2 * step);
  return b_interleave(g, even, odd, "elements");
}

static LLVMValueRef load(Kernel *k, const Nest *nest, LLVMValueRef from, int64_t count) {
  Gen *g = k->g;
  int bits = plan_element_bits(nest->from);
  if (bits >= BYTE)
    return b_load(g, b_vector(g, bits, count), from, kernel_source_align(k, nest), "elements");
  LLVMValueRef bytes = b_load(g, b_vector(g, BYTE, count / group_of(bits)), from, 1, "bytes");
  return LLVMBuildTrunc(g->builder, unpacked_from(g, bytes, bits, 0, 1), b_vector(g, bits, count),
                        "elements");
}

static void store(Kernel *k, const Nest *nest, LLVMValueRef elements, LLVMValueRef to,
                  int64_t count) {
  Gen *g = k->g;
  int bits = plan_element_bits(nest->to), group = group_of(bits);
  if (bits >= BYTE) {
    b_store(g, elements, to, nest->unit);
    return;
  }
  LLVMValueRef wide = LLVMBuildZExt(g->builder, elements, b_vector(g, BYTE, count), "parts");
  LLVMValueRef bytes = every(g, wide, group, 0);
  for (int i = 1; i < group; i++) {
    LLVMValueRef shift = b_splat(g->i8, (int64_t)i * bits, (int)count / group);
    LLVMValueRef part = LLVMBuildShl(g->builder, every(g, wide, group, i), shift, "part");
    bytes = LLVMBuildOr(g->builder, bytes, part, "bytes");
  }
  b_store(g, bytes, to, 1);
}

static LLVMValueRef address(Gen *g, LLVMValueRef base, LLVMValueRef at, int bits) {
  return b_packed_step(g, base, bits < BYTE ? at : b_scale(g, at, b_int(g, bits / BYTE), "bytes"),
                       bits);
}

// Elements begin to end-1, in whole vectors of `count`; 1: in bytes of packed elements, or one by one.
static void build_range(Kernel *k, const Nest *nest, LLVMValueRef src, LLVMValueRef dst,
                        LLVMValueRef begin, LLVMValueRef end, int64_t count) {
  Gen *g = k->g;
  int from = plan_element_bits(nest->from), to = plan_element_bits(nest->to);
  int64_t group = group_of(from < to ? from : to), left = b_count(begin, end);
  if (left == 0)
    return;
  LLVMValueRef some = left > 0 ? NULL : LLVMBuildICmp(g->builder, LLVMIntULT, begin, end, "some");
  Fork fork = b_fork(g, some, "vectors", NULL, "done");
  Range r = b_range_begin(g, begin, end, count > 1 ? count : group, "i");
  LLVMValueRef at = address(g, src, r.index, from), out = address(g, dst, r.index, to);
  if (count > 1)
    store(k, nest, elementwise_build_vector(k, nest, load(k, nest, at, count)), out, count);
  else
    iteration_build(k, nest, at, out, group > 1);
  b_range_end(g, &r);
  b_fork_end(g, &fork);
}

// A loop over the bytes of packed elements, which LLVM vectorizes.
static void build_groups(Kernel *k, const Nest *nest, LLVMValueRef src, LLVMValueRef dst,
                         LLVMValueRef count) {
  Gen *g = k->g;
  int64_t group = nest_group(nest);
  int from = plan_element_bits(nest->from), to = plan_element_bits(nest->to);
  LLVMValueRef bytes = LLVMBuildExactUDiv(g->builder, count, b_int(g, group), "bytes");
  Repeat r = b_repeat_begin(g, bytes, 1, "i");
  LLVMValueRef at = b_at(g, src, r.index, b_int(g, group * from / BYTE), "src");
  LLVMValueRef out = b_at(g, dst, r.index, b_int(g, group * to / BYTE), "dst");
  iteration_build(k, nest, at, out, true);
  b_repeat_end(g, &r);
}

void vectors_build(Kernel *k, const Nest *nest, LLVMValueRef src, LLVMValueRef dst,
                   LLVMValueRef count) {
  Gen *g = k->g;
  if (g->can.vectorizes) {
    build_groups(k, nest, src, dst, count);
    return;
  }
  LLVMValueRef begin = b_int(g, 0);
  int64_t most = nest_vector_elements(nest, &g->can);
  for (int64_t width = most; width >= SHORTEST; width = width > SHORTEST ? SHORTEST : 0) {
    LLVMValueRef end = LLVMBuildAnd(g->builder, count, b_int(g, -width), "whole");
    build_range(k, nest, src, dst, begin, end, width);
    begin = end;
  }
  build_range(k, nest, src, dst, begin, count, 1);
}
