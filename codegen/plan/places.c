// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests that differ only in their offsets become one, with a table of places: a gather of a thousand rows
// is one loop over a thousand pairs of offsets, not a thousand copies of the loop.
//
//   from x+64 to 0, copy 32;  from x+0 to 32, copy 32;  ...
//     becomes  from x to 0, copy 32, at {src 64, dst 0} {src 0, dst 32} ...
//
// Unsorted indices still form small loops, each with its own stride: nests that cannot be joined at first have their
// short loops unrolled, and are tried again.
//
// If very many remain, the loops themselves become data, since each takes milliseconds to compile as code:
//
//   from x+64 to 0, for 3: dst 8, src -8, copy 4;  from x+8 to 24, for 7: dst 4, src 0, copy 4;  ...
//     becomes  from x to 0, copy 4, at {src 64, dst 0} for 3: dst 8, src -8;  {src 8, dst 24} for 7: dst 4, src 0;  ...
#include "codegen/plan/plan_internal.h"

#include <stdlib.h>

// Fewer places become code with constant offsets: at -Os, of 3 places, which takes as much as the loop over the table.
enum { FEWEST_PLACES = 16, FEWEST_OF_SMALL = 3, MOST_KINDS = 64, SHORT = 4, MOST_PARTS = 16 };

// Up to MOST_NESTS nests become code. If there are more, only up to MOST_LONG nests that move LONG_NEST bytes do,
// because they profit from tiles and vectors.
enum { MOST_NESTS = 256, MOST_LONG = 64, LONG_NEST = 64 << 10 };

typedef VEC(Nest) Nests;

// Whether two nests do the same with an element or a byte. Properties of the innermost loops are ignored, since joining
// drops them.
static bool is_same_inside(const Nest *a, const Nest *b) {
  NestElements x = nest_elements(a), y = nest_elements(b);
  return nest_fields(a).element == nest_fields(b).element &&
         nest_is_by_element(a) == nest_is_by_element(b) && x.map == y.map &&
         nest_shift(a) == nest_shift(b) && x.repeat == y.repeat &&
         rsh_equal(x.at_offset, y.at_offset);
}

static bool is_alike(const Nest *a, const Nest *b) {
  if (a->source != b->source || !rsh_equal(a->run, b->run) || a->unit != b->unit ||
      a->loop_count != b->loop_count || !is_same_inside(a, b))
    return false;
  for (int i = 0; i < a->loop_count; i++)
    if (!rsh_equal(a->loop[i].extent, b->loop[i].extent) ||
        !rsh_equal(a->loop[i].dst, b->loop[i].dst) || !rsh_equal(a->loop[i].src, b->loop[i].src) ||
        !rsh_equal(a->loop[i].at, b->loop[i].at))
      return false;
  return true;
}

static bool has_known_place(const Nest *nest) {
  return rsh_is_known(nest->src_offset) && rsh_is_known(nest->dst_offset);
}

// Sorts nests into kinds: kind[i] of each, -1 if there are too many kinds or its place depends on symbols;
// size[k] of each kind.
static void sort_kinds(const Nests *nests, int *kind, int size[MOST_KINDS]) {
  const Nest *model[MOST_KINDS];
  int kinds = 0;
  for (int i = 0; i < nests->count; i++) {
    const Nest *nest = &nests->item[i];
    kind[i] = -1;
    if (!has_known_place(nest))
      continue;
    for (int k = 0; k < kinds && kind[i] < 0; k++)
      if (is_alike(model[k], nest))
        kind[i] = k;
    if (kind[i] < 0 && kinds < MOST_KINDS) {
      model[kinds] = nest;
      kind[i] = kinds++;
    }
    if (kind[i] >= 0)
      size[kind[i]]++;
  }
}

static int by_destination(const void *a, const void *b) {
  int64_t x = ((const NestPlace *)a)->dst, y = ((const NestPlace *)b)->dst;
  return (x > y) - (x < y);
}

