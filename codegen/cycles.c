// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cycles of a permutation, found by walking all of them once.
//
//   u8[28, 28, 3] to [3, 28, 28]: 2352 pieces of 1 byte
//   f32[8, 64, 64] to [8, 64, 64] transposed: 8 batches of 4096 pieces of 4 bytes
//   f16[4, 4, 64] to [4, 4, 64], the first two axes changing places: 16 pieces of 128 bytes
#include "codegen/plan_internal.h"

// More pieces of a batch than that are not walked; more cycles than that are no table.
enum { MOST_PIECES = 1 << 26, MOST_LEADERS = 64 };

// Axes that both sides walk alike: the innermost one makes pieces, the outermost ones batches.
static void split_axes(Arena *arena, const rsh_moves *moves, int64_t element, Cycles *c,
                       int64_t *count) {
  const rsh_move *move = moves->move;
  const rsh_axis *axis = moves->axis + move->first;
  int begin = 0, end = move->axis_count;
  int64_t run = 1;
  while (end > 0 && axis[end - 1].dst.n == run && axis[end - 1].src.n == run)
    run *= axis[--end].extent.n;
  c->batch = ARENA_ARRAY(arena, Loop, end + 1);
  c->digit = ARENA_ARRAY(arena, Loop, end + 1);
  for (; begin < end && axis[begin].dst.n == axis[begin].src.n; begin++) {
    rsh_num step = rsh_int(axis[begin].dst.n * element);
    c->batch[c->batch_count++] = (Loop){axis[begin].extent, step, step};
    *count = axis[begin].dst.n;
  }
  for (int i = begin; i < end; i++)
    c->digit[c->digit_count++] =
        (Loop){axis[i].extent, rsh_int(axis[i].dst.n / run), rsh_int(axis[i].src.n / run)};
  c->piece = run * element;
  c->first = move->src_offset.n / run;
  *count /= run;
}

static int64_t source_of(const Cycles *c, int64_t place) {
  int64_t src = c->first;
  for (int i = 0; i < c->digit_count; i++) {
    src += place / c->digit[i].dst.n * c->digit[i].src.n;
    place %= c->digit[i].dst.n;
  }
  return src;
}

// Whether each piece goes to one place.
static bool is_permutation(Arena *arena, const Cycles *c) {
  uint8_t *seen = ARENA_ARRAY(arena, uint8_t, c->count / 8 + 1);
  for (int64_t i = 0; i < c->count; i++) {
    int64_t src = source_of(c, i);
    if (src < 0 || src >= c->count || (seen[src / 8] >> (src % 8) & 1))
      return false;
    seen[src / 8] = (uint8_t)(seen[src / 8] | 1u << (src % 8));
  }
  return true;
}

static void walk(Arena *arena, Cycles *c) {
  uint8_t *seen = ARENA_ARRAY(arena, uint8_t, c->count / 8 + 1);
  int64_t *leader = ARENA_ARRAY(arena, int64_t, MOST_LEADERS);
  for (int64_t i = 0; i < c->count; i++) {
    int64_t length = 0;
    for (int64_t at = i; !(seen[at / 8] >> (at % 8) & 1); at = source_of(c, at), length++)
      seen[at / 8] = (uint8_t)(seen[at / 8] | 1u << (at % 8));
    if (length < 2)
      continue;
    if (c->cycles < MOST_LEADERS)
      leader[c->cycles] = i;
    c->cycles++;
    c->moved += length;
  }
  c->leader = c->cycles <= MOST_LEADERS ? leader : NULL;
}

const Cycles *cycles_of(Arena *arena, const rsh_moves *moves, rsh_dtype dtype, int64_t count,
                        const char **why) {
  Cycles *c = ARENA_NEW(arena, Cycles);
  split_axes(arena, moves, plan_element_bits(dtype) / 8, c, &count);
  c->count = count;
  if (count > MOST_PIECES) {
    *why = arena_printf(arena, "of more than %d pieces no cycles are looked for", MOST_PIECES);
    return NULL;
  }
  if (!is_permutation(arena, c)) {
    *why = "its elements are not those of the input, each once";
    return NULL;
  }
  walk(arena, c);
  return c;
}
