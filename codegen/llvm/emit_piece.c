// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies a run of bytes in pieces. All data moves as integers or vectors of bytes, so no bit pattern changes. Every
// access has the alignment of an element, because callers guarantee only that.
#include "codegen/llvm/llvm_module.h"

enum { STRAIGHT = 256 }; // a run up to this long is copied without a loop

Cursor cursor_step(Gen *g, Cursor c, LLVMValueRef offset) {
  if (c.period)
    return c;
  if (c.stage)
    c.at = LLVMBuildNSWAdd(g->builder, c.at, offset, "at");
  else
    c.at = b_step(g, c.at, offset, "src");
  return c;
}

// The bytes of the constant from `offset` on, as they are in memory.
LLVMValueRef piece_fill(Gen *g, const Cursor *src, int64_t offset, int64_t width) {
  LLVMValueRef byte[LARGEST_PIECE];
  for (int64_t i = 0; i < width; i++)
    byte[i] = b_const(g->i8, src->fill[(offset + i) % src->period]);
  LLVMValueRef vector = LLVMConstVector(byte, (unsigned)width);
  return width > 8 ? vector : LLVMConstBitCast(vector, b_bytes(g, width));
}

// Bytes that begin at bit `shift` of each byte: for shift 4, ab cd ef becomes da fc (in hexadecimal).
static LLVMValueRef shifted_piece(Gen *g, const Cursor *src, int64_t offset, int64_t width) {
  LLVMTypeRef type = b_vector(g, 8, width);
  LLVMValueRef low = b_load(g, type, b_step(g, src->at, b_int(g, offset), "src"), 1, "low");
  LLVMValueRef high = b_load(g, type, b_step(g, src->at, b_int(g, offset + 1), "src"), 1, "high");
  low = LLVMBuildLShr(g->builder, low, b_splat(g->i8, src->shift, (int)width), "low");
  high = LLVMBuildShl(g->builder, high, b_splat(g->i8, 8 - src->shift, (int)width), "high");
  return LLVMBuildOr(g->builder, low, high, "data");
}

void piece_build(Gen *g, LLVMValueRef dst, Cursor src, int64_t offset, int64_t width,
                 uint32_t align) {
  LLVMValueRef at = b_int(g, offset), value;
  if (src.period)
    value = piece_fill(g, &src, offset, width);
  else if (src.shift)
    value = shifted_piece(g, &src, offset, width);
  else
    value = b_load(g, b_bytes(g, width), b_step(g, src.at, at, "src"), align, "data");
  LLVMValueRef to = b_step(g, dst, at, "dst");
  b_put(g, value, to, width, align);
}

// 100 bytes: 64, then 32 and 4; 127 bytes: 64 and, overlapping it by one byte, 64.
static void build_straight(Gen *g, LLVMValueRef dst, Cursor src, int64_t bytes, uint32_t align) {
  int64_t done = 0;
  for (int64_t width = LARGEST_PIECE; done < bytes;) {
    int64_t left = bytes - done;
    if (left < width && done >= width &&
        left > width / 2) { // one overlapping piece instead of several
      piece_build(g, dst, src, bytes - width, width, align);
      return;
    }
    if (left < width) {
      width /= 2;
      continue;
    }
    piece_build(g, dst, src, done, width, align);
    done += width;
  }
}

// Copies a contiguous run. A long one is a loop and a remainder, whose last vector overlaps bytes already written.
void run_build(Gen *g, LLVMValueRef dst, Cursor src, int64_t bytes, uint32_t align) {
  int64_t step = g->optimizes_size ? LARGEST_PIECE : 4 * LARGEST_PIECE;
  if (bytes <= (g->optimizes_size ? 2 * LARGEST_PIECE : STRAIGHT)) {
    build_straight(g, dst, src, bytes, align);
    return;
  }
  int64_t looped = bytes / step * step;
  Repeat r = b_repeat_begin(g, b_int(g, looped), step, "at");
  r.is_left = true;
  Cursor from = cursor_step(g, src, r.index);
  LLVMValueRef to = b_step(g, dst, r.index, "dst");
  for (int64_t i = 0; i < step; i += LARGEST_PIECE)
    piece_build(g, to, from, i, LARGEST_PIECE, align);
  b_repeat_end(g, &r);
  for (int64_t left = bytes - looped; left > 0;
       left -= LARGEST_PIECE) // counts down, so nothing overflows
    piece_build(g, dst, src, bytes - (left >= LARGEST_PIECE ? left : LARGEST_PIECE), LARGEST_PIECE,
                align);
}

void fill_lines(Kernel *k, LLVMValueRef dst, Cursor src, LLVMValueRef bytes, uint32_t align) {
  Gen *g = k->g;
  LLVMValueRef line = b_int(g, LARGEST_PIECE), below = b_int(g, LARGEST_PIECE - 1);
  LLVMValueRef last = LLVMBuildSub(g->builder, bytes, line, "last");
  LLVMValueRef value = piece_fill(g, &src, 0, LARGEST_PIECE);
  b_store(g, value, dst, align);
  b_store(g, value, b_step(g, dst, last, "dst"), align);
  LLVMValueRef address = LLVMBuildPtrToInt(g->builder, dst, g->index, "address");
  LLVMValueRef within =
      LLVMBuildAnd(g->builder, LLVMBuildNeg(g->builder, address, "rest"), below, "skipped");
  LLVMValueRef end = LLVMBuildSub(g->builder, bytes, within, "end");
  end = LLVMBuildAnd(g->builder, end, b_int(g, -LARGEST_PIECE), "whole");
  LLVMValueRef first = b_step(g, dst, within, "dst");
  Range r = b_range_begin(g, b_int(g, 0), end, LARGEST_PIECE, "line");
  b_stream(g, value, b_step(g, first, r.index, "dst"), LARGEST_PIECE);
  b_range_end(g, &r);
}
