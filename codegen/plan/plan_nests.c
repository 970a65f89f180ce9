// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nests of a result: scheduled, assembled from fields, joined to places and zips.
#include "codegen/plan/plan_internal.h"

// Bytes of elements of one type to bytes of as many of another.
static rsh_num rescaled(rsh_num bytes, rsh_dtype from, rsh_dtype to) {
  return plan_units((rsh_num){bytes.n / (plan_element_bits(from) / 8), bytes.poly}, to);
}

// Numbers of a nest for elements of `src` and `dst` become those for elements of `new_src` and `new_dst`.
static void rescale(Nest *nest, rsh_dtype src, rsh_dtype new_src, rsh_dtype dst,
                    rsh_dtype new_dst) {
  for (int i = 0; i < nest->loop_count; i++) {
    nest->loop[i].src = rescaled(nest->loop[i].src, src, new_src);
    nest->loop[i].dst = rescaled(nest->loop[i].dst, dst, new_dst);
  }
  nest->src_offset = rescaled(nest->src_offset, src, new_src);
  nest->dst_offset = rescaled(nest->dst_offset, dst, new_dst);
}

// A nest with element-wise functions, as tiles or as a weave, which is scheduled as if both sides had elements of the
// narrower type. NULL: it is neither, or needs two nests; or it weaves elements to wider ones, which LLVM does as fast.
static const Nest *tiled_of(Planner *p, const Nest *nest) {
  int from = plan_element_bits(nest->from), to = plan_element_bits(nest->to);
  rsh_dtype narrow = from < to ? nest->from : nest->to;
  if (nest->elements.map == 0 || nest->places || plan_nest_has_entries(nest) ||
      rsh_is_fill(nest->source) || plan_is_staged(p->graph, nest->source) || from < 8 || to < 8)
    return NULL;
  Nest plain = nest_copy(p->arena, nest), *part = ARENA_ARRAY(p->arena, Nest, 2);
  plain.kind = NEST_RUNS;
  plain.runs = (NestLines){0};
  plain.run = rsh_int(plan_element_bits(narrow) / 8);
  rescale(&plain, nest->from, narrow, nest->to, narrow);
  int parts = nest_schedule(p, &plain, part);
  if (parts != 1 || nest_is_plain(part))
    return NULL;
  rescale(part, narrow, nest->from, narrow, nest->to);
  if (part->kind == NEST_WEAVE) {
    part->woven = nest->elements.map;
    return from < to ? NULL : part;
  }
  part->tiles.lines.large = NULL;
  part->tiles.lines.streams = part->tiles.lines.streams && narrow == nest->to;
  part->tiles.map = nest->elements.map;
  return part;
}

// A run of a constant whose length is open is also a loop that the compiler vectorizes.
static void plan_fill_runs(const Planner *p, Nest *nest, bool is_packed) {
  nest_schedule_fill(p, nest);
  if (!rsh_is_known(nest->run))
    nest_split_run(p->arena, nest, is_packed ? 1 : plan_element_bits(nest->to) / 8);
}

// The value that a single move passes through a chain, element by element in order; NULL: there is none.
static const Value *staged_in_order(const Planner *p, const rsh_moves *moves) {
  const rsh_move *move = moves->move;
  if (moves->count != 1 || rsh_moves_parts(moves) > 1 || !plan_is_staged(p->graph, move->source) ||
      !rsh_is(move->dst_offset, 0) || !rsh_is(move->src_offset, 0) || !rsh_is(move->at_offset, 0))
    return NULL;
  const Value *value = p->graph->value.item[move->source];
  rsh_num volume, moved = rsh_int(1);
  bool is_whole = rsh_volume(p->graph->symbols, &value->shape, &volume) == RSH_ok;
  for (int i = 0; is_whole && i < move->axis_count; i++) {
    const rsh_axis *axis = &moves->axis[move->first + i];
    is_whole =
        rsh_equal(axis->dst, axis->src) && rsh_mul(p->graph->symbols, moved, axis->extent, &moved);
  }
  return is_whole && rsh_equal(moved, volume) ? value : NULL;
}

