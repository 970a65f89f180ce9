// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements assembled from bit fields, in vectors of several iterations (lanes.h).
#include "codegen/llvm/llvm_module.h"

enum { MOST_LANES = 4, MOST_PARTS = 24 };

typedef struct Vectors {
  Kernel *k;
  const Nest *nest;
  const FieldLanes *lanes;
  LLVMTypeRef bytes, words; // types of a vector
} Vectors;

// The source of a byte of a lane: a vector, and a byte in its same lane. Below 0: the byte is 0.
typedef struct Pick {
  int vector, byte;
} Pick;

// Each lane of the result is selected from the same lane of the vectors.
static LLVMValueRef picked(const Vectors *v, LLVMValueRef *vector, int count, const Pick *pick) {
  Gen *g = v->k->g;
  int lanes = v->lanes->count, width = lanes * LANE_BYTES;
  int from[MOST_LANES * LANE_BYTES];
  LLVMValueRef out = LLVMConstNull(v->bytes);
  bool is_first = true, has_zeros = false;
  for (int i = 0; i < LANE_BYTES; i++)
    has_zeros = has_zeros || pick[i].vector < 0;
  for (int n = 0; n < count; n++) {
    bool is_used = false;
    for (int i = 0; i < LANE_BYTES; i++)
      is_used = is_used || pick[i].vector == n;
    if (!is_used)
      continue;
    for (int i = 0; i < width; i++) {
      const Pick *p = &pick[i % LANE_BYTES];
      int at = p->vector == n ? width + i / LANE_BYTES * LANE_BYTES + p->byte : i;
      bool is_free = is_first && !has_zeros && p->vector != n;
      from[i] = is_free ? -1 : at;
    }
    out = b_shuffle(g, out, vector[n], from, width, "picked");
    is_first = false;
  }
  return out;
}

// The pieces of a block of a lane: 16 bytes, then 8 and so on. If bytes may be read twice and the block has at least 16
// bytes, all pieces have 16.
typedef struct Piece {
  int at, bytes;
} Piece;

static int pieces_of(int64_t bytes, bool may_overlap, Piece *piece) {
  int count = 0, size = LANE_BYTES;
  for (int at = 0; at < bytes; at += size) {
    if (may_overlap && at > 0 && size > bytes - at)
      at = (int)bytes - size;
    while (size > bytes - at)
      size /= 2;
    piece[count++] = (Piece){at, size};
  }
  return count;
}

// Loads one piece of each lane, `step` bytes from lane to lane.
static LLVMValueRef load_piece(const Vectors *v, LLVMValueRef from, int64_t step, Piece piece) {
  Gen *g = v->k->g;
  uint32_t align = kernel_source_align(v->k, v->nest);
  from = b_step(g, from, b_int(g, piece.at), "src");
  if (step == LANE_BYTES && piece.bytes == LANE_BYTES)
    return b_load(g, v->bytes, from, align, "data");
  LLVMTypeRef type = b_vector(g, 8, piece.bytes);
  LLVMValueRef lane[MOST_LANES];
  for (int i = 0; i < v->lanes->count; i++) {
    lane[i] = b_load(g, type, b_step(g, from, b_int(g, i * step), "src"), align, "data");
    if (piece.bytes < LANE_BYTES)
      lane[i] = b_resize(g, lane[i], 0, piece.bytes, LANE_BYTES, "part");
  }
  return b_join_all(g, lane, v->lanes->count, "joined");
}

static void store_piece(const Vectors *v, LLVMValueRef to, int64_t step, Piece piece,
                        LLVMValueRef value) {
  Gen *g = v->k->g;
  to = b_step(g, to, b_int(g, piece.at), "dst");
  if (step == LANE_BYTES && piece.bytes == LANE_BYTES) {
    b_store(g, value, to, v->nest->unit);
    return;
  }
  for (int i = 0; i < v->lanes->count; i++) {
    LLVMValueRef part = b_resize(g, value, i * LANE_BYTES, piece.bytes, piece.bytes, "part");
    b_store(g, part, b_step(g, to, b_int(g, i * step), "dst"), v->nest->unit);
  }
}

