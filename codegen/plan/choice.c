// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which choices fit a nest, and how they are applied.
#include "codegen/plan/choice.h"
#include "codegen/plan/processor.h"

#include <string.h>

enum {
  MOST_PLANES = 4, // in a weave
  MOST_WOVEN = 8   // bytes per element of a weave
};

static bool is_power(rsh_num n, int64_t most) {
  return rsh_is_known(n) && n.n <= most && (n.n & (n.n - 1)) == 0;
}

Choice choice_plain(void) {
  Choice choice = {.kind = CHOICE_COPY};
  for (int i = 0; i < RSH_MAX_AXES; i++)
    choice.order[i] = (int8_t)i;
  return choice;
}

bool choice_equal(const Choice *a, const Choice *b) {
  return a->kind == b->kind && memcmp(a->order, b->order, sizeof a->order) == 0 &&
         a->around == b->around && a->tile.src == b->tile.src && a->tile.dst == b->tile.dst &&
         a->tile.packs == b->tile.packs && a->tile.prefetches == b->tile.prefetches &&
         a->tile.near == b->tile.near && a->tile.strips == b->tile.strips && a->block == b->block &&
         a->streams == b->streams;
}

Nest nest_ordered(Arena *arena, const Nest *nest, const Choice *choice) {
  Nest out = nest_copy(arena, nest);
  for (int i = 0; i < nest->loop_count; i++)
    out.loop[i] = nest->loop[choice->order[i]];
  return out;
}

bool nest_is_weave(const Nest *ordered) {
  if (ordered->loop_count < 2)
    return false;
  const Loop *w = &ordered->loop[ordered->loop_count - 2], *planes = w + 1;
  if (!is_power(ordered->run, MOST_WOVEN) || !rsh_is_known(planes->extent) ||
      planes->extent.n > MOST_PLANES)
    return false;
  rsh_num pixel = rsh_int(planes->extent.n * ordered->run.n);
  return (rsh_equal(planes->dst, ordered->run) && rsh_equal(w->src, ordered->run) &&
          rsh_equal(w->dst, pixel)) ||
         (rsh_equal(planes->src, ordered->run) && rsh_equal(w->dst, ordered->run) &&
          rsh_equal(w->src, pixel));
}

bool nest_is_tileable(const Nest *ordered) {
  TileForm form = nest_tile_form(ordered);
  if (form == TILE_NONE)
    return false;
  const Loop *along = &ordered->loop[ordered->loop_count - 2], *across = along + 1;
  int64_t pixel = nest_tile_pixel(ordered),
          least = nest_tile_lane(ordered) / nest_tile_element(ordered);
  return pixel <= least &&
         likely_size(along->extent) >= (form == TILE_APART ? least / pixel : least) &&
         likely_size(across->extent) >= (form == TILE_JOINED ? least / pixel : least);
}

// Whether tiles of short lanes are faster than shuffles of whole vectors, which transpose few columns at once. Within
// 16 bytes, these are slow for eight columns of long rows that become rows.
static bool is_tiled_narrow(const Processor *cpu, const Nest *ordered) {
  enum { FEW = 8 };
  const Loop *inner = &ordered->loop[ordered->loop_count - 1];
  int64_t along = likely_size(inner[-1].extent), across = likely_size(inner->extent);
  switch (cpu->shuffles) {
  case SHUFFLES_NONE:
    return false;
  case SHUFFLES_ZIP:
    return true;
  case SHUFFLES_BYTES:
    return along >= FEW && across > FEW;
  case SHUFFLES_TABLES:
    return along > FEW && across > FEW;
  }
  return false;
}

bool nest_is_tiled_by(const Processor *cpu, const Nest *ordered) {
  if (!nest_is_tileable(ordered))
    return false;
  int64_t element = nest_tile_element(ordered), lane = nest_tile_lane(ordered);
  bool is_plain = nest_tile_form(ordered) == TILE_MATRIX && element == ordered->run.n;
  if (lane < TILE_LANE)
    return is_tiled_narrow(cpu, ordered);
  return is_plain || (element < TILE_LANE && cpu->shuffles >= SHUFFLES_BYTES);
}

