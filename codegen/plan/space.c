// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search space of a move: the product of loop orders, loop bodies, block shapes, and, where they may help, buffers,
// prefetches and non-temporal stores.
#include "codegen/plan/choice.h"

#include <string.h>

enum {
  PERMUTED = 3,         // most loops tried in every order; more: in destination and source order
  WHOLE = 64 << 10,     // bytes of a block that covers a whole loop
  MOST_UNCUT = 64 << 10 // bytes that one such block may move
};

typedef struct Space {
  Arena *arena;
  const Processor *cpu;
  const Nest *nest;
  int64_t bytes;    // moved
  bool is_large;    // enough bytes to try prefetches and non-temporal stores
  int64_t crowding; // rows a multiple of these bytes apart may evict each other from a cache
  VEC(Choice) choice;
} Space;

static void add(Space *s, Choice choice) {
  for (int i = 0; i < s->choice.count; i++)
    if (choice_equal(&s->choice.item[i], &choice))
      return;
  if (choice_fits(s->arena, s->nest, &choice))
    VEC_PUSH(s->arena, s->choice, choice);
}

static void add_streamed(Space *s, Choice choice) {
  add(s, choice);
  choice.streams = true;
  if (s->is_large)
    add(s, choice);
}

// ---- innermost loops ----

// Whether a block is too large for a loop: half of it already covers the loop.
static bool is_too_large(int64_t block, const Loop *loop, int64_t run) {
  return block > 64 && block / 2 >= loop->extent.n * run;
}

static void add_tile(Space *s, Choice choice, const Loop *along, const Loop *across) {
  bool may_pack = across->src.n % s->crowding == 0 && choice.tile.src < WHOLE;
  bool may_strip = along->dst.n % s->crowding == 0;
  for (int packs = 0; packs <= may_pack; packs++)
    for (int prefetches = 0; prefetches <= s->is_large * 2; prefetches++)
      for (int strips = 0; strips <= may_strip; strips++) {
        choice.tile.packs = packs;
        choice.tile.prefetches = prefetches > 0;
        choice.tile.near = prefetches > 1;
        choice.tile.strips = strips;
        add_streamed(s, choice);
      }
}

// Blocks of a line or two of each row, around some of the other loops, for moves that exceed all caches.
static void add_around(Space *s, Choice choice, const Loop *along) {
  const int64_t most = s->cpu->pages / 4;
  for (int around = 1; around < s->nest->loop_count; around++)
    for (int cuts = 0; cuts <= (along->extent.n > most); cuts++)
      for (int64_t src = 64; src <= 512; src += 448)
        for (int64_t dst = 64; dst <= 128; dst += 64) {
          choice.around = (int8_t)around;
          choice.block = cuts ? most : 0;
          choice.tile = (Tile){.src = src, .dst = dst, .prefetches = true};
          add_streamed(s, choice);
          choice.tile.near = true;
          add_streamed(s, choice);
        }
}

static void add_tiles(Space *s, Choice choice) {
  static const int64_t along_source[] = {64, 128, 256, 512},
                       across[] = {64, 128, 192, 256, 512, 1024, 4096};
  const Nest *nest = s->nest;
  const Loop *a = &nest->loop[choice.order[nest->loop_count - 2]],
             *b = &nest->loop[choice.order[nest->loop_count - 1]];
  int64_t element = nest_tile_element(nest);
  choice.kind = CHOICE_TILE;
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 7; k++) {
      if (is_too_large(along_source[i], a, element) || is_too_large(across[k], b, element))
        continue;
      choice.tile = (Tile){.src = along_source[i], .dst = across[k]};
      add_tile(s, choice, a, b);
    }
  choice.tile = (Tile){.src = WHOLE, .dst = WHOLE};
  if (s->bytes <= MOST_UNCUT)
    add_tile(s, choice, a, b);
  if (s->is_large)
    add_around(s, choice, a);
}

