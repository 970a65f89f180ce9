// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tensors of indices pick, as loops over tuples of indices around runs that are copied.
//
//   x: f32[2, 5, 8], i: i64[3]
//
//   gather(x, i, 1)                  for 2: dst 96, src 160; for 3: dst 32, at 1     axis of 5 by 32     run 32
//   gather_elements(x, j: [2, 3, 8]) for 2, 3, 8: each an index, of which src is 160, 32 and 4, but 0 for the axis
//   gather_nd(x, k: [7, 2])          for 7: dst 32, at 2                             axes of 2 and 5     run 32
#include "codegen/plan/plan_internal.h"

typedef struct Picker {
  Planner *p;
  const Node *node;
  Picks *picks;
  bool fits; // no number was too large
} Picker;

static rsh_num times(Picker *r, rsh_num a, rsh_num b) {
  rsh_num product = rsh_int(0);
  r->fits = rsh_mul(r->p->graph->symbols, a, b, &product) && r->fits;
  return product;
}

// The product of sizes from..to-1.
static rsh_num volume_of(Picker *r, const rsh_shape *shape, int32_t from, int32_t to) {
  rsh_num volume = rsh_int(1);
  for (int32_t i = from; i < to; i++)
    volume = times(r, volume, shape->dim[i]);
  return volume;
}

static void add_loop(Picker *r, rsh_num extent, rsh_num dst, rsh_num src, rsh_num at) {
  if (!rsh_is(extent, 1))
    r->picks->loop[r->picks->loop_count++] = (Loop){extent, dst, src, at};
}

static void add_axis(Picker *r, rsh_num size, rsh_num stride) {
  r->picks->size[r->picks->axis_count] = size;
  r->picks->stride[r->picks->axis_count++] = stride;
}

static int32_t axis_of(const rsh_call *call, int arg) {
  int32_t axis = 0;
  if (call->arg[arg].kind == RSH_ARG_LIST)
    rsh_axis_index(call->arg[arg].list[0].n, call->in[0]->rank, &axis);
  return axis;
}

// All in elements. Returns the run.
static rsh_num pick_entries(Picker *r) {
  const rsh_shape *data = r->node->call.in[0], *indices = r->node->call.in[1];
  int32_t axis = axis_of(&r->node->call, 1);
  rsh_num run = volume_of(r, data, axis + 1, data->rank);
  rsh_num count = volume_of(r, indices, 0, indices->rank);
  add_loop(r, volume_of(r, data, 0, axis), times(r, count, run), times(r, data->dim[axis], run),
           rsh_int(0));
  add_loop(r, count, run, rsh_int(0), rsh_int(1));
  add_axis(r, data->dim[axis], run);
  return run;
}

static rsh_num pick_elements(Picker *r) {
  const rsh_shape *data = r->node->call.in[0], *indices = r->node->call.in[1];
  int32_t axis = axis_of(&r->node->call, 0);
  for (int32_t i = 0; i < data->rank; i++) {
    rsh_num src = volume_of(r, data, i + 1, data->rank);
    rsh_num dst = volume_of(r, indices, i + 1, data->rank);
    add_loop(r, indices->dim[i], dst, i == axis ? rsh_int(0) : src, dst);
    if (i == axis)
      add_axis(r, data->dim[i], src);
  }
  return rsh_int(1);
}

static rsh_num pick_tuples(Picker *r) {
  const rsh_shape *data = r->node->call.in[0], *indices = r->node->call.in[1];
  const rsh_arg *given = &r->node->call.arg[0];
  int32_t batches = given->kind == RSH_ARG_LIST ? (int32_t)given->list[0].n : 0;
  int32_t length = (int32_t)indices->dim[indices->rank - 1].n;
  rsh_num run = volume_of(r, data, batches + length, data->rank);
  rsh_num count = volume_of(r, indices, batches, indices->rank - 1);
  add_loop(r, volume_of(r, data, 0, batches), times(r, count, run),
           volume_of(r, data, batches, data->rank), times(r, count, rsh_int(length)));
  add_loop(r, count, run, rsh_int(0), rsh_int(length));
  for (int32_t i = 0; i < length; i++)
    add_axis(r, data->dim[batches + i], volume_of(r, data, batches + i + 1, data->rank));
  return run;
}

// From elements to bytes. False: something begins in the middle of a byte.
static bool in_bytes(Picks *picks, rsh_num run) {
  rsh_dtype type = picks->from.dtype;
  bool good = plan_to_bytes(run, type, &picks->run.run) &&
              plan_to_bytes(picks->from.offset, type, &picks->offset);
  for (int i = 0; i < picks->loop_count; i++)
    good = good && plan_to_bytes(picks->loop[i].dst, type, &picks->loop[i].dst) &&
           plan_to_bytes(picks->loop[i].src, type, &picks->loop[i].src);
  for (int i = 0; i < picks->axis_count; i++)
    good = good && plan_to_bytes(picks->stride[i], type, &picks->stride[i]);
  return good;
}

bool plan_picks(Planner *p, Pass *pass) {
  const Value *value = pass->value;
  const Node *node = value->node;
  Picks *picks = ARENA_NEW(p->arena, Picks);
  Picker r = {p, node, picks, true};
  picks->from = *value->picked_from;
  picks->by = *value->picked_by;
  picks->loop = ARENA_ARRAY(p->arena, Loop, RSH_MAX_RANK + 2);
  picks->count = volume_of(&r, node->call.in[1], 0, node->call.in[1]->rank);
  rsh_num run = node->call.op == RSH_OP_GATHER            ? pick_entries(&r)
                : node->call.op == RSH_OP_GATHER_ELEMENTS ? pick_elements(&r)
                                                          : pick_tuples(&r);
  picks->run = (Nest){
      .source = picks->from.source,
      .unit = plan_common_align(value->dtype, plan_source_type(p->graph, picks->from.source)),
      .from = value->dtype,
      .to = value->dtype};
  if (!r.fits || !in_bytes(picks, run)) {
    diag_error(p->diag, node->span, "unsupported",
               r.fits ? "'%s' picks elements of %s one by one, which are less than a byte; cast to "
                        "a type of whole "
                        "bytes first"
                      : "'%s' of elements of %s: a stride does not fit 64 bits",
               rsh_op_name(node->call.op), rsh_dtype_name(value->dtype));
    return false;
  }
  pass->picks = picks;
  return true;
}

bool picks_are_late(const Plan *plan, const Picks *picks) {
  return value_is_kept(plan->graph->value.item[picks->by.source]);
}

bool plan_checks_late(const Plan *plan) {
  for (int i = 0; i < plan->pass_count; i++)
    if (plan->pass[i].picks && picks_are_late(plan, plan->pass[i].picks))
      return true;
  return false;
}