// Joins each kind of at least `fewest` nests into one, and moves it to `joined`.
static void join_kinds(Arena *arena, Nests *nests, int fewest, Nests *joined) {
  int *kind = ARENA_ARRAY(arena, int, nests->count + 1), size[MOST_KINDS] = {0}, kept = 0;
  sort_kinds(nests, kind, size);
  for (int k = 0; k < MOST_KINDS; k++) {
    if (size[k] < fewest)
      continue;
    NestPlace *place = ARENA_ARRAY(arena, NestPlace, size[k]);
    Nest all = {0};
    int at = 0;
    for (int i = 0; i < nests->count; i++) {
      if (kind[i] != k)
        continue;
      all = nests->item[i];
      place[at++] = (NestPlace){all.src_offset.n, all.dst_offset.n};
    }
    qsort(place, (size_t)size[k], sizeof *place, by_destination);
    all.src_offset = all.dst_offset = rsh_int(0);
    nest_make_plain(&all);
    NestPlaces *places = ARENA_NEW(arena, NestPlaces);
    *places = (NestPlaces){.place = place, .count = size[k]};
    all.places = places;
    VEC_PUSH(arena, *joined, all);
  }
  for (int i = 0; i < nests->count; i++)
    if (kind[i] < 0 || size[kind[i]] < fewest)
      nests->item[kept++] = nests->item[i];
  nests->count = kept;
}

// {2, dst 64, src 352} {8, dst 4, src 12}  ->  twice {8, dst 4, src 12}
static void take_apart(Arena *arena, const Nest *nest, Nests *parts) {
  Loop *loop = ARENA_ARRAY(arena, Loop, nest->loop_count + 1);
  Nest rest = *nest;
  nest_make_plain(&rest); // the loops that its kind depends on may disappear
  int64_t count = 1;
  int first = parts->count;
  rest.loop = loop;
  rest.loop_count = 0;
  VEC_PUSH(arena, *parts, rest);
  for (int i = 0; i < nest->loop_count; i++) {
    const Loop *l = &nest->loop[i];
    if (!rsh_is_known(l->extent) || !rsh_is_known(l->src) || !rsh_is_known(l->dst) ||
        !rsh_is(l->at, 0) || !has_known_place(nest) || l->extent.n > SHORT ||
        l->extent.n * count > MOST_PARTS) {
      loop[rest.loop_count++] = *l;
      continue;
    }
    for (int64_t k = count; k < count * l->extent.n; k++) {
      Nest next = parts->item[first + k % count];
      next.src_offset.n += k / count * l->src.n;
      next.dst_offset.n += k / count * l->dst.n;
      VEC_PUSH(arena, *parts, next);
    }
    count *= l->extent.n;
  }
  for (int64_t k = 0; k < count; k++)
    parts->item[first + k].loop_count = rest.loop_count;
}

static int order_of(int64_t a, int64_t b) { return (a > b) - (a < b); }

// Orders nests by everything except their places and loops.
static int by_inside(const Nest *a, const Nest *b) {
  int order = order_of(a->source, b->source);
  order = order ? order : order_of(nest_is_by_element(a), nest_is_by_element(b));
  order = order ? order : order_of(nest_elements(a).map, nest_elements(b).map);
  order = order ? order : order_of(nest_shift(a), nest_shift(b));
  order = order ? order : order_of(a->unit, b->unit);
  return order ? order : order_of(a->run.n, b->run.n);
}

static int by_inside_and_place(const void *a, const void *b) {
  const Nest *x = a, *y = b;
  int order = by_inside(x, y);
  return order ? order : order_of(x->dst_offset.n, y->dst_offset.n);
}

// The first of the sorted nests after `begin` whose loop body differs.
static int end_of_kind(const Nests *nests, int begin) {
  int end = begin;
  while (end < nests->count && by_inside(&nests->item[begin], &nests->item[end]) == 0)
    end++;
  return end;
}

// The number of nests that become code: one for each kind, and those of kinds too small to join.
static int count_code(const Nests *nests) {
  int code = 0;
  for (int i = 0, end; i < nests->count; i = end) {
    end = end_of_kind(nests, i);
    code += end - i < FEWEST_PLACES ? end - i : 1;
  }
  return code;
}

static void sort_by_inside(Nests *nests) {
  if (nests->count > 0)
    qsort(nests->item, (size_t)nests->count, sizeof *nests->item, by_inside_and_place);
}

