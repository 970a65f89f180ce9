// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/plan/tile_shape.h"
#include "codegen/plan/processor.h"

static bool may_reach(rsh_num extent, int64_t least) {
  return !rsh_is_known(extent) || extent.n >= least;
}

// For wide elements: whole lines of the source, or half lines for short rows or strips.
static void set_along(TileShape *t, int64_t element, rsh_num extent, bool strips) {
  int64_t in_line = CACHE_LINE / element, least = in_line > TILE_STRIP ? TILE_STRIP : in_line;
  t->is_square =
      t->lanes == MOST_TILE_LANES && element >= 4 && !t->is_padded && may_reach(extent, least);
  t->is_half = t->is_square && in_line > TILE_STRIP && (strips || !may_reach(extent, in_line));
  t->along = t->is_half ? TILE_STRIP : t->is_square ? in_line : t->elements;
}

// Without permutations of bytes, short lanes are interleaved only in half a register: they become its first half.
static int lanes_of(const Plan *plan, const Nest *nest, const Machine *machine, int64_t lane) {
  bool is_half = lane < TILE_LANE && machine->shuffled != 1;
  int64_t bytes = is_half ? TILE_LANE / 2 : plan_tile_vector(plan, nest, machine->vector);
  return bytes / lane < MOST_TILE_LANES ? (int)(bytes / lane) : MOST_TILE_LANES;
}

TileShape nest_tile_shape(const Plan *plan, const Nest *nest, const Machine *machine) {
  const Loop *along = &nest->loop[nest->loop_count - 2], *across = along + 1;
  int64_t element = nest_tile_element(nest), in_line = CACHE_LINE / element,
          widest = machine->vector;
  TileForm form = nest_tile_form(nest);
  int64_t pixel = nest_tile_pixel(nest), joined = form == TILE_JOINED ? pixel : 1;
  int64_t lane = nest_tile_lane(nest);
  TileShape t = {.elements = (int)((widest ? lane : element) / element),
                 .in_vectors = widest > 0,
                 .is_padded = widest > 0 && (element != nest->run.n || form > TILE_MATRIX),
                 .lanes = widest ? lanes_of(plan, nest, machine, lane) : 1};
  while (t.lanes > 1 && !may_reach(across->extent, t.elements * t.lanes / joined))
    t.lanes /= 2;
  set_along(&t, element, along->extent, nest->tiles.tile.strips);
  if (form == TILE_APART)
    t.along /= pixel;
  bool has_line = widest && lane == TILE_LANE && !nest->tiles.tile.is_short &&
                  may_reach(across->extent, in_line / joined);
  t.across = (has_line ? in_line : t.elements * t.lanes) / joined;
  return t;
}
