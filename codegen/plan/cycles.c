// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cycles of a permutation, found by walking all of them once. If sizes are open, the strides prove that it is a
// permutation, and the code searches for the cycles.
//
//   u8[28, 28, 3] to [3, 28, 28]: 2352 pieces of 1 byte
//   f32[8, 64, 64] to [8, 64, 64] transposed: 8 batches of 4096 pieces of 4 bytes
//   f16[4, 4, 64] to [4, 4, 64], the first two axes swapped: 16 pieces of 128 bytes
//   f16[B, S, 64] to [S, B, 64]: B*S pieces of 128 bytes
//   i16[4, 6] rolled along its rows by 2: 4 batches of 3 pieces of 4 bytes
#include "codegen/plan/plan_internal.h"

// Batches of more pieces than MOST_PIECES are refused; more cycles than MOST_LEADERS get no table of leaders.
enum { MOST_PIECES = 1 << 26, MOST_LEADERS = 64 };

// Splits off the axes with the same strides on both sides: inner ones form pieces, outer ones batches. False: the other
// axes do not consist of whole pieces.
static bool split_axes(Arena *arena, rsh_symbols *s, const rsh_moves *moves, int64_t element,
                       Cycles *c, rsh_num count) {
  const rsh_move *move = moves->move;
  const rsh_axis *axis = moves->axis + move->first;
  int begin = 0, end = move->axis_count;
  rsh_num run = rsh_int(1), step;
  while (end > 0 && rsh_equal(axis[end - 1].dst, run) && rsh_equal(axis[end - 1].src, run))
    if (!rsh_mul(s, run, axis[--end].extent, &run))
      return false;
  c->batch = ARENA_ARRAY(arena, Loop, end + 1);
  c->digit = ARENA_ARRAY(arena, Loop, end + 1);
  for (; begin < end && rsh_equal(axis[begin].dst, axis[begin].src); begin++) {
    if (!rsh_mul(s, axis[begin].dst, rsh_int(element), &step))
      return false;
    c->batch[c->batch_count++] = (Loop){.extent = axis[begin].extent, .dst = step, .src = step};
    count = axis[begin].dst;
  }
  for (int i = begin; i < end; i++) {
    Loop *digit = &c->digit[c->digit_count++];
    digit->extent = axis[i].extent;
    if (!rsh_div(s, axis[i].dst, run, &digit->dst) || !rsh_div(s, axis[i].src, run, &digit->src))
      return false;
  }
  return rsh_mul(s, run, rsh_int(element), &c->piece) &&
         rsh_div(s, move->src_offset, run, &c->first) && rsh_div(s, count, run, &c->count);
}

// Whether the digits count all pieces: the weight of each is the number of pieces that the digits after it count.
static bool is_counted(rsh_symbols *s, const Cycles *c) {
  rsh_num weight = rsh_int(1);
  for (int i = c->digit_count - 1; i >= 0; i--)
    if (!rsh_equal(c->digit[i].dst, weight) || !rsh_mul(s, weight, c->digit[i].extent, &weight))
      return false;
  return rsh_equal(weight, c->count);
}

// Whether the digits step over all pieces once, in another order and possibly backwards:
//
//   {S, weight 2*B, stride 1} {2*B, weight 1, stride S}     strides 1, then S, then 2*B*S, which is the count
static bool is_reordered(rsh_symbols *s, const Cycles *c) {
  rsh_num step = rsh_int(1), first = c->first, last;
  bool *seen = (bool[RSH_MAX_AXES]){false};
  for (int found = 0; found < c->digit_count; found++) {
    int i = 0;
    while (i < c->digit_count &&
           (seen[i] || (!rsh_equal(c->digit[i].src, step) &&
                        !rsh_equal(c->digit[i].src, (rsh_num){-step.n, step.poly}))))
      i++;
    if (i == c->digit_count)
      return false;
    seen[i] = true;
    bool is_backward = !rsh_equal(c->digit[i].src, step);
    if (is_backward && (!rsh_sub(s, c->digit[i].extent, rsh_int(1), &last) ||
                        !rsh_mul(s, last, step, &last) || !rsh_sub(s, first, last, &first)))
      return false;
    if (!rsh_mul(s, step, c->digit[i].extent, &step))
      return false;
  }
  return rsh_equal(step, c->count) && rsh_is(first, 0);
}

static int64_t source_of(const Cycles *c, int64_t place) {
  int64_t src = c->first.n;
  for (int i = 0; i < c->digit_count; i++) {
    src += place / c->digit[i].dst.n * c->digit[i].src.n;
    place %= c->digit[i].dst.n;
  }
  return src;
}

// Whether each piece of the source is used exactly once.
static bool is_permutation(Arena *arena, const Cycles *c) {
  uint8_t *seen = ARENA_ARRAY(arena, uint8_t, c->count.n / 8 + 1);
  for (int64_t i = 0; i < c->count.n; i++) {
    int64_t src = source_of(c, i);
    if (src < 0 || src >= c->count.n || (seen[src / 8] >> (src % 8) & 1))
      return false;
    seen[src / 8] = (uint8_t)(seen[src / 8] | 1u << (src % 8));
  }
  return true;
}