// Turns runs into loops over elements, so that nests with runs of different lengths have equal loop bodies.
static void split_runs(Arena *arena, Nests *nests) {
  for (int i = 0; i < nests->count; i++) {
    Nest *nest = &nests->item[i];
    int bits = plan_element_bits(nest->to);
    if (!nest_is_by_element(nest) && nest->kind != NEST_SHIFTED)
      nest_split_run(arena, nest, bits < 8 ? 1 : bits / 8);
  }
}

// Joins nest[0] ... nest[count-1], whose loop bodies are equal. Loops of extent 1 make their numbers of loops equal.
static Nest join_loops(Arena *arena, const Nest *nest, int count) {
  Nest all = nest[0];
  int loops = 0;
  for (int i = 0; i < count; i++)
    loops = nest[i].loop_count > loops ? nest[i].loop_count : loops;
  NestPlace *place = ARENA_ARRAY(arena, NestPlace, count);
  PlaceLoop *next = ARENA_ARRAY(arena, PlaceLoop, count * loops + 1);
  NestPlaces *places = ARENA_NEW(arena, NestPlaces);
  *places = (NestPlaces){
      .place = place, .count = count, .loop = loops > 0 ? next : NULL, .loop_count = loops};
  all.places = places;
  for (int i = 0; i < count; i++) {
    place[i] = (NestPlace){nest[i].src_offset.n, nest[i].dst_offset.n};
    for (int k = nest[i].loop_count; k < loops; k++)
      *next++ = (PlaceLoop){1, 0, 0};
    for (int k = 0; k < nest[i].loop_count; k++) {
      const Loop *loop = &nest[i].loop[k];
      *next++ = (PlaceLoop){loop->extent.n, loop->dst.n, loop->src.n};
    }
  }
  all.src_offset = all.dst_offset = rsh_int(0);
  all.loop_count = 0;
  nest_make_plain(&all);
  return all;
}

static int join_all(Arena *arena, const Nest *nest, int count, Nest **out) {
  Nests some = {0}, joined = {0};
  int kept = 0;
  for (int i = 0; i < count; i++) {
    bool is_kept = !plan_nest_is_known(&nest[i]) || plan_nest_has_entries(&nest[i]) ||
                   (kept < MOST_LONG && nest_written(&nest[i]) >= LONG_NEST);
    kept += is_kept;
    if (is_kept)
      VEC_PUSH(arena, joined, nest[i]);
    else
      VEC_PUSH(arena, some, nest[i]);
  }
  sort_by_inside(&some);
  if (count_code(&some) > MOST_KINDS) {
    split_runs(arena, &some);
    sort_by_inside(&some);
  }
  for (int begin = 0, end; begin < some.count; begin = end) {
    end = end_of_kind(&some, begin);
    if (end - begin >= FEWEST_PLACES)
      VEC_PUSH(arena, joined, join_loops(arena, &some.item[begin], end - begin));
    for (int i = begin; i < end && end - begin < FEWEST_PLACES; i++)
      VEC_PUSH(arena, joined, some.item[i]);
  }
  *out = joined.item;
  return joined.count;
}

int nests_join_places(const Planner *p, Nest *nest, int count, Nest **out) {
  Arena *arena = p->arena;
  int fewest = p->plan->processor->small ? FEWEST_OF_SMALL : FEWEST_PLACES;
  Nests left = {0}, joined = {0}, parts = {0};
  *out = nest;
  if (count < fewest)
    return count;
  for (int i = 0; i < count; i++)
    VEC_PUSH(arena, left, nest[i]);
  join_kinds(arena, &left, fewest, &joined);
  if (left.count >= fewest) {
    for (int i = 0; i < left.count; i++)
      take_apart(arena, &left.item[i], &parts);
    int before = joined.count;
    join_kinds(arena, &parts, fewest, &joined);
    if (joined.count - before + parts.count < left.count)
      left = parts;
    else
      joined.count = before;
  }
  for (int i = 0; i < left.count; i++)
    VEC_PUSH(arena, joined, left.item[i]);
  if (joined.count > MOST_NESTS)
    return join_all(arena, nest, count, out);
  *out = joined.item;
  return joined.count;
}