// Whether an axis, of elements, is this loop, which counts bytes.
static bool is_loop(const rsh_axis *axis, const Loop *loop, rsh_dtype type) {
  return rsh_equal(loop->extent, axis->extent) && rsh_equal(loop->dst, plan_units(axis->dst, type));
}

// The entry, in the tables of the chain, of the element that is `at` elements from the first; the loops use the same
// entry in all iterations. -1: they do not, or it is not known whether they do.
static int64_t entry_at(const Nest *nest, const rsh_moves *moves, rsh_dtype type, int64_t at) {
  const rsh_move *move = moves->move;
  const rsh_axis *axis = &moves->axis[move->first];
  int64_t entry = 0;
  int loops = 0;
  for (int k = 0; k < move->axis_count; k++) {
    bool is_known = rsh_is_known(axis[k].extent) && rsh_is_known(axis[k].dst), stays = false;
    for (int i = 0; rsh_is(axis[k].at, 0) && i < nest->loop_count; i++)
      stays = stays || is_loop(&axis[k], &nest->loop[i], type);
    loops += stays;
    if (stays || rsh_is(axis[k].extent, 1))
      continue;
    if (!is_known || at / axis[k].dst.n >= axis[k].extent.n)
      return -1;
    entry += at / axis[k].dst.n * axis[k].at.n;
    at %= axis[k].dst.n;
  }
  return loops == nest->loop_count && at == 0 ? entry : -1;
}

// Finds the entry of each assembled element in the tables of the chain. False: they differ between iterations.
//
//   planes of 3 channels, {3, dst 3072, at 1} {3072, dst 1}     elements at 0, 3072 and 6144 use entries 0, 1 and 2
static bool find_entries(const Nest *nest, const rsh_moves *moves, rsh_dtype type,
                         NestElement *element) {
  const rsh_move *move = moves->move;
  bool has = false;
  for (int i = 0; i < move->axis_count; i++)
    has = has || !rsh_is(moves->axis[move->first + i].at, 0);
  for (int i = 0; has && i < nest->fields.element_count; i++) {
    int64_t bytes = nest->dst_offset.n + element[i].dst;
    element[i].at = entry_at(nest, moves, type, bytes / (plan_element_bits(type) / 8));
    if (element[i].at < 0)
      return false;
  }
  return true;
}

// A value that is assembled from runs of bits and then only passed through a chain is assembled in the nest of the
// result:
//
//   u16 as bits, 5, 6 and 5 of them to u8, cast to f32     each byte becomes an f32 in the register
static bool nest_of_assembled(Planner *p, const rsh_moves *moves, rsh_dtype dtype, Nest *out) {
  const Value *value = staged_in_order(p, moves);
  if (!value || (moves_are_known(moves) && !moves_are_known(value->moves)))
    return false; // nests of a result of known sizes have known loops
  int32_t map = moves->move->map;
  rsh_dtype from = value->dtype, taken = map ? rsh_map_takes(&p->graph->maps, map) : dtype;
  int count, bits = plan_element_bits(from);
  if (bits < 8 || plan_element_bits(taken) != bits || plan_element_bits(dtype) < 8)
    return false;
  Nest *nest = nests_of_moves(p, value->moves, from, false, &count);
  for (int i = 0; i < count; i++)
    if (nest[i].kind == NEST_RUNS && plan_element_bits(nest[i].to) == 8) {
      nest_split_run(p->arena, &nest[i], 1);
      nest[i].kind = NEST_ELEMENTS;
      nest[i].elements = (NestElements){0};
    }
  if (!nest_of_fields(p, nest, count, from, out))
    return false;
  NestElement *element = ARENA_ARRAY(p->arena, NestElement, out->fields.element_count);
  for (int i = 0; i < out->fields.element_count; i++)
    element[i] = out->fields.element[i];
  if (!find_entries(out, moves, from, element))
    return false;
  for (int i = 0; i < out->fields.element_count; i++)
    element[i].dst = rescaled(rsh_int(element[i].dst), from, dtype).n;
  for (int i = 0; i < out->loop_count; i++)
    out->loop[i].dst = rescaled(out->loop[i].dst, from, dtype);
  out->dst_offset = rescaled(out->dst_offset, from, dtype);
  out->run = rescaled(out->run, from, dtype);
  out->unit = plan_element_align(dtype);
  out->to = dtype;
  out->fields.element = element;
  out->fields.type = taken;
  out->fields.map = map;
  return true;
}

