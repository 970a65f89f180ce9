// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds pieces of the result as whole vectors (codegen/plan/shuffle.h). The source vectors that a result vector needs
// are merged in pairs; LLVM chooses the instructions.
#include "codegen/llvm/gather.h"

typedef struct Pieces {
  Kernel *k;
  const Nest *nest;
  const NestShuffle *shuffle;
  LLVMValueRef src; // the first byte of a piece
  LLVMValueRef loaded[MOST_SHUFFLE_VECTORS];
} Pieces;

// Vector `i` of the source, widened to the width of the result.
static LLVMValueRef source_vector(Pieces *p, int i) {
  const NestShuffle *s = p->shuffle;
  Gen *g = p->k->g;
  int count = (int)(s->source / s->grain), width = (int)(s->result / s->grain);
  if (p->loaded[i])
    return p->loaded[i];
  LLVMTypeRef type = b_vector(g, s->grain * 8, count);
  LLVMValueRef at = b_int(g, shuffle_begin(s->span, s->source, i));
  LLVMValueRef data = b_load(g, type, b_step(g, p->src, at, "src"), p->nest->unit, "data");
  p->loaded[i] = count < width ? b_resize(g, data, 0, count, width, "data") : data;
  return p->loaded[i];
}

static Gather gather_of(Pieces *p, int64_t begin) {
  const NestShuffle *s = p->shuffle;
  Gather gather = {.width = (int)(s->result / s->grain)};
  int order[MOST_SHUFFLE_VECTORS] = {0}; // numbered from 1 in order of first use
  for (int i = 0; i < gather.width; i++) {
    int64_t src = shuffle_source(p->nest, s, begin + i * s->grain);
    int v = shuffle_vector(s, src);
    if (order[v] == 0) {
      gather.vector[gather.count] = source_vector(p, v);
      order[v] = ++gather.count;
    }
    gather.which[i] = order[v] - 1;
    gather.place[i] = (int)((src - shuffle_begin(s->span, s->source, v)) / s->grain);
  }
  return gather;
}

// Merges each pair of vectors into one, with their elements at their final positions. The last of an odd number of
// vectors stays.
static void halve(Gen *g, Gather *p) {
  int pairs = p->count > 1 ? p->count / 2 : 1, from[MOST_ELEMENTS];
  for (int n = 0; n < pairs; n++) {
    LLVMValueRef a = p->vector[2 * n];
    bool has_two = 2 * n + 1 < p->count;
    for (int i = 0; i < p->width; i++)
      from[i] = p->which[i] / 2 == n ? p->which[i] % 2 * p->width + p->place[i] : -1;
    LLVMValueRef b = has_two ? p->vector[2 * n + 1] : LLVMGetPoison(LLVMTypeOf(a));
    p->vector[n] = b_shuffle(g, a, b, from, p->width, "shuffled");
  }
  if (pairs < (p->count + 1) / 2)
    p->vector[pairs] = p->vector[p->count - 1];
  for (int i = 0; i < p->width; i++) {
    p->which[i] /= 2;
    p->place[i] = p->which[i] < pairs ? i : p->place[i];
  }
  p->count = (p->count + 1) / 2;
}

LLVMValueRef gather_build(Gen *g, Gather *gather) {
  do
    halve(g, gather);
  while (gather->count > 1);
  return gather->vector[0];
}

static LLVMValueRef result_vector(Pieces *p, int64_t begin) {
  Gather gather = gather_of(p, begin);
  return gather_build(p->k->g, &gather);
}

LLVMValueRef shuffle_fits(Kernel *k, const Nest *nest, const NestShuffle *shuffle) {
  return shuffle->is_split ? b_fits(k->g, kernel_extent(k, nest, shuffle->depth), shuffle->count)
                           : NULL;
}

static void build_piece(Kernel *k, const Nest *nest, const NestShuffle *s, LLVMValueRef src,
                        LLVMValueRef dst) {
  Gen *g = k->g;
  Pieces p = {.k = k, .nest = nest, .shuffle = s};
  p.src = b_step(g, src, b_int(g, s->first), "src");
  int stores = (int)((s->bytes + s->result - 1) / s->result);
  for (int i = 0; i < stores; i++) {
    int64_t begin = shuffle_begin(s->bytes, s->result, i);
    LLVMValueRef vector = result_vector(&p, begin), to = b_step(g, dst, b_int(g, begin), "dst");
    b_put(g, vector, to, s->result, nest->unit);
  }
}

void stream_row(Gen *g, LLVMValueRef extent, int64_t count,
                void (*build)(void *of, LLVMValueRef index), void *of) {
  LLVMValueRef rest = LLVMBuildURem(g->builder, extent, b_int(g, count), "rest");
  LLVMValueRef whole = LLVMBuildNUWSub(g->builder, extent, rest, "whole");
  Range all = b_range_begin(g, b_int(g, 0), whole, count, "pieces");
  build(of, all.index);
  b_range_end(g, &all);
  LLVMValueRef is_whole = LLVMBuildICmp(g->builder, LLVMIntEQ, whole, extent, "is_whole");
  Fork fork = b_fork_unless(g, is_whole, "rest", "row");
  LLVMValueRef last = LLVMBuildSub(g->builder, extent, b_int(g, count), "last");
  g->streaming = false;
  build(of, last);
  g->streaming = true;
  b_fork_end(g, &fork);
}

// The sides of a split loop.
typedef struct SplitLoop {
  Kernel *k;
  const Nest *nest;
  const NestShuffle *shuffle;
  LLVMValueRef src, dst;
} SplitLoop;

static void build_split(void *of, LLVMValueRef index) {
  const SplitLoop *c = of;
  const Loop *loop = &c->nest->loop[c->shuffle->depth];
  LLVMValueRef src = b_at(c->k->g, c->src, index, kernel_number(c->k, loop->src), "src");
  build_piece(c->k, c->nest, c->shuffle, src,
              b_at(c->k->g, c->dst, index, kernel_number(c->k, loop->dst), "dst"));
}

void shuffle_build(Kernel *k, const Nest *nest, const NestShuffle *shuffle, LLVMValueRef src,
                   LLVMValueRef dst) {
  Gen *g = k->g;
  if (!shuffle->is_split) {
    build_piece(k, nest, shuffle, src, dst);
    return;
  }
  SplitLoop loop = {k, nest, shuffle, src, dst};
  LLVMValueRef first, extent = kernel_extent(k, nest, shuffle->depth);
  if (g->streaming) {
    stream_row(g, extent, shuffle->count, build_split, &loop);
    return;
  }
  Range r = b_tiles_begin(g, (Part){b_int(g, 0), extent}, shuffle->count, "piece", &first);
  build_split(&loop, first);
  b_range_end(g, &r);
}
