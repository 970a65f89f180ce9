// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers that elements are taken apart into, of any width, and constants of theirs.
#ifndef CODEGEN_BITS_BUILD_H
#define CODEGEN_BITS_BUILD_H

#include "codegen/llvm/llvm_build.h"

static inline uint64_t low(int bits) { return UINT64_MAX >> (64 - bits); }

static inline LLVMTypeRef int_type(Gen *g, int bits) {
  return LLVMIntTypeInContext(g->context, (unsigned)bits);
}
static inline int width_of(LLVMValueRef integer) {
  return (int)LLVMGetIntTypeWidth(LLVMTypeOf(integer));
}
static inline LLVMValueRef number(LLVMValueRef like, uint64_t n) { // what fits of n
  return LLVMConstInt(LLVMTypeOf(like), n & low(width_of(like)), false);
}
static inline LLVMValueRef plus(Gen *g, LLVMValueRef x, uint64_t n) {
  return LLVMBuildAdd(g->builder, x, number(x, n), "sum");
}
static inline LLVMValueRef masked(Gen *g, LLVMValueRef x, uint64_t n) {
  return LLVMBuildAnd(g->builder, x, number(x, n), "masked");
}
static inline LLVMValueRef with(Gen *g, LLVMValueRef x, uint64_t n) {
  return LLVMBuildOr(g->builder, x, number(x, n), "with");
}
static inline LLVMValueRef left(Gen *g, LLVMValueRef x, int bits) {
  return LLVMBuildShl(g->builder, x, number(x, (uint64_t)bits), "left");
}
static inline LLVMValueRef right(Gen *g, LLVMValueRef x, int bits) {
  return LLVMBuildLShr(g->builder, x, number(x, (uint64_t)bits), "right");
}
static inline LLVMValueRef is_below(Gen *g, LLVMValueRef x, uint64_t n) {
  return LLVMBuildICmp(g->builder, LLVMIntULT, x, number(x, n), "below");
}
static inline LLVMValueRef is_above(Gen *g, LLVMValueRef x, uint64_t n) {
  return LLVMBuildICmp(g->builder, LLVMIntUGT, x, number(x, n), "above");
}
static inline LLVMValueRef is_equal(Gen *g, LLVMValueRef x, uint64_t n) {
  return LLVMBuildICmp(g->builder, LLVMIntEQ, x, number(x, n), "equal");
}
static inline LLVMValueRef choose(Gen *g, LLVMValueRef test, LLVMValueRef yes, LLVMValueRef no) {
  return LLVMBuildSelect(g->builder, test, yes, no, "choice");
}
static inline LLVMValueRef cast_bits(Gen *g, LLVMValueRef x, LLVMTypeRef type) {
  return LLVMBuildBitCast(g->builder, x, type, "bits");
}
// More bits, zeros, or only the low ones.
static inline LLVMValueRef resized(Gen *g, LLVMValueRef x, int bits) {
  return LLVMBuildIntCast2(g->builder, x, int_type(g, bits), false, "resized");
}

#endif
