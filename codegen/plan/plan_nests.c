// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From moves to loop nests, in bytes, and the stages that they read.
//
//   f32[2,3] transposed to f32[3,2]: one move {3, dst 2, src 1} {2, dst 1, src 3}, in elements
//     becomes loops {3, dst 8, src 4} {2, dst 4, src 12} around a run of 4 bytes
#include "codegen/plan/plan_internal.h"

// Elements of one side to its unit: bytes, or elements of less than a byte. If that overflows, no call uses the number,
// and any positive stride is valid: sizes are checked, open ones at entry.
//
//   f32[4611686018427387904, A] transposed    a call returns an error, or A is 0
static rsh_num to_units(rsh_num elements, rsh_dtype dtype) {
  int64_t bits = plan_element_bits(dtype), bytes = bits / 8;
  if (bits >= 8 && __builtin_mul_overflow(elements.n, bytes, &elements.n))
    elements.n = bytes;
  return elements;
}

// The nest of one move, element by element.
static void nest_by_element(Arena *arena, const rsh_moves *moves, const rsh_move *move,
                            rsh_dtype from, rsh_dtype to, Nest *nest) {
  *nest = (Nest){.source = move->source,
                 .unit = plan_element_align(to),
                 .from = from,
                 .to = to,
                 .kind = NEST_ELEMENTS,
                 .elements = {.map = move->map, .at_offset = move->at_offset}};
  nest->run = to_units(rsh_int(1), to);
  nest->src_offset = to_units(move->src_offset, from);
  nest->dst_offset = to_units(move->dst_offset, to);
  nest->loop = ARENA_ARRAY(arena, Loop, move->axis_count);
  for (int i = 0; i < move->axis_count; i++) {
    const rsh_axis *axis = &moves->axis[move->first + i];
    if (!rsh_is(axis->extent, 1))
      nest->loop[nest->loop_count++] =
          (Loop){axis->extent, to_units(axis->dst, to), to_units(axis->src, from), axis->at};
  }
}

// The nest of one move, in bytes. False: an element does not start or end at a whole byte.
static bool nest_of_move(Planner *p, const rsh_moves *moves, const rsh_move *move, rsh_dtype dtype,
                         Nest *nest) {
  *nest = (Nest){.source = move->source,
                 .unit = plan_common_align(dtype, plan_source_type(p->graph, move->source)),
                 .from = dtype,
                 .to = dtype};
  nest->loop = ARENA_ARRAY(p->arena, Loop, move->axis_count + 1);
  if (!plan_to_bytes(move->src_offset, dtype, &nest->src_offset) ||
      !plan_to_bytes(move->dst_offset, dtype, &nest->dst_offset))
    return false;
  int count = move->axis_count;
  rsh_num run = rsh_int(1); // in elements
  for (; count > 0; count--) {
    const rsh_axis *axis = &moves->axis[move->first + count - 1];
    if (!rsh_equal(axis->dst, run) || (!rsh_equal(axis->src, run) && !rsh_is_fill(move->source)) ||
        !rsh_mul(p->graph->symbols, run, axis->extent, &run))
      break;
  }
  if (!plan_to_bytes(run, dtype, &nest->run))
    return false;
  for (int i = 0; i < count; i++) {
    const rsh_axis *axis = &moves->axis[move->first + i];
    Loop *loop = &nest->loop[nest->loop_count];
    loop->extent = axis->extent;
    if (!plan_to_bytes(axis->dst, dtype, &loop->dst) ||
        !plan_to_bytes(axis->src, dtype, &loop->src))
      return false;
    nest->loop_count += !rsh_is(loop->extent, 1);
  }
  return true;
}

// The type as which a move to elements of type `to` reads its source: the source's own type, or an integer if the chain
// or `to` needs elements of another size.
static rsh_dtype read_type(Planner *p, const rsh_move *move, rsh_dtype to) {
  rsh_dtype type = plan_source_type(p->graph, move->source);
  int bits = plan_element_bits(move->map != 0 ? rsh_map_takes(&p->graph->maps, move->map) : to);
  return bits == plan_element_bits(type) ? type : plan_integer_type(bits);
}