// A nest by element, and the same nest in tiles.
typedef struct InTiles {
  Nest nest;
  const Nest *tiled;
} InTiles;

// Finds the tiles of a nest that was not joined with others or taken apart.
static const Nest *find_tiles(const InTiles *known, int count, const Nest *nest) {
  for (int i = 0; i < count && !nest->places; i++)
    if (known[i].nest.loop == nest->loop && known[i].nest.loop_count == nest->loop_count &&
        rsh_equal(known[i].nest.src_offset, nest->src_offset) &&
        rsh_equal(known[i].nest.dst_offset, nest->dst_offset))
      return known[i].tiled;
  return NULL;
}

bool plan_nests(Planner *p, const rsh_moves *moves, rsh_dtype dtype, const Output *output,
                const Nest **moved, Nest **out, int *out_count) {
  int count;
  Nest assembled;
  bool is_assembled = nest_of_assembled(p, moves, dtype, &assembled);
  if (!is_assembled && !plan_stages(p, moves, output))
    return false;
  Nest *nest = nests_of_moves(p, moves, dtype, false, &count);
  if (moved)
    *moved = nest;
  VEC(Nest) done = {0};
  VEC(InTiles) in_tiles = {0};
  Nest fields;
  if (is_assembled || nest_of_fields(p, nest, count, dtype, &fields)) {
    VEC_PUSH(p->arena, done, is_assembled ? assembled : fields);
    count = 0;
  }
  for (int i = 0; i < count; i++) {
    Nest two[2] = {nest[i]}, *part = two;
    int parts = 1;
    bool is_packed = plan_element_bits(nest[i].from) < 8 || plan_element_bits(nest[i].to) < 8;
    if (nest_is_by_element(&nest[i]) && plan_is_staged(p->graph, nest[i].source))
      parts = 1;
    else if (nest_is_by_element(&nest[i]) && is_packed)
      parts = nests_of_packed(p, &nest[i], &part);
    else if (plan_is_staged(p->graph, nest[i].source))
      stage_split_run(p, &part[0]);
    else if (!rsh_is_fill(nest[i].source))
      parts = nest_schedule(p, &nest[i], part);
    else if (nest[i].kind == NEST_RUNS)
      plan_fill_runs(p, &part[0], is_packed);
    const Nest *tiled = nest[i].kind == NEST_ELEMENTS ? tiled_of(p, &nest[i]) : NULL;
    // Blocks that leave a remainder are two nests, which are not the nest in tiles.
    if (tiled && parts > 1) {
      part[0] = nest[i];
      parts = 1;
    }
    Nest repeated[2];
    if (parts == 1 && part[0].kind == NEST_ELEMENTS) {
      parts = nest_repeat_tables(p->arena, p->graph, &part[0], repeated);
      part = repeated;
    }
    if (tiled && parts == 1)
      VEC_PUSH(p->arena, in_tiles, ((InTiles){part[0], tiled}));
    for (int k = 0; k < parts; k++)
      VEC_PUSH(p->arena, done, part[k]);
  }
  *out_count = nests_join_places(p, done.item, done.count, out);
  nests_zip(p, *out, *out_count);
  for (int i = 0; i < *out_count; i++)
    if ((*out)[i].kind == NEST_ELEMENTS)
      (*out)[i].elements.tiled = find_tiles(in_tiles.item, in_tiles.count, &(*out)[i]);
  return true;
}
