// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A permutation of one buffer in place: along each cycle pieces move up by one, a word at a time. What it takes
// beside the buffer is one word.
//
//   for leader in table:                  or: for leader < count, where no place of its cycle is below it
//     saved = buffer[leader]
//     for (place = leader; (from = source(place)) != leader; place = from)
//       buffer[place] = buffer[from]
//     buffer[place] = saved
//
// Where none is longer than two, pieces change places with each other, and loops over the digits give both:
//
//   for i < 24, j < 24: if (24*i + j < i + 24*j) swap(buffer[24*i + j], buffer[i + 24*j])
#include "codegen/llvm/llvm_module.h"

typedef struct Walk {
  Kernel *k;
  const Cycles *cycles;
  LLVMTypeRef word;
  uint32_t align;
  LLVMValueRef at; // the word of piece 0
} Walk;

static LLVMValueRef build_source(const Walk *w, LLVMValueRef place) {
  Gen *g = w->k->g;
  LLVMValueRef src = kernel_number(w->k, w->cycles->first), rest = place;
  for (int i = 0; i < w->cycles->digit_count; i++) {
    const Loop *digit = &w->cycles->digit[i];
    LLVMValueRef weight = kernel_number(w->k, digit->dst);
    bool is_last = rsh_is(digit->dst, 1);
    LLVMValueRef n = is_last ? rest : number_divide(g, rest, weight);
    LLVMValueRef step = LLVMBuildMul(g->builder, n, kernel_number(w->k, digit->src), "step");
    src = LLVMBuildAdd(g->builder, src, step, "source");
    if (!is_last)
      rest = LLVMBuildSub(g->builder, rest, LLVMBuildMul(g->builder, n, weight, "taken"), "rest");
  }
  return src;
}

static LLVMValueRef word_at(const Walk *w, LLVMValueRef place) {
  Gen *g = w->k->g;
  return b_step(g, w->at, b_scale(g, place, kernel_number(w->k, w->cycles->piece), "offset"),
                "word");
}

static void build_cycle(const Walk *w, LLVMValueRef leader) {
  Gen *g = w->k->g;
  LLVMValueRef saved = b_load(g, w->word, word_at(w, leader), w->align, "saved");
  LLVMBasicBlockRef before = LLVMGetInsertBlock(g->builder), follow = b_block(g, "follow"),
                    move = b_block(g, "move"), end = b_block(g, "end");
  LLVMBuildBr(g->builder, follow);
  b_position(g, follow);
  LLVMValueRef place = LLVMBuildPhi(g->builder, g->index, "place");
  LLVMAddIncoming(place, &leader, &before, 1);
  LLVMValueRef from = build_source(w, place);
  LLVMBuildCondBr(g->builder, LLVMBuildICmp(g->builder, LLVMIntEQ, from, leader, "closed"), end,
                  move);
  b_position(g, move);
  LLVMValueRef data = b_load(g, w->word, word_at(w, from), w->align, "data");
  b_store(g, data, word_at(w, place), w->align);
  LLVMBuildBr(g->builder, follow);
  LLVMAddIncoming(place, &from, &move, 1);
  b_position(g, end);
  b_store(g, saved, word_at(w, place), w->align);
}

static void build_listed(const Walk *w) {
  Gen *g = w->k->g;
  const Cycles *c = w->cycles;
  int count = (int)c->cycles;
  if (count == 1) {
    build_cycle(w, b_int(g, c->leader[0]));
    return;
  }
  LLVMTypeRef entry = LLVMInt32TypeInContext(g->context);
  LLVMValueRef *item = ARENA_ARRAY(w->k->arena, LLVMValueRef, count);
  for (int i = 0; i < count; i++)
    item[i] = LLVMConstInt(entry, (unsigned long long)c->leader[i], false);
  LLVMValueRef table = b_data(w->k->g, LLVMConstArray2(entry, item, (uint64_t)count),
                              arena_printf(w->k->arena, "%s.leaders", w->k->name), 4);
  Repeat r = b_repeat_begin(g, b_int(g, count), 1, "cycle");
  LLVMValueRef slot = LLVMBuildInBoundsGEP2(g->builder, entry, table, &r.index, 1, "slot");
  build_cycle(w, b_as(g, g->index, b_load(g, entry, slot, 4, "leader")));
  b_repeat_end(g, &r);
}