// Loads the words of one block of the source that terms need.
static void load_block(const Vectors *v, const LaneBlock *block, LLVMValueRef src,
                       LLVMValueRef *word) {
  Gen *g = v->k->g;
  const FieldLanes *l = v->lanes;
  Piece piece[MOST_PARTS];
  LLVMValueRef data[MOST_PARTS];
  int64_t begin = lane_block_begin(block, l->src, l->iterations);
  int count = pieces_of(lane_block_bytes(block, l->src, l->iterations), true, piece),
      each = l->bits / 8;
  src = b_step(g, src, b_int(g, begin), "src");
  for (int i = 0; i < count; i++)
    data[i] = load_piece(v, src, l->src * l->iterations, piece[i]);
  for (int n = 0; n * each < block->bytes; n++) {
    Pick pick[LANE_BYTES];
    for (int i = 0; i < LANE_BYTES; i++) {
      int64_t byte = n * each + i % each;
      int64_t at = block->first + byte + i / each * l->src - begin;
      pick[i] = (Pick){-1, 0};
      for (int p = 0; p < count && byte < block->bytes; p++)
        if (at >= piece[p].at && at < piece[p].at + piece[p].bytes)
          pick[i] = (Pick){p, (int)at - piece[p].at};
    }
    word[block->word + n] =
        LLVMBuildBitCast(g->builder, picked(v, data, count, pick), v->words, "word");
  }
}

static void store_block(const Vectors *v, const LaneBlock *block, LLVMValueRef dst,
                        LLVMValueRef *word) {
  Gen *g = v->k->g;
  const FieldLanes *l = v->lanes;
  Piece piece[MOST_PARTS];
  int64_t begin = lane_block_begin(block, l->dst, l->iterations), each = l->bits / 8;
  int count = pieces_of(lane_block_bytes(block, l->dst, l->iterations), false, piece);
  dst = b_step(g, dst, b_int(g, begin), "dst");
  for (int p = 0; p < count; p++) {
    Pick pick[LANE_BYTES];
    for (int i = 0; i < LANE_BYTES; i++) {
      int64_t at = i < piece[p].bytes ? piece[p].at + i : piece[p].at;
      int64_t iteration = l->dst > 0 ? at / l->dst : l->iterations - 1 - at / -l->dst;
      int64_t byte = at % llabs(l->dst);
      pick[i] = (Pick){block->word + (int)(byte / each), (int)(iteration * each + byte % each)};
    }
    store_piece(v, dst, l->dst * l->iterations, piece[p], picked(v, word, l->result_words, pick));
  }
}

static LLVMValueRef splat(const Vectors *v, uint64_t n) {
  return b_splat(b_integer(v->k->g, v->lanes->bits), (int64_t)n,
                 v->lanes->iterations * v->lanes->count);
}

static LLVMValueRef lane_field(const Vectors *v, const LaneTerm *t, LLVMValueRef word) {
  LLVMBuilderRef builder = v->k->g->builder;
  uint64_t left = lane_word_filled(v->lanes, t->from);
  left = (t->shift < 0 ? left >> -t->shift : left << t->shift) & lane_word(v->lanes);
  if (t->shift < 0)
    word = LLVMBuildLShr(builder, word, splat(v, (uint64_t)-t->shift), "field");
  if (t->shift > 0)
    word = LLVMBuildShl(builder, word, splat(v, (uint64_t)t->shift), "field");
  bool has_others = left & lane_word_stored(v->lanes, t->to) & ~t->mask;
  return has_others ? LLVMBuildAnd(builder, word, splat(v, t->mask), "field") : word;
}