bool nest_has_tiles(const Nest *ordered, const Tile *tile) {
  bool has_planes = nest_tile_loops(ordered) > 2;
  return nest_is_tileable(ordered) &&
         !(has_planes && (tile->packs || tile->prefetches || tile->strips)) &&
         (!tile->packs || likely_size(ordered->loop[ordered->loop_count - 2].extent) >=
                              CACHE_LINE / nest_tile_element(ordered));
}

static bool may_be_lines(const Nest *nest, rsh_num bytes) {
  return bytes.n % CACHE_LINE == 0 || (nest_lines(nest).is_large && !rsh_is_known(bytes));
}

bool nest_has_whole_lines(const Nest *ordered, bool is_tiled) {
  rsh_num across = ordered->run;
  int count = ordered->loop_count;
  if (is_tiled) {
    if (nest_tile_element(ordered) != ordered->run.n || nest_tile_form(ordered) != TILE_MATRIX)
      return false; // a tile stores parts of lines
    across = ordered->loop[--count].extent;
    if (__builtin_mul_overflow(across.n, ordered->run.n, &across.n))
      return false; // no call has as many elements
  }
  for (int i = 0; i < count; i++)
    if (!may_be_lines(ordered, ordered->loop[i].dst) || rsh_is(ordered->loop[i].src, 0))
      return false; // repeated elements are in the cache already
  return may_be_lines(ordered, across) && may_be_lines(ordered, ordered->dst_offset);
}

static bool is_order(const Nest *nest, const Choice *choice) {
  bool seen[RSH_MAX_AXES] = {false};
  if (nest->loop_count > RSH_MAX_AXES)
    return false;
  for (int i = 0; i < nest->loop_count; i++) {
    int at = choice->order[i];
    if (at < 0 || at >= nest->loop_count || seen[at])
      return false;
    seen[at] = true;
  }
  return true;
}

static bool is_block(int64_t bytes) { return bytes >= CACHE_LINE && bytes % CACHE_LINE == 0; }

// The buffer of a packed block is on the stack.
static bool tile_is_good(const Tile *tile) {
  enum { MOST = 1 << 20, MOST_PACKED = 256 << 10 };
  return is_block(tile->src) && is_block(tile->dst) && tile->src <= MOST && tile->dst <= MOST &&
         (!tile->packs || tile->src * tile->dst <= MOST_PACKED);
}

// The number of prefetches is fixed at compile time.
static bool can_prefetch(const Nest *ordered) {
  return rsh_is_known(ordered->loop[ordered->loop_count - 1].src);
}

// Blocks of rows may enclose other loops only if they leave no remainder.
static bool can_go_around(const Nest *ordered, const Choice *choice) {
  rsh_num across = ordered->loop[ordered->loop_count - 1].extent;
  if (choice->around == 0)
    return true;
  if (nest_tile_form(ordered) != TILE_MATRIX)
    return false;
  int64_t rows = choice->tile.dst / nest_tile_element(ordered);
  return choice->around > 0 && choice->around < ordered->loop_count && rsh_is_known(across) &&
         across.n > rows && across.n % rows == 0;
}

// If columns are split into blocks, the remainder must be wide enough for a tile.
static bool can_split_columns(const Nest *ordered, const Choice *choice) {
  rsh_num along = ordered->loop[ordered->loop_count - 2].extent;
  int64_t least = CACHE_LINE / nest_tile_element(ordered);
  if (choice->block == 0)
    return true;
  return nest_tile_form(ordered) == TILE_MATRIX && rsh_is_known(along) && choice->block >= least &&
         along.n > choice->block &&
         (along.n % choice->block == 0 || along.n % choice->block >= least);
}