static void list_blocks(Space *s, Choice choice) {
  choice.kind = CHOICE_BLOCK;
  for (choice.block = 4; choice.block <= 64; choice.block *= 2)
    add_streamed(s, choice);
}

// ---- orders ----

typedef void AddInside(Space *s, Choice choice);

static void swap(Choice *choice, int i, int k) {
  int8_t loop = choice->order[i];
  choice->order[i] = choice->order[k];
  choice->order[k] = loop;
}

// Adds every order of the few loops `from` ... `count`-1 of a choice.
static void add_permuted(Space *s, Choice choice, int from, int count, AddInside *inside) {
  if (from >= count - 1)
    inside(s, choice);
  for (int i = from; i < count && from < count - 1; i++) {
    swap(&choice, from, i);
    add_permuted(s, choice, from + 1, count, inside);
    swap(&choice, from, i);
  }
}

static int64_t step(const Nest *nest, int loop) {
  int64_t n = nest->loop[loop].src.n;
  return n < 0 ? -n : n;
}

// Adds the first `count` loops in order of the destination, and in that of the source.
static void add_sorted(Space *s, Choice choice, int count, AddInside *inside) {
  inside(s, choice);
  for (int i = 1; i < count; i++)
    for (int at = i;
         at > 0 && step(s->nest, choice.order[at - 1]) < step(s->nest, choice.order[at]); at--)
      swap(&choice, at - 1, at);
  inside(s, choice);
}

static void add_orders(Space *s, Choice choice, int count, AddInside *inside) {
  if (count <= PERMUTED)
    add_permuted(s, choice, 0, count, inside);
  else
    add_sorted(s, choice, count, inside);
}

static void add_weave(Space *s, Choice choice) {
  choice.kind = CHOICE_WEAVE;
  add(s, choice);
}

// Tries all pairs of loops as the two innermost.
static void add_pairs(Space *s, AddInside *inside) {
  int count = s->nest->loop_count;
  for (int a = 0; a < count; a++)
    for (int b = 0; b < count; b++) {
      Choice choice = choice_plain();
      int at = 0;
      for (int i = 0; i < count; i++)
        if (i != a && i != b)
          choice.order[at++] = (int8_t)i;
      if (a == b)
        continue;
      choice.order[at] = (int8_t)a;
      choice.order[at + 1] = (int8_t)b;
      Nest ordered = nest_ordered(s->arena, s->nest, &choice);
      if (inside == add_weave ? nest_is_weave(&ordered) : nest_is_tiled_by(s->cpu, &ordered))
        add_orders(s, choice, at, inside);
    }
}

const Choice *choice_space(Arena *arena, const Processor *cpu, const Nest *nest, int *count) {
  Space s = {.arena = arena,
             .cpu = cpu,
             .nest = nest,
             .bytes = nest_written(nest),
             .crowding = cpu->l1 / cpu->ways / 8};
  s.is_large = s.bytes >= cpu->l2;
  Choice chosen = nest_choose(arena, cpu, nest);
  add(&s, chosen);
  add_pairs(&s, add_weave);
  add_pairs(&s, add_tiles);
  add_orders(&s, choice_plain(), nest->loop_count, add_streamed);
  if (chosen.kind == CHOICE_COPY || chosen.kind == CHOICE_BLOCK)
    add_orders(&s, choice_plain(), nest->loop_count, list_blocks);
  *count = s.choice.count;
  return s.choice.item;
}

bool choice_is_near(const Choice *a, const Choice *b) {
  if (a->kind != b->kind)
    return b->kind != CHOICE_TILE && (a->streams || !b->streams);
  int differences = (memcmp(a->order, b->order, sizeof a->order) != 0) +
                    (a->tile.src != b->tile.src) + (a->tile.dst != b->tile.dst) +
                    (a->tile.packs != b->tile.packs) + (a->tile.prefetches != b->tile.prefetches) +
                    (a->tile.strips != b->tile.strips) + (a->block != b->block) +
                    (a->around != b->around) + (a->tile.near != b->tile.near) +
                    (a->streams != b->streams);
  return differences == 1;
}
