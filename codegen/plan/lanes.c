// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/plan/lanes.h"

#include <stdlib.h>

// With more pieces of 16 bytes, the shuffles cost more than lanes save.
enum { MOST_PIECES = 16 };

// Groups places of elements of `size` bytes into blocks that repeat every `stride` bytes. False: there are too many.
static bool find_blocks(const int64_t *place, int count, int64_t size, int64_t stride,
                        int word_bytes, LaneBlock *block, int *blocks, int *words) {
  bool taken[MOST_LANE_TERMS] = {false};
  for (int rest = count; rest > 0;) {
    int64_t first = INT64_MAX, end;
    for (int i = 0; i < count; i++)
      first = !taken[i] && place[i] < first ? place[i] : first;
    end = first;
    for (int i = 0; i < count; i++)
      if (!taken[i] && place[i] - first <= llabs(stride) - size) {
        taken[i] = true;
        rest--;
        end = place[i] + size > end ? place[i] + size : end;
      }
    if (end == first || *blocks == MOST_LANE_BLOCKS)
      return false;
    block[(*blocks)++] = (LaneBlock){first, end - first, *words};
    *words += (int)((end - first + word_bytes - 1) / word_bytes);
    if (*words > MOST_LANE_WORDS)
      return false;
  }
  return true;
}

// The word that contains the element at `place`, and the element's first bit in it.
static int word_at(const LaneBlock *block, int count, int64_t size, int64_t place, int bits,
                   int *bit) {
  int i = 0;
  while (i + 1 < count &&
         !(place >= block[i].first && place + size <= block[i].first + block[i].bytes))
    i++;
  int64_t at = (place - block[i].first) * 8;
  *bit = (int)(at % bits);
  return block[i].word + (int)(at / bits);
}

int64_t lane_block_begin(const LaneBlock *block, int64_t stride, int iterations) {
  return block->first + (stride < 0 ? (iterations - 1) * stride : 0);
}

int64_t lane_block_bytes(const LaneBlock *block, int64_t stride, int iterations) {
  return (iterations - 1) * llabs(stride) + block->bytes;
}

uint64_t lane_word(const FieldLanes *lanes) { return UINT64_MAX >> (64 - lanes->bits); }

// The bits of a word that are within its block.
static uint64_t word_bits(const FieldLanes *l, const LaneBlock *block, int count, int word) {
  block += count - 1;
  while (block->word > word)
    block--;
  int64_t bits = block->bytes * 8 - (int64_t)(word - block->word) * l->bits;
  return bits >= l->bits ? lane_word(l) : lane_word(l) >> (l->bits - bits);
}

uint64_t lane_word_filled(const FieldLanes *lanes, int word) {
  return word_bits(lanes, lanes->source, lanes->source_count, word);
}

uint64_t lane_word_stored(const FieldLanes *lanes, int word) {
  return word_bits(lanes, lanes->result, lanes->result_count, word);
}

static bool has_few_pieces(const FieldLanes *l) {
  int64_t pieces = 0;
  for (int i = 0; i < l->source_count; i++)
    pieces +=
        (lane_block_bytes(&l->source[i], l->src, l->iterations) + LANE_BYTES - 1) / LANE_BYTES;
  for (int i = 0; i < l->result_count; i++)
    pieces +=
        (lane_block_bytes(&l->result[i], l->dst, l->iterations) + LANE_BYTES - 1) / LANE_BYTES;
  return pieces <= MOST_PIECES;
}

// Adds a term, or merges it with one of the same words and shift.
static void lane_term(FieldLanes *l, LaneTerm term) {
  for (int i = 0; i < l->term_count; i++) {
    LaneTerm *other = &l->term[i];
    if (other->from == term.from && other->to == term.to && other->shift == term.shift) {
      other->mask |= term.mask;
      return;
    }
  }
  l->term[l->term_count++] = term;
}

static void find_terms(FieldLanes *l, const Nest *nest, int64_t from, int64_t to) {
  for (int word = 0; word < l->result_words; word++)
    for (int i = 0; i < nest->fields.field_count; i++) {
      const NestField *f = &nest->fields.field[i];
      int src_bit, dst_bit;
      int src = word_at(l->source, l->source_count, from, f->src, l->bits, &src_bit);
      int dst = word_at(l->result, l->result_count, to, nest->fields.element[f->element].dst,
                        l->bits, &dst_bit);
      if (dst != word)
        continue;
      uint64_t mask = (UINT64_MAX >> (64 - f->bits)) << (dst_bit + f->at);
      lane_term(l, (LaneTerm){src, dst, dst_bit + f->at - src_bit - f->shift, mask});
    }
  for (int i = 0; i < nest->fields.element_count; i++) {
    int bit,
        word = word_at(l->result, l->result_count, to, nest->fields.element[i].dst, l->bits, &bit);
    l->constant[word] |= nest->fields.element[i].constant << bit;
  }
}

// Whether the iterations write every byte of the result that a block spans.
static bool is_dense(const FieldLanes *l, const Nest *nest, int64_t size) {
  int64_t bytes = 0;
  for (int i = 0; i < l->result_count; i++) {
    bytes += l->result[i].bytes;
    if (l->result[i].bytes != llabs(l->dst))
      return false;
  }
  return bytes == nest->fields.element_count * size;
}

bool nest_lanes(const Nest *nest, const Machine *machine, FieldLanes *lanes) {
  if (nest->kind != NEST_FIELDS || nest->loop_count == 0 || nest->fields.map != 0)
    return false;
  const Loop *last = &nest->loop[nest->loop_count - 1];
  if (machine->vector < LANE_BYTES || !machine->shuffles_lanes || !rsh_is_known(last->src) ||
      !rsh_is_known(last->dst) || nest->fields.field_count > MOST_LANE_TERMS ||
      nest->fields.element_count > MOST_LANE_TERMS)
    return false;
  int64_t from = plan_element_bits(nest->from) / 8, to = plan_element_bits(nest->to) / 8,
          wide = from > to ? from : to;
  *lanes = (FieldLanes){.count = machine->vector / LANE_BYTES,
                        .iterations = (int)(LANE_BYTES / wide),
                        .bits = (int)wide * 8,
                        .src = last->src.n,
                        .dst = last->dst.n};
  int64_t place[MOST_LANE_TERMS];
  for (int i = 0; i < nest->fields.field_count; i++)
    place[i] = nest->fields.field[i].src;
  if (!find_blocks(place, nest->fields.field_count, from, lanes->src, (int)wide, lanes->source,
                   &lanes->source_count, &lanes->source_words))
    return false;
  for (int i = 0; i < nest->fields.element_count; i++)
    place[i] = nest->fields.element[i].dst;
  if (!find_blocks(place, nest->fields.element_count, to, lanes->dst, (int)wide, lanes->result,
                   &lanes->result_count, &lanes->result_words) ||
      !is_dense(lanes, nest, to) || !has_few_pieces(lanes))
    return false;
  while (rsh_is_known(last->extent) && lanes->count > 1 &&
         (int64_t)lanes->count * lanes->iterations > last->extent.n)
    lanes->count /= 2;
  if (rsh_is_known(last->extent) && lanes->iterations > last->extent.n)
    return false;
  find_terms(lanes, nest, from, to);
  return true;
}
