// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/plan/nest.h"

bool nest_is_by_element(const Nest *nest) {
  switch (nest->kind) {
  case NEST_ELEMENTS:
  case NEST_FIELDS:
    return true;
  case NEST_RUNS:
  case NEST_SHIFTED:
  case NEST_WEAVE:
  case NEST_TILES:
    return false;
  }
  return false;
}

bool nest_is_plain(const Nest *nest) {
  switch (nest->kind) {
  case NEST_WEAVE:
  case NEST_TILES:
    return false;
  case NEST_RUNS:
  case NEST_SHIFTED:
  case NEST_ELEMENTS:
  case NEST_FIELDS:
    return true;
  }
  return false;
}

NestLines nest_lines(const Nest *nest) {
  switch (nest->kind) {
  case NEST_RUNS:
    return nest->runs;
  case NEST_TILES:
    return nest->tiles.lines;
  case NEST_SHIFTED:
  case NEST_WEAVE:
  case NEST_ELEMENTS:
  case NEST_FIELDS:
    break;
  }
  return (NestLines){0};
}

NestElements nest_elements(const Nest *nest) {
  switch (nest->kind) {
  case NEST_ELEMENTS:
    return nest->elements;
  case NEST_TILES:
    return (NestElements){.map = nest->tiles.map};
  case NEST_WEAVE:
    return (NestElements){.map = nest->woven};
  case NEST_FIELDS:
    return (NestElements){.map = nest->fields.map};
  case NEST_RUNS:
  case NEST_SHIFTED:
    break;
  }
  return (NestElements){0};
}

NestFields nest_fields(const Nest *nest) {
  return nest->kind == NEST_FIELDS ? nest->fields : (NestFields){0};
}

int nest_shift(const Nest *nest) { return nest->kind == NEST_SHIFTED ? nest->shift : 0; }

int nest_place_count(const Nest *nest) { return nest->places ? nest->places->count : 0; }

void nest_make_plain(Nest *nest) {
  switch (nest->kind) {
  case NEST_RUNS:
  case NEST_WEAVE:
  case NEST_TILES:
    nest->kind = NEST_RUNS;
    nest->runs = (NestLines){0};
    break;
  case NEST_SHIFTED:
  case NEST_ELEMENTS:
  case NEST_FIELDS:
    break;
  }
}

void nest_drop_tiles(Nest *nest) {
  if (nest->kind != NEST_TILES)
    return;
  NestTiles tiles = nest->tiles;
  if (tiles.map) {
    nest_make_elements(nest);
    return;
  }
  nest->kind = NEST_RUNS;
  nest->runs = tiles.lines;
}

static bool has_own_widths(const Nest *nest) {
  return !nest_is_plain(nest) && nest_elements(nest).map;
}

int64_t nest_read_bytes(const Nest *nest) {
  return has_own_widths(nest) ? rsh_dtype_bits(nest->from) / 8 : nest->run.n;
}

int64_t nest_written_bytes(const Nest *nest) {
  return has_own_widths(nest) ? rsh_dtype_bits(nest->to) / 8 : nest->run.n;
}

// The next power of two.
static int64_t power_of(int64_t n) {
  int64_t power = 1;
  while (power < n)
    power *= 2;
  return power;
}

int64_t nest_tile_element(const Nest *nest) {
  bool fits = rsh_is_known(nest->run) && nest->run.n <= MOST_TILE_RUN;
  return fits ? power_of(nest->run.n) : 0;
}

static bool is_either(rsh_num stride, int64_t bytes) {
  return rsh_is(stride, bytes) || rsh_is(stride, -bytes);
}

TileForm nest_tile_form(const Nest *nest) {
  int64_t read = nest_read_bytes(nest), written = nest_written_bytes(nest);
  if (nest->loop_count < 2 || nest_tile_element(nest) == 0)
    return TILE_NONE;
  const Loop *along = &nest->loop[nest->loop_count - 2], *across = along + 1;
  if (is_either(along->src, read) && rsh_is(across->dst, written))
    return TILE_MATRIX;
  if (nest->loop_count < 3 || nest_tile_element(nest) != nest->run.n)
    return TILE_NONE;
  const Loop *planes = along - 1;
  if (!rsh_is_known(planes->extent) || planes->extent.n < 2 ||
      planes->extent.n >= MOST_TILE_RUN / nest->run.n)
    return TILE_NONE;
  int64_t count = planes->extent.n;
  if (rsh_is(planes->src, read) && is_either(along->src, count * read) &&
      rsh_is(across->dst, written))
    return TILE_APART;
  if (rsh_is(planes->dst, written) && is_either(along->src, read) &&
      rsh_is(across->dst, count * written))
    return TILE_JOINED;
  return TILE_NONE;
}