// Part `at` of a constant, as a new constant: bits 4 to 7 of 0x2a of u8 are 2 of u4.
static int32_t fill_part(Planner *p, int32_t source, int64_t at, rsh_dtype type) {
  Fill part = {.dtype = type};
  const Fill *whole = &p->graph->fill.item[-1 - source];
  int bits = plan_element_bits(type);
  for (int i = 0; i < bits; i++) {
    int64_t bit = at * bits + i;
    part.bits[i / 8] |= (uint8_t)((whole->bits[bit / 8] >> bit % 8 & 1) << i % 8);
  }
  return -1 - graph_fill(p->arena, p->graph, &part);
}

// Whether the stage of a source returns elements; other stages return places in an input.
static bool is_computed(const Planner *p, int source) {
  for (int i = 0; i < p->stage.count; i++)
    if (p->stage.item[i].value->id == source)
      return p->stage.item[i].is_computed;
  return false;
}

// If that depends on symbols, the order of the moves stays, which is by destination too.
static bool is_behind(const Nest *a, const Nest *b) {
  return rsh_is_known(a->dst_offset) && rsh_is_known(b->dst_offset) &&
         a->dst_offset.n > b->dst_offset.n;
}

bool plan_map_keeps_bits(const Planner *p, int32_t map) {
  int count = 0;
  const rsh_step *step = map == 0 ? NULL : graph_map_steps(p->arena, p->graph, map, &count);
  for (int i = 0; i < count; i++)
    if (step[i].op != RSH_OP_CAST || !rsh_dtype_is_integer(step[i].from) ||
        !rsh_dtype_is_integer(step[i].to) ||
        rsh_dtype_bits(step[i].from) != rsh_dtype_bits(step[i].to))
      return false;
  return true;
}

// A stage in C returns a pointer to its elements, which must not be read as floats if they are not, or the reverse.
static bool is_c_float(rsh_dtype type) { return type == RSH_F32 || type == RSH_F64; }

Nest *nests_of_moves(Planner *p, const rsh_moves *moves, rsh_dtype dtype, bool is_stage,
                     int *count) {
  Nest *nest = ARENA_ARRAY(p->arena, Nest, moves->count + 1);
  rsh_dtype to = plan_moved_type(moves, dtype);
  for (int32_t i = 0; i < moves->count; i++) {
    Nest next;
    rsh_move move = moves->move[i];
    rsh_dtype from = read_type(p, &move, to);
    if (rsh_is_fill(move.source) && from != plan_source_type(p->graph, move.source)) {
      move.source = fill_part(p, move.source, move.src_offset.n, from);
      move.src_offset = rsh_int(0);
    }
    bool is_staged_source = plan_is_staged(p->graph, move.source);
    bool is_packed = plan_element_bits(from) < 8 && (is_stage || is_staged_source);
    bool is_bitcast = is_stage && is_c_float(from) != is_c_float(dtype);
    bool is_resized = (is_stage || is_staged_source) &&
                      (from != plan_source_type(p->graph, move.source) || to != dtype);
    if (!plan_map_keeps_bits(p, move.map) || is_packed || is_bitcast || is_resized ||
        is_computed(p, move.source) || !nest_of_move(p, moves, &move, to, &next))
      nest_by_element(p->arena, moves, &move, from, to, &next);
    int at = i;
    for (; at > 0 && is_behind(&nest[at - 1], &next); at--)
      nest[at] = nest[at - 1];
    nest[at] = next;
  }
  *count = moves->count;
  return nest;
}

// The digits of an address are found from the outermost loop inward, so everything inside a loop must span
// at most one step of it.
static bool nest_has_digits(const Nest *nest) {
  int64_t span = nest->run.n;
  for (int i = nest->loop_count - 1; i >= 0; i--) {
    const Loop *loop = &nest->loop[i];
    if (!rsh_is_known(loop->dst) || !rsh_is_known(loop->extent) || !rsh_is_known(nest->run))
      return true; // folding guarantees it (fold.h), although no numbers prove it
    if (loop->dst.n < span)
      return false;
    span += (loop->extent.n - 1) * loop->dst.n;
  }
  return true;
}