// A place leads its cycle where the way from it comes back before it comes below it.
static void build_searched(const Walk *w) {
  Gen *g = w->k->g;
  Repeat r = b_repeat_begin(g, kernel_number(w->k, w->cycles->count), 1, "leader");
  LLVMValueRef first = build_source(w, r.index);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(g->builder), seek = b_block(g, "seek"),
                    further = b_block(g, "further"), found = b_block(g, "found"),
                    cycle = b_block(g, "cycle"), next = b_block(g, "next");
  LLVMBuildBr(g->builder, seek);
  b_position(g, seek);
  LLVMValueRef place = LLVMBuildPhi(g->builder, g->index, "place");
  LLVMAddIncoming(place, &first, &before, 1);
  LLVMBuildCondBr(g->builder, LLVMBuildICmp(g->builder, LLVMIntUGT, place, r.index, "above"),
                  further, found);
  b_position(g, further);
  LLVMValueRef from = build_source(w, place);
  LLVMBasicBlockRef latch = LLVMGetInsertBlock(g->builder);
  LLVMBuildBr(g->builder, seek);
  LLVMAddIncoming(place, &from, &latch, 1);
  b_position(g, found); // a piece that stays is moved to itself
  LLVMBuildCondBr(g->builder, LLVMBuildICmp(g->builder, LLVMIntEQ, place, r.index, "leads"), cycle,
                  next);
  b_position(g, cycle);
  build_cycle(w, r.index);
  LLVMBuildBr(g->builder, next);
  b_position(g, next);
  b_repeat_end(g, &r);
}

static void build_swaps(const Walk *w) {
  Gen *g = w->k->g;
  const Cycles *c = w->cycles;
  Repeat *digit = ARENA_ARRAY(w->k->arena, Repeat, c->digit_count + 1);
  LLVMValueRef place = b_int(g, 0), from = kernel_number(w->k, c->first);
  for (int i = 0; i < c->digit_count; i++) {
    digit[i] = b_repeat_begin(g, kernel_number(w->k, c->digit[i].extent), 1, "digit");
    LLVMValueRef dst = b_scale(g, digit[i].index, kernel_number(w->k, c->digit[i].dst), "step");
    LLVMValueRef src = b_scale(g, digit[i].index, kernel_number(w->k, c->digit[i].src), "step");
    place = LLVMBuildNSWAdd(g->builder, place, dst, "place");
    from = LLVMBuildNSWAdd(g->builder, from, src, "from");
  }
  LLVMBasicBlockRef swap = b_block(g, "swap"), next = b_block(g, "next");
  LLVMBuildCondBr(g->builder, LLVMBuildICmp(g->builder, LLVMIntSLT, place, from, "is_first"), swap,
                  next);
  b_position(g, swap);
  LLVMValueRef one = b_load(g, w->word, word_at(w, place), w->align, "one"),
               other = b_load(g, w->word, word_at(w, from), w->align, "other");
  b_store(g, other, word_at(w, place), w->align);
  b_store(g, one, word_at(w, from), w->align);
  LLVMBuildBr(g->builder, next);
  b_position(g, next);
  for (int i = c->digit_count; i > 0; i--)
    b_repeat_end(g, &digit[i - 1]);
}

// The widest words that pieces are made of, as far as memory is aligned for them.
static int64_t word_bytes(const Gen *g, const Cycles *c, uint32_t align) {
  int64_t width = 8;
  while (c->piece.n % width != 0 || (!g->wide && width > (int64_t)align))
    width /= 2;
  return width;
}

void cycles_build(Kernel *k, const Cycles *c, uint32_t align, LLVMValueRef buffer) {
  Gen *g = k->g;
  int64_t width = word_bytes(g, c, align);
  Walk w = {.k = k, .cycles = c, .at = buffer};
  w.align = align < (uint32_t)width ? align : (uint32_t)width;
  w.word = LLVMIntTypeInContext(g->context, (unsigned)width * 8);
  Repeat *batch = ARENA_ARRAY(k->arena, Repeat, c->batch_count + 1);
  for (int i = 0; i < c->batch_count; i++) {
    batch[i] = b_repeat_begin(g, kernel_number(k, c->batch[i].extent), 1, "batch");
    LLVMValueRef step = b_scale(g, batch[i].index, kernel_number(k, c->batch[i].dst), "step");
    w.at = b_step(g, w.at, step, "batch");
  }
  Repeat words = {0};
  bool has_words = !rsh_is(c->piece, width);
  if (has_words) {
    words = b_repeat_begin(g, kernel_number(k, c->piece), width, "at");
    w.at = b_step(g, w.at, words.index, "at");
  }
  if (c->swaps)
    build_swaps(&w);
  else if (c->leader)
    build_listed(&w);
  else
    build_searched(&w);
  if (has_words)
    b_repeat_end(g, &words);
  for (int i = c->batch_count; i > 0; i--)
    b_repeat_end(g, &batch[i - 1]);
}
