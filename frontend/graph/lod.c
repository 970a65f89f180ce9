// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides which results the offsets of an operand still fit: see lod.h.
#include "frontend/graph/lod.h"

#include "runtime/moves.h"
#include "runtime/resolve.h"

// The first axes have equal sizes, so elements in row-major order have the same rows.
static bool rows_agree(const rsh_shape *in, const rsh_shape *out) {
  return in->rank > 0 && out->rank > 0 && rsh_equal(in->dim[0], out->dim[0]);
}

// An operand whose elements are their row numbers: element (t, i, j) is element t of source 0.
static rsh_status number_rows(rsh_symbols *s, rsh_moves *rows, const rsh_shape *shape) {
  rsh_num stride[RSH_MAX_RANK] = {rsh_int(1)};
  return rsh_moves_strided(s, rows, 0, shape, stride, rsh_int(0));
}

// Returns whether a move copies each row number only to that row, of `row` elements: both sides advance
// together from row to row, and the copies of one number end within one row.
static bool stays_in_row(Calc *c, const rsh_moves *moves, const rsh_move *move, rsh_num row) {
  const rsh_axis *axis = &moves->axis[move->first];
  rsh_num from = rsh_calc_sub(c, move->dst_offset, rsh_calc_mul(c, move->src_offset, row));
  rsh_num past = rsh_calc_add(c, from, rsh_int(1));
  for (int32_t i = 0; i < move->axis_count; i++) {
    rsh_num steps = rsh_calc_sub(c, axis[i].extent, rsh_int(1));
    if (rsh_is(axis[i].src, 0))
      past = rsh_calc_add(c, past, rsh_calc_mul(c, steps, axis[i].dst));
    else if (!rsh_equal(axis[i].dst, rsh_calc_mul(c, axis[i].src, row)))
      return false;
  }
  rsh_supposed extents = rsh_moves_suppose_elements(c, axis, move->axis_count);
  bool stays = c->status == RSH_ok && rsh_at_most(c->symbols, rsh_int(0), from) &&
               rsh_at_most(c->symbols, past, row);
  rsh_moves_forget_elements(c, extents);
  return stays;
}

// The same for all moves from the first operand.
static bool rows_stay(rsh_symbols *s, const rsh_moves *moves, const rsh_shape *out) {
  Calc c = {s, RSH_ok};
  rsh_num row = rsh_int(1);
  for (int32_t i = 1; i < out->rank; i++)
    row = rsh_calc_mul(&c, row, out->dim[i]);
  for (int32_t i = 0; i < moves->count; i++)
    if (moves->move[i].source == 0 && !stays_in_row(&c, moves, &moves->move[i], row))
      return false;
  return c.status == RSH_ok;
}

static rsh_moves new_moves(Arena *arena, int32_t count) {
  int32_t axes = (count + 1) * RSH_MAX_AXES;
  return (rsh_moves){.move = ARENA_ARRAY(arena, rsh_move, count),
                     .axis = ARENA_ARRAY(arena, rsh_axis, axes),
                     .capacity = count,
                     .axis_capacity = axes};
}

// Folds this call. If it cannot be folded, rows may have moved.
static bool keeps_rows(Arena *arena, const rsh_call *call, int32_t k, const rsh_shape *out) {
  enum { MOST_MOVES = 1 << 16 };
  const rsh_moves **in = ARENA_ARRAY(arena, const rsh_moves *, call->in_count);
  for (int32_t i = 0; i < call->in_count; i++) {
    rsh_moves *moves = ARENA_NEW(arena, rsh_moves);
    rsh_num volume;
    *moves = new_moves(arena, 1);
    in[i] = moves;
    rsh_status status = i == 0 ? number_rows(call->symbols, moves, call->in[0])
                               : rsh_volume(call->symbols, call->in[i], &volume);
    if (status == RSH_ok && i > 0)
      status = rsh_moves_identity(moves, i, volume);
    if (status != RSH_ok)
      return false;
  }
  bool stays = false;
  rsh_status status = RSH_too_small;
  for (int32_t room = 64; status == RSH_too_small && room <= MOST_MOVES; room *= 8) {
    rsh_moves folded = new_moves(arena, room), work = new_moves(arena, room);
    status = rsh_fold(call, k, out, in, &folded, &work);
    stays = status == RSH_ok && rows_stay(call->symbols, &folded, out);
  }
  return stays;
}