// Adds the stages that `moves` read, each after the stages that it reads itself. False: their elements cannot be
// found; if sizes are known, that was reported.
static bool plan_stages(Planner *p, const rsh_moves *moves, const Output *output) {
  for (int32_t i = 0; i < moves->count; i++) {
    int id = moves->move[i].source;
    if (!plan_is_staged(p->graph, id))
      continue;
    const Value *value = p->graph->value.item[id];
    bool have = false;
    for (int k = 0; k < p->stage.count; k++)
      have = have || p->stage.item[k].value == value;
    if (have)
      continue;
    if (value->table && plan_element_bits(value->dtype) >= 8) {
      VEC_PUSH(p->arena, p->stage, ((Stage){.value = value}));
      continue;
    }
    if (!plan_stages(p, value->moves, output))
      return false;
    Stage stage = {.value = value};
    stage.nest = nests_of_moves(p, value->moves, value->dtype, true, &stage.nest_count);
    bool good = true;
    for (int k = 0; k < stage.nest_count; k++) {
      good = good && nest_has_digits(&stage.nest[k]);
      stage.is_computed = stage.is_computed || nest_is_by_element(&stage.nest[k]);
    }
    if (!good && !plan_is_known(value))
      return false;
    if (!good) {
      diag_error(p->diag, output->span, "unsupported",
                 "'%s' falls into pieces that overlap in memory order", output->name);
      return false;
    }
    VEC_PUSH(p->arena, p->stage, stage);
  }
  return true;
}

// A nest with element-wise functions that keep the width, as tiles or as a weave. NULL: it is neither, or needs two
// nests.
static const Nest *tiled_of(Planner *p, const Nest *nest) {
  int bits = plan_element_bits(nest->to);
  if (nest->elements.map == 0 || nest->places || plan_nest_has_entries(nest) ||
      rsh_is_fill(nest->source) || plan_is_staged(p->graph, nest->source) ||
      plan_element_bits(nest->from) != bits || bits < 8)
    return NULL;
  Nest plain = *nest, *part = ARENA_ARRAY(p->arena, Nest, 2);
  plain.kind = NEST_RUNS;
  plain.runs = (NestLines){0};
  plain.run = rsh_int(bits / 8);
  int parts = nest_schedule(p, &plain, part);
  if (parts != 1 || nest_is_plain(part))
    return NULL;
  if (part->kind == NEST_WEAVE) {
    part->woven = nest->elements.map;
    return part;
  }
  part->tiles.lines.large = NULL;
  part->tiles.map = nest->elements.map;
  return part;
}

// A run of a constant whose length is open is also a loop that the compiler vectorizes.
static void plan_fill_runs(const Planner *p, Nest *nest, bool is_packed) {
  nest_schedule_fill(p, nest);
  if (!rsh_is_known(nest->run))
    nest_split_run(p->arena, nest, is_packed ? 1 : plan_element_bits(nest->to) / 8);
}

// The value that a single move passes through a chain, element by element in order; NULL: it is no such move.
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

// Bytes of the value that is assembled to bytes of the result.
static rsh_num rescaled(rsh_num bytes, rsh_dtype from, rsh_dtype to) {
  return to_units((rsh_num){bytes.n / (plan_element_bits(from) / 8), bytes.poly}, to);
}

// Whether an axis, of elements, is this loop, which counts bytes.
static bool is_loop(const rsh_axis *axis, const Loop *loop, rsh_dtype type) {
  return rsh_equal(loop->extent, axis->extent) && rsh_equal(loop->dst, to_units(axis->dst, type));
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
      parts = nests_of_packed(p->arena, &nest[i], &part);
    else if (plan_is_staged(p->graph, nest[i].source))
      nest_split_run(p->arena, &part[0], plan_element_bits(nest[i].to) / 8);
    else if (!rsh_is_fill(nest[i].source))
      parts = nest_schedule(p, &nest[i], part);
    else if (nest[i].kind == NEST_RUNS)
      plan_fill_runs(p, &part[0], is_packed);
    Nest repeated[2];
    if (parts == 1 && part[0].kind == NEST_ELEMENTS) {
      parts = nest_repeat_tables(p->arena, p->graph, &part[0], repeated);
      part = repeated;
    }
    for (int k = 0; k < parts; k++)
      VEC_PUSH(p->arena, done, part[k]);
  }
  *out_count = nests_join_places(p->arena, done.item, done.count, out);
  nests_zip(p, *out, *out_count);
  for (int i = 0; i < *out_count; i++)
    if ((*out)[i].kind == NEST_ELEMENTS)
      (*out)[i].elements.tiled = tiled_of(p, &(*out)[i]);
  return true;
}