bool choice_fits(Arena *arena, const Nest *nest, const Choice *choice) {
  if (!is_order(nest, choice))
    return false;
  Nest ordered = nest_ordered(arena, nest, choice);
  bool is_tiled = choice->kind == CHOICE_TILE;
  bool lasts =
      !choice->streams || (plan_nest_is_known(nest) && (is_tiled || nest->run.n >= CACHE_LINE) &&
                           nest_has_whole_lines(&ordered, is_tiled));
  switch (choice->kind) {
  case CHOICE_COPY:
    return lasts;
  case CHOICE_WEAVE:
    return !choice->streams && nest_is_weave(&ordered);
  case CHOICE_TILE:
    return lasts && nest_has_tiles(&ordered, &choice->tile) && tile_is_good(&choice->tile) &&
           can_go_around(&ordered, choice) && can_split_columns(&ordered, choice) &&
           (choice->tile.prefetches ? can_prefetch(&ordered) : !choice->tile.near);
  case CHOICE_BLOCK:
    return lasts && nest->loop_count >= 2 && choice->block >= 2 &&
           likely_size(ordered.loop[nest->loop_count - 1].extent) / 2 >= choice->block &&
           rsh_is_known(ordered.loop[nest->loop_count - 1].extent);
  }
  return false;
}

// Splits loop `at` into a loop over blocks, which goes outside the loop at `inside`, and one within a block. False: a
// number overflows.
static bool block_nest(Arena *arena, rsh_symbols *s, const Nest *nest, int at, int inside,
                       int64_t block, Nest *out) {
  *out = nest_copy(arena, nest);
  Loop of = nest->loop[at];
  for (int i = out->loop_count++; i > inside; i--)
    out->loop[i] = out->loop[i - 1];
  out->loop[at + 1].extent = rsh_int(block);
  return loop_over_blocks(s, of, of.extent.n / block, block, &out->loop[inside]);
}

// Loop `at` from iteration `done` on.
static bool rest_of_nest(Arena *arena, rsh_symbols *s, const Nest *nest, int at, int64_t done,
                         Nest *out) {
  *out = nest_copy(arena, nest);
  Loop *loop = &out->loop[at];
  loop->extent.n -= done;
  out->loop_count -= loop->extent.n == 1 && at == out->loop_count - 1;
  return nest_start_at(s, out, loop, rsh_int(done));
}

static int apply_block(Arena *arena, rsh_symbols *symbols, const Nest *ordered, int at, int inside,
                       int64_t block, Nest part[2]) {
  int64_t extent = ordered->loop[at].extent.n, rest = extent % block;
  if (!block_nest(arena, symbols, ordered, at, inside, block, &part[0]) ||
      (rest > 0 && !rest_of_nest(arena, symbols, ordered, at, extent - rest, &part[1])))
    return 0;
  return rest > 0 ? 2 : 1;
}

// Blocks of columns enclose all loops, blocks of rows some of them.
static int apply_tile(Arena *arena, rsh_symbols *symbols, const Nest *ordered, const Choice *choice,
                      Nest part[2]) {
  int parts = 1;
  part[0] = *ordered;
  if (choice->block > 0)
    parts = apply_block(arena, symbols, ordered, ordered->loop_count - 2, 0, choice->block, part);
  for (int i = 0; i < parts && choice->around > 0; i++) {
    Nest whole = part[i];
    int last = whole.loop_count - 1;
    if (!block_nest(arena, symbols, &whole, last, last - choice->around,
                    choice->tile.dst / nest_tile_element(&whole), &part[i]))
      return 0;
  }
  return parts;
}

// Turns a nest of runs into the kind of a choice.
static void set_kind(Nest *nest, const Choice *choice) {
  NestLines lines = nest->runs;
  lines.streams = choice->streams;
  switch (choice->kind) {
  case CHOICE_COPY:
  case CHOICE_BLOCK:
    nest->runs = lines;
    break;
  case CHOICE_WEAVE:
    nest->kind = NEST_WEAVE;
    nest->woven = 0;
    break;
  case CHOICE_TILE:
    nest->kind = NEST_TILES;
    nest->tiles = (NestTiles){.tile = choice->tile, .lines = lines};
    break;
  }
}

int choice_apply(Arena *arena, rsh_symbols *symbols, const Nest *nest, const Choice *choice,
                 Nest part[2]) {
  Nest ordered = nest_ordered(arena, nest, choice);
  int last = ordered.loop_count - 1;
  if (nest->kind == NEST_RUNS) // for elements, only the order of the loops is chosen
    set_kind(&ordered, choice);
  if (choice->kind == CHOICE_BLOCK)
    return apply_block(arena, symbols, &ordered, last, last - 1, choice->block, part);
  return apply_tile(arena, symbols, &ordered, choice, part);
}