// Paddle's rule: a tensor that holds the whole target keeps the offsets, regardless of its values.
static bool is_target_of_paddle(const rsh_call *call) {
  const rsh_arg *shape = &call->arg[0], *actual = &call->arg[1];
  if (call->op != RSH_OP_PADDLE_RESHAPE)
    return false;
  if (shape->kind == RSH_ARG_TENSOR)
    return !shape->in_parts;
  return actual->kind == RSH_ARG_TENSOR;
}

// Casts, functions of elements and the identity, whose result has the shape of an operand of any rank.
static bool keeps_places(const rsh_call *call) {
  rsh_family family = rsh_op_family(call->op);
  return family == RSH_MAPS || (family == RSH_KEEPS && rsh_op_result(call->op) == RSH_RESULT_SAME);
}

// Whether an argument is a list of numbers, none of which is the first axis, counted from either end.
static bool is_of_later_axes(const rsh_arg *axes) {
  bool later = axes->kind == RSH_ARG_LIST && axes->count > 0;
  for (int32_t i = 0; later && i < axes->count; i++)
    later = rsh_is_known(axes->list[i]) && axes->list[i].n > 0;
  return later;
}

// Whether the arguments say that rows stay, for an operand of any rank. An operator that is not listed may move them.
static bool keeps_rows_of_any_rank(const rsh_call *call) {
  enum { GATHER_AXIS = 1 };
  const rsh_arg *first = &call->arg[0];
  bool has_first = first->kind == RSH_ARG_LIST && first->count > 0;
  if (rsh_op_family(call->op) == RSH_RESHAPES)
    return has_first && rsh_is(first->list[0], 0) && rsh_reshape_copies(call);
  switch (call->op) {
  case RSH_OP_TRANSPOSE:
    return has_first && rsh_is(first->list[0], 0);
  case RSH_OP_FLATTEN:
    return first->kind == RSH_ARG_ABSENT || (has_first && rsh_is(first->list[0], 1));
  case RSH_OP_SQUEEZE:
  case RSH_OP_UNSQUEEZE:
  case RSH_OP_FLIP:
  case RSH_OP_CONCAT:
  case RSH_OP_STACK:
  case RSH_OP_SPLIT:
    return is_of_later_axes(first);
  case RSH_OP_GATHER:
    return is_of_later_axes(&call->arg[GATHER_AXIS]);
  case RSH_OP_SLICE:
    return is_of_later_axes(&call->arg[RSH_SLICE_AXES]);
  default:
    return false;
  }
}

bool lod_is_kept(Arena *arena, const rsh_call *call, int32_t k, const rsh_shape *out) {
  if (is_target_of_paddle(call) || keeps_places(call))
    return true;
  if (call->in[0]->rank == RSH_RANK_UNKNOWN)
    return keeps_rows_of_any_rank(call);
  if (!rows_agree(call->in[0], out))
    return false;
  rsh_family family = rsh_op_family(call->op);
  if (family != RSH_MOVES && family != RSH_FILLS)
    return true;
  if (rsh_reads_data(call))
    return false;
  rsh_symbols none = {0}, *s = call->symbols ? call->symbols : &none;
  bool undecided = s->undecided; // conditions recorded here do not belong to the shape rule
  int32_t conditions = s->condition_count;
  bool keeps = keeps_rows(arena, call, k, out);
  s->undecided = undecided;
  s->condition_count = conditions;
  return keeps;
}