static void walk(Arena *arena, Cycles *c) {
  uint8_t *seen = ARENA_ARRAY(arena, uint8_t, c->count.n / 8 + 1);
  int64_t *leader = ARENA_ARRAY(arena, int64_t, MOST_LEADERS);
  c->cycles = 0;
  c->swaps = true;
  for (int64_t i = 0; i < c->count.n; i++) {
    int64_t length = 0;
    for (int64_t at = i; !(seen[at / 8] >> (at % 8) & 1); at = source_of(c, at), length++)
      seen[at / 8] = (uint8_t)(seen[at / 8] | 1u << (at % 8));
    if (length < 2)
      continue;
    if (c->cycles < MOST_LEADERS)
      leader[c->cycles] = i;
    c->cycles++;
    c->moved += length;
    c->swaps = c->swaps && length == 2;
  }
  c->leader = c->cycles <= MOST_LEADERS && !c->swaps ? leader : NULL;
}

// The elements of a move that rolls part of each batch, after the axes of the batches.
static bool part_of(const rsh_moves *moves, const rsh_move *move, int batches, rsh_num *part) {
  const rsh_axis *last = moves->axis + move->first + batches;
  bool is_run = move->axis_count == batches + 1;
  *part = is_run ? last->extent : rsh_int(1);
  return move->axis_count == batches || (is_run && rsh_is(last->dst, 1) && rsh_is(last->src, 1));
}

// Whether the outer axes of both moves step over all batches of `size` elements, with equal strides on both sides.
static bool are_batches(rsh_symbols *s, const rsh_moves *moves, int batches, rsh_num size,
                        rsh_num count) {
  for (int i = batches - 1; i >= 0; i--) {
    const rsh_axis *a = moves->axis + moves->move[0].first + i;
    const rsh_axis *b = moves->axis + moves->move[1].first + i;
    if (!rsh_equal(a->extent, b->extent) || !rsh_equal(a->dst, size) || !rsh_equal(a->src, size) ||
        !rsh_equal(b->dst, size) || !rsh_equal(b->src, size) || !rsh_mul(s, size, a->extent, &size))
      return false;
  }
  return rsh_equal(size, count);
}

// The widest pieces that fit one register and divide both parts of a batch.
static rsh_num widest_piece(rsh_symbols *s, rsh_num front, rsh_num back, int64_t element) {
  enum { WIDEST = 8 };
  int64_t count = 1;
  rsh_num half;
  while (2 * count * element <= WIDEST && rsh_div(s, front, rsh_int(2 * count), &half) &&
         rsh_div(s, back, rsh_int(2 * count), &half))
    count *= 2;
  return rsh_int(count);
}

// The first move takes the elements for the front of a batch, the second those for its end.
const Cycles *roll_of(Arena *arena, rsh_symbols *s, const rsh_moves *moves, int bytes,
                      rsh_num count) {
  const rsh_move *first = &moves->move[0], *second = &moves->move[1];
  if (!rsh_is(first->dst_offset, 0)) {
    first = &moves->move[1];
    second = &moves->move[0];
  }
  int most = first->axis_count > second->axis_count ? first->axis_count : second->axis_count;
  rsh_num front, back, size;
  for (int batches = most; batches >= 0; batches--) {
    if (!part_of(moves, first, batches, &back) || !part_of(moves, second, batches, &front) ||
        !rsh_add(s, front, back, &size) || !are_batches(s, moves, batches, size, count))
      continue;
    if (!rsh_is(first->dst_offset, 0) || !rsh_is(second->src_offset, 0) ||
        !rsh_equal(first->src_offset, front) || !rsh_equal(second->dst_offset, back))
      return NULL;
    Cycles *c = ARENA_NEW(arena, Cycles);
    rsh_num piece = widest_piece(s, front, back, bytes), stride;
    c->batch = ARENA_ARRAY(arena, Loop, batches + 1);
    for (; c->batch_count < batches; c->batch_count++) {
      const rsh_axis *axis = &moves->axis[first->first + c->batch_count];
      if (!rsh_mul(s, axis->dst, rsh_int(bytes), &stride))
        return NULL;
      c->batch[c->batch_count] = (Loop){.extent = axis->extent, .dst = stride, .src = stride};
    }
    c->cycles = -1;
    bool fits = rsh_div(s, size, piece, &c->count) &&
                rsh_mul(s, piece, rsh_int(bytes), &c->piece) && rsh_div(s, front, piece, &front) &&
                rsh_div(s, back, piece, &back);
    const rsh_num part[3][2] = {{rsh_int(0), front}, {front, back}, {rsh_int(0), c->count}};
    Reversal *reversal = ARENA_ARRAY(arena, Reversal, 3);
    for (int i = 0; i < 3; i++)
      reversal[i] = (Reversal){.begin = part[i][0], .count = part[i][1]};
    c->reversal = reversal;
    return fits ? c : NULL;
  }
  return NULL;
}

const Cycles *cycles_of(Arena *arena, rsh_symbols *symbols, const rsh_moves *moves, int bytes,
                        rsh_num count, const char **why) {
  Cycles *c = ARENA_NEW(arena, Cycles);
  bool is_split = split_axes(arena, symbols, moves, bytes, c, count);
  bool is_walked = is_split && moves_are_known(moves);
  if (is_split && rsh_is_known(c->count) && c->count.n > MOST_PIECES) {
    *why = arena_printf(arena, "cycles of more than %d pieces are not searched for", MOST_PIECES);
    return NULL;
  }
  bool is_proved = is_split && is_counted(symbols, c) && is_reordered(symbols, c);
  if (!is_proved && !(is_walked && is_permutation(arena, c))) {
    *why = "it does not have every element of the input exactly once";
    return NULL;
  }
  c->cycles = -1;
  if (is_walked)
    walk(arena, c);
  return c;
}