int nest_tile_loops(const Nest *nest) { return nest_tile_form(nest) <= TILE_MATRIX ? 2 : 3; }

int64_t nest_tile_pixel(const Nest *nest) {
  int64_t planes = nest_tile_loops(nest) == 3 ? nest->loop[nest->loop_count - 3].extent.n : 1;
  return power_of(planes);
}

int64_t nest_tile_lane(const Nest *nest) {
  enum { LEAST = 4 };
  int64_t element = nest_tile_element(nest), lane = TILE_LANE;
  for (int i = nest->loop_count - 2; nest_tile_form(nest) == TILE_MATRIX && i < nest->loop_count;
       i++)
    while (lane > LEAST * element && rsh_is_known(nest->loop[i].extent) &&
           nest->loop[i].extent.n < lane / element)
      lane /= 2;
  return lane;
}

void nest_make_elements(Nest *nest) {
  const NestElements elements = {.map = nest_elements(nest).map};
  nest->run = rsh_int(nest_written_bytes(nest));
  nest->kind = NEST_ELEMENTS;
  nest->elements = elements;
}

Nest nest_copy(Arena *arena, const Nest *nest) {
  Nest copy = *nest;
  copy.loop = ARENA_ARRAY(arena, Loop, nest->loop_count + 1);
  for (int i = 0; i < nest->loop_count; i++)
    copy.loop[i] = nest->loop[i];
  return copy;
}

int64_t nest_written(const Nest *nest) {
  int64_t all = 0, one = nest->run.n;
  for (int i = 0; i < nest->loop_count; i++)
    if (__builtin_mul_overflow(one, nest->loop[i].extent.n, &one))
      return -1;
  for (int i = 0; i < (nest->places ? nest->places->count : 1); i++) {
    int64_t bytes = one;
    for (int l = 0; nest->places && l < nest->places->loop_count; l++)
      if (__builtin_mul_overflow(bytes, nest->places->loop[i * nest->places->loop_count + l].extent,
                                 &bytes))
        return -1;
    if (__builtin_add_overflow(all, bytes, &all))
      return -1;
  }
  return all;
}

bool loop_over_blocks(rsh_symbols *s, Loop of, int64_t blocks, int64_t block, Loop *out) {
  out->extent = rsh_int(blocks);
  return rsh_mul(s, of.dst, rsh_int(block), &out->dst) &&
         rsh_mul(s, of.src, rsh_int(block), &out->src) &&
         rsh_mul(s, of.at, rsh_int(block), &out->at);
}

// Adds `count` strides to an offset.
static bool advance(rsh_symbols *s, rsh_num *offset, rsh_num stride, rsh_num count) {
  rsh_num distance;
  return rsh_mul(s, stride, count, &distance) && rsh_add(s, *offset, distance, offset);
}

bool nest_start_at(rsh_symbols *s, Nest *nest, const Loop *loop, rsh_num first) {
  return advance(s, &nest->dst_offset, loop->dst, first) &&
         advance(s, &nest->src_offset, loop->src, first) &&
         (nest->kind != NEST_ELEMENTS || advance(s, &nest->elements.at_offset, loop->at, first));
}

void nest_split_parts(Arena *arena, Nest *nest, rsh_num count, rsh_num bytes) {
  if (rsh_equal(nest->run, bytes))
    return;
  Loop *loop = ARENA_ARRAY(arena, Loop, nest->loop_count + 1);
  for (int i = 0; i < nest->loop_count; i++)
    loop[i] = nest->loop[i];
  loop[nest->loop_count++] = (Loop){.extent = count, .dst = bytes, .src = bytes};
  nest->loop = loop;
  nest->run = bytes;
}

void nest_split_run(Arena *arena, Nest *nest, int64_t bytes) {
  nest_split_parts(arena, nest, (rsh_num){nest->run.n / bytes, nest->run.poly}, rsh_int(bytes));
}
