// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Non-temporal stores: results larger than the cache are written in whole, aligned lines, so that no line is read
// first. The kernel tests at run time where the result begins within a line and, if sizes are symbols, whether it is
// large enough and its rows are whole lines.
#include "codegen/llvm/llvm_module.h"
#include "codegen/plan/processor.h"

#include <string.h>

enum {
  LEAST = 8 // fewest lines of an unaligned row, two of which are written twice
};

static void build_past_cache(Kernel *k, const Nest *nest, Cursor src, LLVMValueRef dst) {
  Gen *g = k->g;
  g->streaming = true;
  kernel_build_loops(k, nest, 0, src, dst);
  g->streaming = false;
  b_intrinsic(g, "llvm.x86.sse.sfence", NULL, 0, NULL, 0, "");
}

static LLVMValueRef both(Gen *g, LLVMValueRef a, LLVMValueRef b) {
  return a && b ? LLVMBuildAnd(g->builder, a, b, "both") : a ? a : b;
}

// The contiguous bytes of a row of the result: a run, or the adjacent runs of tiles.
static LLVMValueRef row_bytes(Kernel *k, const Nest *nest) {
  LLVMValueRef run = kernel_number(k, nest->run);
  if (nest->kind != NEST_TILES)
    return run;
  LLVMValueRef count = kernel_number(k, nest->loop[nest->loop_count - 1].extent);
  return LLVMBuildMul(k->g->builder, run, count, "row");
}

// If sizes are symbols: whether the result is large enough.
static LLVMValueRef is_profitable(Kernel *k, const Nest *nest) {
  Gen *g = k->g;
  const Nest *large = nest_lines(nest).large;
  LLVMValueRef bytes = row_bytes(k, large);
  for (int i = 0; i < large->loop_count - (large->kind == NEST_TILES); i++)
    bytes = LLVMBuildMul(g->builder, bytes, kernel_number(k, large->loop[i].extent), "bytes");
  LLVMValueRef least = b_int(g, nest_lines(nest).large_from);
  return LLVMBuildICmp(g->builder, LLVMIntSGE, bytes, least, "pays");
}

// The same, and whether its rows and strides are whole lines, and a tile fits.
static LLVMValueRef is_large(Kernel *k, const Nest *nest) {
  Gen *g = k->g;
  const Nest *large = nest_lines(nest).large;
  LLVMValueRef lines = row_bytes(k, large);
  for (int i = 0; i < large->loop_count - (large->kind == NEST_TILES); i++)
    lines = LLVMBuildOr(g->builder, lines, kernel_number(k, large->loop[i].dst), "lines");
  LLVMValueRef within = LLVMBuildAnd(g->builder, lines, b_int(g, CACHE_LINE - 1), "within");
  LLVMValueRef whole = LLVMBuildICmp(g->builder, LLVMIntEQ, within, b_int(g, 0), "whole");
  LLVMValueRef good = both(g, is_profitable(k, nest), whole);
  return both(g, good, large->kind == NEST_TILES ? tile_fits(k, large) : NULL);
}

// Whether it is a transposition whose rows all begin at the same offset within a line, so that each can be written from
// its first whole line on.
static bool can_shift(const Nest *nest) {
  rsh_num row = nest->kind == NEST_TILES ? nest->loop[nest->loop_count - 1].extent : rsh_int(0);
  return nest->kind == NEST_TILES && nest->unit % nest->run.n == 0 &&
         (!rsh_is_known(row) || row.n * nest->run.n >= LEAST * CACHE_LINE);
}

// Stores the first and last line of each row through the cache.
static void build_edges(Kernel *k, const Nest *nest, Cursor src, LLVMValueRef dst) {
  Gen *g = k->g;
  Nest edge = *nest;
  edge.loop = ARENA_ARRAY(k->arena, Loop, nest->loop_count);
  memcpy(edge.loop, nest->loop, (size_t)nest->loop_count * sizeof(Loop));
  Loop *across = &edge.loop[nest->loop_count - 1];
  LLVMValueRef all = kernel_number(k, across->extent), step = kernel_number(k, across->src);
  across->extent = rsh_int(CACHE_LINE / nest->run.n);
  LLVMValueRef rest = LLVMBuildNSWSub(g->builder, all, b_int(g, across->extent.n), "rest");
  Repeat r = b_repeat_begin(g, b_int(g, 2), 1, "edge");
  r.is_left = true;
  LLVMValueRef first = LLVMBuildNSWMul(g->builder, r.index, rest, "first");
  LLVMValueRef to = b_step(g, dst, b_scale(g, first, b_int(g, nest->run.n), "at"), "dst");
  kernel_build_loops(k, &edge, 0, cursor_step(g, src, b_scale(g, first, step, "at")), to);
  b_repeat_end(g, &r);
}

// Writes each row with non-temporal stores: in full or, if it begins within a line, without one line of elements, from
// the first whole line on, `skipped` bytes into the row.
//
//   rows of 7264 f32 at 64*n + 16     0 to 15, 7248 to 7263, and 12 to 7259
static void build_shifted(Kernel *k, const Nest *nest, Cursor src, LLVMValueRef dst,
                          LLVMValueRef skipped, LLVMValueRef aligned) {
  Gen *g = k->g;
  const Loop *across = &nest->loop[nest->loop_count - 1];
  LLVMValueRef all = kernel_number(k, across->extent), line = b_int(g, CACHE_LINE / nest->run.n);
  Fork fork = b_fork_unless(g, aligned, "edges", "lines");
  build_edges(k, nest, src, dst);
  b_fork_end(g, &fork);
  LLVMValueRef fewer = LLVMBuildNSWSub(g->builder, all, line, "fewer");
  k->across = LLVMBuildSelect(g->builder, aligned, all, fewer, "across");
  LLVMValueRef index = LLVMBuildUDiv(g->builder, skipped, b_int(g, nest->run.n), "index");
  src = cursor_step(g, src, b_scale(g, index, kernel_number(k, across->src), "skip"));
  build_past_cache(k, nest, src, b_step(g, dst, skipped, "dst"));
  k->across = NULL;
}

