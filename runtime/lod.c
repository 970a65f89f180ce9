// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which results the offsets of an operand still fit: see lod.h.
#include "runtime/lod.h"

#include "runtime/resolve.h"

// The first axis has one size on both sides. Elements in row-major order then have the same rows.
static bool rows_agree(const rsh_shape *in, const rsh_shape *out) {
  return in->rank > 0 && out->rank > 0 && rsh_equal(in->dim[0], out->dim[0]);
}

// An axis argument of one integer; `missing` where it was left out.
static bool is_first(const rsh_arg *arg, int64_t missing, int32_t rank) {
  int32_t axis = 0;
  return rsh_axis_index(arg->kind == RSH_ARG_LIST ? arg->list[0].n : missing, rank, &axis) &&
         axis == 0;
}

// The entry of a list that is about the first axis, -1 for none. Without a list of axes entry 0 is.
static int32_t entry_of_first(const rsh_arg *axes, int32_t rank) {
  int32_t axis = 0;
  if (axes->kind != RSH_ARG_LIST)
    return 0;
  for (int32_t i = 0; i < axes->count; i++)
    if (rsh_axis_index(axes->list[i].n, rank, &axis) && axis == 0)
      return i;
  return -1;
}

static bool slice_goes_back(const rsh_call *call) {
  const rsh_arg *steps = &call->arg[3];
  int32_t entry = entry_of_first(&call->arg[2], call->in[0]->rank);
  return steps->kind == RSH_ARG_LIST && entry >= 0 && entry < steps->count &&
         steps->list[entry].n < 0;
}

static bool pad_shifts_rows(const rsh_call *call) {
  rsh_padding padding;
  return rsh_pad_axis(call, 0, &padding, 0) != RSH_ok || !rsh_is(padding.before, 0) ||
         !rsh_is(padding.after, 0);
}

static bool roll_shifts_rows(const rsh_call *call) {
  int32_t axis;
  rsh_num shift;
  for (int32_t k = 0; rsh_roll_shift(call, k, &axis, &shift); k++)
    if (axis <= 0 && !rsh_is(shift, 0))
      return true;
  return false;
}

// Where the first axis keeps its size: whether its rows change their places all the same.
static bool moves_rows(const rsh_call *call, const rsh_shape *out) {
  const rsh_shape *in = call->in[0];
  const rsh_arg *arg = call->arg;
  switch (call->op) {
  case RSH_OP_TRANSPOSE:
    return arg[0].kind == RSH_ARG_LIST ? !rsh_is(arg[0].list[0], 0) : in->rank > 1;
  case RSH_OP_EXPAND: // [2, 3] to [2, 2, 3] repeats all of it
    return in->rank != out->rank;
  case RSH_OP_STACK:
    return is_first(&arg[0], 0, out->rank);
  case RSH_OP_SLICE: // of one size, forwards: the whole axis
    return slice_goes_back(call);
  case RSH_OP_FLIP:
    return entry_of_first(&arg[0], in->rank) >= 0;
  case RSH_OP_PAD:
  case RSH_OP_CENTER_CROP_PAD:
    return pad_shifts_rows(call);
  case RSH_OP_ROLL:
    return roll_shifts_rows(call);
  case RSH_OP_GATHER:
    return is_first(&arg[1], 0, in->rank);
  case RSH_OP_REVERSE_SEQUENCE:
    return is_first(&arg[1], 0, in->rank);
  default:
    return false;
  }
}

// Paddle's own: a tensor that holds the whole target passes the offsets on whatever it holds.
static bool is_target_of_paddle(const rsh_call *call) {
  const rsh_arg *shape = &call->arg[0], *actual = &call->arg[1];
  if (call->op != RSH_OP_PADDLE_RESHAPE)
    return false;
  if (shape->kind == RSH_ARG_TENSOR)
    return !shape->in_parts;
  return actual->kind == RSH_ARG_TENSOR;
}

bool rsh_keeps_lod(const rsh_call *call, const rsh_shape *out) {
  if (is_target_of_paddle(call))
    return true;
  return rows_agree(call->in[0], out) && !moves_rows(call, out);
}
