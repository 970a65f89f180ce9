// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From moves to loop nests, in bytes.
//
//   f32[2,3] transposed to f32[3,2]: one move {3, dst 2, src 1} {2, dst 1, src 3}, in elements
//     becomes loops {3, dst 8, src 4} {2, dst 4, src 12} around a run of 4 bytes
#include "codegen/element/element.h"
#include "codegen/plan/plan_internal.h"

rsh_num plan_units(rsh_num elements, rsh_dtype dtype) {
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
  nest->run = plan_units(rsh_int(1), to);
  nest->src_offset = plan_units(move->src_offset, from);
  nest->dst_offset = plan_units(move->dst_offset, to);
  nest->loop = ARENA_ARRAY(arena, Loop, move->axis_count);
  for (int i = 0; i < move->axis_count; i++) {
    const rsh_axis *axis = &moves->axis[move->first + i];
    if (!rsh_is(axis->extent, 1))
      nest->loop[nest->loop_count++] =
          (Loop){axis->extent, plan_units(axis->dst, to), plan_units(axis->src, from), axis->at};
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

// Replaces a fill and the functions of a chain by a fill with their result.
//   3.0, mul by 2.0     6.0
static void apply_to_fill(Planner *p, rsh_move *move, rsh_dtype type) {
  const Fill *fill = &p->graph->fill.item[-1 - move->source];
  uint64_t bits = 0;
  int count = 0;
  const rsh_step *step = graph_map_steps(p->arena, p->graph, move->map, &count);
  for (int i = 0; i < (int)sizeof bits; i++)
    bits |= (uint64_t)fill->bits[i] << 8 * i;
  for (int i = 0; i < count; i++)
    if (!element_apply(p->graph, &step[i], bits, &bits))
      return;
  Fill made = {.dtype = type};
  for (int i = 0; i < (int)sizeof bits; i++)
    made.bits[i] = (uint8_t)(bits >> 8 * i);
  move->source = -1 - graph_fill(p->arena, p->graph, &made);
  move->map = 0;
}

Stage *stage_of(const Planner *p, int source) {
  for (int i = 0; i < p->stage.count; i++)
    if (p->stage.item[i].value->id == source)
      return &p->stage.item[i];
  return NULL;
}

// Whether the stage of a source returns elements; other stages return places in an input.
static bool is_computed(const Planner *p, int source) {
  const Stage *stage = stage_of(p, source);
  return stage && stage->is_computed;
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
    if (rsh_is_fill(move.source) && move.map != 0) {
      apply_to_fill(p, &move, to);
      from = read_type(p, &move, to);
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