// The same portion of a large nest, whose loops have a different order.
static Portion portion_in(const Nest *large, const Nest *nest, const Portion *of) {
  const Loop *loop = &nest->loop[of->depth];
  Portion portion = *of;
  for (int i = 0; i < large->loop_count; i++)
    if (rsh_equal(large->loop[i].dst, loop->dst) && rsh_equal(large->loop[i].src, loop->src) &&
        rsh_equal(large->loop[i].extent, loop->extent))
      portion.depth = i;
  return portion;
}

// Builds the loops of a non-temporal nest, after the tests that allow it.
static void build_lines(Kernel *k, const Nest *nest, Cursor src, LLVMValueRef dst,
                        LLVMValueRef skipped, LLVMValueRef aligned) {
  const Nest *large = nest_lines(nest).large, *lines = large ? large : nest;
  const Portion *portion = k->portion;
  Portion ordered;
  if (portion) {
    ordered = portion_in(lines, nest, portion);
    k->portion = &ordered;
  }
  k->fits = true;
  if (can_shift(lines))
    build_shifted(k, lines, src, dst, skipped, aligned);
  else
    build_past_cache(k, lines, src, dst);
  k->fits = false;
  k->portion = portion;
}

// Whether the output can be written in lines. NULL is true.
static LLVMValueRef test_lines(Kernel *k, const Nest *nest, LLVMValueRef aligned) {
  Gen *g = k->g;
  const Nest *large = nest_lines(nest).large, *lines = large ? large : nest;
  LLVMValueRef good = aligned;
  if (can_shift(lines)) {
    LLVMValueRef least = b_int(g, LEAST * CACHE_LINE);
    LLVMValueRef is_long =
        LLVMBuildICmp(g->builder, LLVMIntSGE, row_bytes(k, lines), least, "long");
    good = plan_nest_is_known(nest) ? NULL : LLVMBuildOr(g->builder, aligned, is_long, "good");
  }
  return large ? both(g, is_large(k, nest), good) : good;
}

LLVMValueRef is_stream_profitable(Kernel *k, const Nest *nest, int depth, int64_t bytes,
                                  int64_t vector, int64_t past, LLVMValueRef dst) {
  Gen *g = k->g;
  LLVMValueRef address = LLVMBuildPtrToInt(g->builder, dst, g->index, "address");
  LLVMValueRef all = b_int(g, bytes);
  for (int i = 0; i < nest->loop_count; i++) {
    all = LLVMBuildMul(g->builder, all, kernel_number(k, nest->loop[i].extent), "bytes");
    if (i < depth && !rsh_is_known(nest->loop[i].dst))
      address = LLVMBuildOr(g->builder, address, kernel_number(k, nest->loop[i].dst), "rows");
  }
  LLVMValueRef within = LLVMBuildAnd(g->builder, address, b_int(g, vector - 1), "within");
  LLVMValueRef good = LLVMBuildICmp(g->builder, LLVMIntEQ, within, b_int(g, 0), "aligned");
  LLVMValueRef least = b_int(g, past);
  return LLVMBuildAnd(g->builder, good, LLVMBuildICmp(g->builder, LLVMIntUGE, all, least, "pays"),
                      "good");
}

// Loops past the cache if `good`, else plain ones.
static void build_if(Kernel *k, const Nest *nest, Cursor src, LLVMValueRef dst, LLVMValueRef good) {
  Fork fork = b_fork(k->g, good, "stream", "plain", "end");
  build_past_cache(k, nest, src, dst);
  if (b_fork_else(k->g, &fork))
    kernel_build_loops(k, nest, 0, src, dst);
  b_fork_end(k->g, &fork);
}

// Vectors that are assembled from short runs.
static void build_shuffled(Kernel *k, const Nest *nest, Cursor src, LLVMValueRef dst) {
  NestShuffle s;
  nest_shuffle(nest, &k->g->can, &s);
  build_if(
      k, nest, src, dst,
      is_stream_profitable(k, nest, s.depth, nest->run.n, s.result, nest_lines(nest).past, dst));
}

void stream_build(Kernel *k, const Nest *nest, Cursor src, LLVMValueRef dst) {
  Gen *g = k->g;
  if (src.period) { // runs of a constant bypass the cache at any alignment (fill_lines)
    build_if(k, nest, src, dst, nest_lines(nest).large ? is_profitable(k, nest) : NULL);
    return;
  }
  if (nest_lines(nest).past > 0) {
    build_shuffled(k, nest, src, dst);
    return;
  }
  LLVMValueRef address = LLVMBuildPtrToInt(g->builder, dst, g->index, "address");
  LLVMValueRef skipped = LLVMBuildAnd(g->builder, LLVMBuildNeg(g->builder, address, "rest"),
                                      b_int(g, CACHE_LINE - 1), "skipped");
  LLVMValueRef aligned = LLVMBuildICmp(g->builder, LLVMIntEQ, skipped, b_int(g, 0), "aligned");
  LLVMValueRef good = test_lines(k, nest, aligned);
  Fork fork = b_fork(g, good, "stream", "plain", "end");
  build_lines(k, nest, src, dst, skipped, aligned);
  if (b_fork_else(g, &fork))
    kernel_build_loops(k, nest, 0, src, dst);
  b_fork_end(g, &fork);
}
