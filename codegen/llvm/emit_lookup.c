// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Table lookups for vectors of indices, by instructions that shuffle bytes with variable indices: pshufb and vpermi2b
// of x86, tbl of AArch64, i8x16.swizzle of WebAssembly. A table that exceeds one instruction is divided into parts, and
// bits of the index select between the results of the parts:
//
//   256 entries, pshufb    low = index & 15; part i of 16: pshufb(part[i], low)
//                           bit 4 selects 8 of the 16 vectors, bit 5 selects 4 of these, and so on
//
// Entries of several bytes are looked up byte by byte, each in its own table, and the bytes are interleaved.
#include "codegen/llvm/llvm_module.h"

enum { TBL = 64, VPERMI2B = 128, LANE = 16, MOST_BYTES = 8, MOST_VECTOR = 64 };

// `count` bytes of a table from `first` on, repeated to `width` bytes, as a constant. `count` is a power of two.
static LLVMValueRef bytes_of(Gen *g, const uint8_t *table, int first, int count, int width) {
  LLVMValueRef byte[MOST_VECTOR];
  for (int i = 0; i < width; i++)
    byte[i] = b_const(g->i8, table[first + i % count]);
  return LLVMConstVector(byte, (unsigned)width);
}

static LLVMValueRef by_tbl(Gen *g, const uint8_t *table, int first, int count, LLVMValueRef index) {
  static const char *const names[] = {"llvm.aarch64.neon.tbl1", "llvm.aarch64.neon.tbl2",
                                      "llvm.aarch64.neon.tbl3", "llvm.aarch64.neon.tbl4"};
  LLVMValueRef arg[TBL / LANE + 1];
  LLVMTypeRef type = LLVMTypeOf(index);
  int registers = count > LANE ? count / LANE : 1;
  for (int i = 0; i < registers; i++)
    arg[i] = bytes_of(g, table, first + i * LANE, count < LANE ? count : LANE, LANE);
  arg[registers] = index;
  return b_intrinsic(g, names[registers - 1], &type, 1, arg, (unsigned)registers + 1, "entries");
}

static LLVMValueRef by_vperm(Gen *g, const uint8_t *table, int first, int count,
                             LLVMValueRef index) {
  LLVMValueRef arg[3] = {bytes_of(g, table, first, count < TBL ? count : TBL, MOST_VECTOR), index};
  if (count <= TBL)
    return b_intrinsic(g, "llvm.x86.avx512.permvar.qi.512", NULL, 0, arg, 2, "entries");
  arg[2] = bytes_of(g, table, first + TBL, TBL, MOST_VECTOR);
  return b_intrinsic(g, "llvm.x86.avx512.vpermi2var.qi.512", NULL, 0, arg, 3, "entries");
}

static LLVMValueRef by_lanes(Gen *g, const uint8_t *table, int first, int count,
                             LLVMValueRef index) {
  int width = (int)LLVMGetVectorSize(LLVMTypeOf(index));
  const char *name = g->target->is_wasm  ? "llvm.wasm.swizzle"
                     : width == LANE     ? "llvm.x86.ssse3.pshuf.b.128"
                     : width == 2 * LANE ? "llvm.x86.avx2.pshuf.b"
                                         : "llvm.x86.avx512.pshuf.b.512";
  LLVMValueRef arg[2] = {bytes_of(g, table, first, count, width), index};
  return b_intrinsic(g, name, NULL, 0, arg, 2, "entries");
}

// Looks up one-byte entries for a whole vector of indices.
static LLVMValueRef lookup(Gen *g, const uint8_t *table, int count, LLVMValueRef index) {
  int seen = g->can.element.table, width = (int)LLVMGetVectorSize(LLVMTypeOf(index));
  int part = count < seen ? count : seen;
  LLVMValueRef low = index, found[256 / LANE];
  if (count > seen)
    low = LLVMBuildAnd(g->builder, index, b_splat(g->i8, seen - 1, width), "low");
  for (int first = 0; first < count; first += part)
    found[first / part] = (seen == TBL        ? by_tbl
                           : seen == VPERMI2B ? by_vperm
                                              : by_lanes)(g, table, first, part, low);
  for (int parts = count / part; parts > 1; parts /= 2, part *= 2) {
    LLVMValueRef bit = LLVMBuildAnd(g->builder, index, b_splat(g->i8, part, width), "bit");
    LLVMValueRef is_high =
        LLVMBuildICmp(g->builder, LLVMIntNE, bit, LLVMConstNull(LLVMTypeOf(bit)), "is_high");
    for (int i = 0; i < parts / 2; i++)
      found[i] = LLVMBuildSelect(g->builder, is_high, found[2 * i + 1], found[2 * i], "entries");
  }
  return found[0];
}

// The same for at most that many indices, a power of two.
static LLVMValueRef lookup_some(Gen *g, const uint8_t *table, int count, LLVMValueRef index) {
  int all = (int)LLVMGetVectorSize(LLVMTypeOf(index)), width = g->can.element.vector;
  while (g->can.element.table != VPERMI2B && width > LANE && width > all)
    width /= 2;
  if (width == all)
    return lookup(g, table, count, index);
  index = b_resize(g, index, 0, all, width, "index");
  return b_resize(g, lookup(g, table, count, index), 0, all, all, "entries");
}

// Joins low and high parts to elements of twice the width.
static LLVMValueRef widened(Gen *g, LLVMValueRef low, LLVMValueRef high) {
  unsigned count = LLVMGetVectorSize(LLVMTypeOf(low));
  unsigned bits = LLVMGetIntTypeWidth(LLVMGetElementType(LLVMTypeOf(low)));
  LLVMTypeRef type = b_vector(g, 2 * bits, count);
  return LLVMBuildBitCast(g->builder, b_interleave(g, low, high, "bytes"), type, "entries");
}

LLVMValueRef lookup_build(Gen *g, const uint64_t *entry, int count, int bits, LLVMValueRef index) {
  int elements = (int)LLVMGetVectorSize(LLVMTypeOf(index)), bytes = bits < 8 ? 1 : bits / 8;
  LLVMTypeRef type = b_vector(g, 8, elements);
  LLVMValueRef found[MOST_BYTES];
  index = LLVMBuildZExt(g->builder, index, type, "index");
  for (int k = 0; k < bytes; k++) {
    uint8_t table[256];
    for (int i = 0; i < count; i++)
      table[i] = (uint8_t)(entry[i] >> (8 * k));
    found[k] = lookup_some(g, table, count, index);
  }
  for (; bytes > 1; bytes /= 2)
    for (int k = 0; k < bytes / 2; k++)
      found[k] = widened(g, found[2 * k], found[2 * k + 1]);
  return bits < 8 ? LLVMBuildTrunc(g->builder, found[0], b_vector(g, bits, elements), "entries")
                  : found[0];
}
