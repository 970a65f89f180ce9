// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prefetching: while the tiles of a block are copied, the cache lines of a later block are prefetched, row by row of
// the source. The indices of that block are computed with carries: in loops over 5 and 3 blocks, two blocks after (1,
// 2) is (2, 1).
#include "codegen/llvm/emit_ahead.h"
#include "codegen/plan/processor.h"

enum {
  FRACTION = 16 // fraction bits of a number of rows
};

// The index of a loop after this many more iterations; beyond its end, the carry goes to the enclosing loop.
static LLVMValueRef later_index(Gen *g, const Round *round, LLVMValueRef *rounds) {
  LLVMValueRef index = LLVMBuildNUWAdd(g->builder, round->index, *rounds, "later");
  if (!round->outer)
    return index;
  *rounds = LLVMBuildUDiv(g->builder, index, round->count, "carry");
  LLVMValueRef whole = LLVMBuildNUWMul(g->builder, *rounds, round->count, "whole");
  return LLVMBuildNUWSub(g->builder, index, whole, "later");
}

static LLVMValueRef later_place(Gen *g, LLVMValueRef from, const Round *round, LLVMValueRef index) {
  LLVMValueRef way = LLVMBuildSub(g->builder, index, round->index, "way");
  way = LLVMBuildMul(g->builder, way, round->step, "way");
  return LLVMBuildGEP2(g->builder, g->i8, from, &way, 1, "ahead");
}

static int64_t line_count(int64_t bytes) { return (bytes + CACHE_LINE - 1) / CACHE_LINE; }

Ahead ahead_begin(Gen *g, const Reading *r, LLVMValueRef here, const Round *rows,
                  LLVMValueRef steps) {
  const Round *columns = rows->outer;
  int64_t bytes = r->rows * r->bytes;
  LLVMValueRef rounds = b_int(g, (r->distance + bytes - 1) / bytes);
  LLVMValueRef row = later_index(g, rows, &rounds), column = later_index(g, columns, &rounds);
  Ahead a = {.g = g, .pitch = r->pitch, .is_near = r->is_near};
  a.from = later_place(g, later_place(g, here, rows, row), columns, column);
  for (const Round *round = columns->outer; round; round = round->outer)
    a.from = later_place(g, a.from, round, later_index(g, round, &rounds));
  // The last block of a loop may be smaller.
  int64_t rest = r->all_bytes % r->bytes;
  a.lines = line_count(r->bytes);
  a.last_lines = rest > 0 ? line_count(rest) : a.lines;
  LLVMValueRef last = LLVMBuildSub(g->builder, columns->count, b_int(g, 1), "last");
  a.is_last = LLVMBuildICmp(g->builder, LLVMIntEQ, column, last, "is_last");
  LLVMValueRef done = LLVMBuildNUWMul(g->builder, row, b_int(g, r->rows), "done");
  LLVMValueRef left = LLVMBuildNUWSub(g->builder, r->all_rows, done, "left");
  LLVMValueRef count = b_smaller(g, left, b_int(g, r->rows));
  count = LLVMBuildShl(g->builder, count, b_int(g, FRACTION), "count");
  LLVMValueRef rate = LLVMBuildUDiv(g->builder, count, steps, "rate");
  a.rate = LLVMBuildNUWAdd(g->builder, rate, b_int(g, 1), "rate");
  return a;
}

// A prefetch is a hint: an invalid address does not fault.
static void build_line(const Ahead *a, LLVMValueRef from, LLVMValueRef bytes) {
  Gen *g = a->g;
  LLVMValueRef arg[4] = {LLVMBuildGEP2(g->builder, g->i8, from, &bytes, 1, "soon"),
                         b_i32(g, 0),                  // read
                         b_i32(g, a->is_near ? 3 : 2), // into L1, or L2
                         b_i32(g, 1)};                 // data
  b_intrinsic(g, "llvm.prefetch", &g->ptr, 1, arg, 4, "");
}

static void build_row(const Ahead *a, LLVMValueRef row) {
  Gen *g = a->g;
  LLVMValueRef offset = LLVMBuildMul(g->builder, row, a->pitch, "offset");
  LLVMValueRef from = LLVMBuildGEP2(g->builder, g->i8, a->from, &offset, 1, "row");
  // A row that does not begin at a line boundary may end in an additional line.
  LLVMValueRef end = b_int(g, a->last_lines * CACHE_LINE - 1);
  if (a->last_lines < a->lines)
    end = LLVMBuildSelect(g->builder, a->is_last, end, b_int(g, a->lines * CACHE_LINE - 1), "end");
  for (int64_t line = 0; line < a->last_lines; line++)
    build_line(a, from, b_int(g, line * CACHE_LINE));
  if (a->last_lines < a->lines) {
    Fork fork = b_fork_unless(g, a->is_last, "more", "done");
    for (int64_t line = a->last_lines; line < a->lines; line++)
      build_line(a, from, b_int(g, line * CACHE_LINE));
    b_fork_end(g, &fork);
  }
  build_line(a, from, end);
}

// The number of rows prefetched before step `step`.
static LLVMValueRef rows_before(const Ahead *a, LLVMValueRef step) {
  LLVMValueRef rows = LLVMBuildNUWMul(a->g->builder, step, a->rate, "rows");
  return LLVMBuildLShr(a->g->builder, rows, b_int(a->g, FRACTION), "rows");
}

void ahead_step(const Ahead *a, LLVMValueRef step) {
  Gen *g = a->g;
  LLVMValueRef next = LLVMBuildNUWAdd(g->builder, step, b_int(g, 1), "next");
  LLVMValueRef first = rows_before(a, step), end = rows_before(a, next);
  LLVMValueRef some = LLVMBuildICmp(g->builder, LLVMIntULT, first, end, "some");
  Fork fork = b_fork(g, some, "ask", NULL, "go_on");
  Range row = b_range_begin(g, first, end, 1, "row");
  build_row(a, row.index);
  b_range_end(g, &row);
  b_fork_end(g, &fork);
}