// Executes one vector of iterations.
static void build_vector(const Vectors *v, LLVMValueRef src, LLVMValueRef dst) {
  Gen *g = v->k->g;
  const FieldLanes *l = v->lanes;
  LLVMValueRef source[MOST_LANE_WORDS], result[MOST_LANE_WORDS];
  for (int i = 0; i < l->source_count; i++)
    load_block(v, &l->source[i], src, source);
  for (int i = 0, at = 0; i < l->result_words; i++) {
    result[i] = splat(v, l->constant[i]);
    for (; at < l->term_count && l->term[at].to == i; at++)
      result[i] = LLVMBuildOr(g->builder, result[i],
                              lane_field(v, &l->term[at], source[l->term[at].from]), "word");
    result[i] = LLVMBuildBitCast(g->builder, result[i], v->bytes, "bytes");
  }
  for (int i = 0; i < l->result_count; i++)
    store_block(v, &l->result[i], dst, result);
}

// ---- the innermost loop

// Executes `count` iterations from `begin` on, one by one.
static void build_iterations(const Vectors *v, LLVMValueRef src, LLVMValueRef dst,
                             LLVMValueRef begin, LLVMValueRef count) {
  Gen *g = v->k->g;
  Repeat r = b_repeat_begin(g, count, 1, "i");
  r.is_left = true;
  LLVMValueRef at = LLVMBuildNUWAdd(g->builder, begin, r.index, "at");
  LLVMValueRef to = b_at(g, dst, at, b_int(g, v->lanes->dst), "turn");
  iteration_build(v->k, v->nest, b_at(g, src, at, b_int(g, v->lanes->src), "turn"), to, false);
  b_repeat_end(g, &r);
}

// Executes all iterations, at least one vector. The last vector overlaps the one before. In place, the overlap is
// already overwritten, so the remaining iterations are executed one by one.
static void build_vectors(const Vectors *v, LLVMValueRef src, LLVMValueRef dst,
                          LLVMValueRef extent) {
  Gen *g = v->k->g;
  int64_t size = v->lanes->iterations * v->lanes->count;
  LLVMValueRef first, none = b_int(g, 0), rest = none, whole = extent;
  if (v->k->over) {
    rest = LLVMBuildURem(g->builder, extent, b_int(g, size), "rest");
    whole = LLVMBuildSub(g->builder, extent, rest, "whole");
  }
  Range r = b_tiles_begin(g, (Part){none, whole}, size, "turn", &first);
  LLVMValueRef to = b_at(g, dst, first, b_int(g, v->lanes->dst), "turn");
  build_vector(v, b_at(g, src, first, b_int(g, v->lanes->src), "turn"), to);
  b_range_end(g, &r);
  if (LLVMIsConstant(rest) && LLVMIsNull(rest))
    return;
  LLVMValueRef is_some = LLVMBuildICmp(g->builder, LLVMIntNE, rest, none, "is_some");
  Fork fork = b_fork(g, is_some, "some", NULL, "done");
  build_iterations(v, src, dst, whole, rest);
  b_fork_end(g, &fork);
}

void fields_build_lanes(Kernel *k, const Nest *nest, const FieldLanes *lanes, LLVMValueRef src,
                        LLVMValueRef dst) {
  Gen *g = k->g;
  int width = lanes->count * LANE_BYTES;
  Vectors v = {k, nest, lanes, b_vector(g, 8, width),
               b_vector(g, lanes->bits, width * 8 / lanes->bits)};
  LLVMValueRef extent = kernel_extent(k, nest, nest->loop_count - 1);
  LLVMValueRef fits = b_fits(g, extent, lanes->iterations * lanes->count);
  Fork fork = b_fork(g, fits, "vectors", "few", "done");
  build_vectors(&v, src, dst, extent);
  if (b_fork_else(g, &fork))
    build_iterations(&v, src, dst, b_int(g, 0), extent);
  b_fork_end(g, &fork);
}
