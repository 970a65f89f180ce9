// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/picks.h"

#include "runtime/moves.h"

typedef struct Picker {
  Calc c;
  const rsh_shape *data, *indices;
  rsh_picks *out;
} Picker;

// The product of sizes from..to-1.
static rsh_num volume_of(Picker *p, const rsh_shape *shape, int32_t from, int32_t to) {
  rsh_num volume = rsh_int(1);
  for (int32_t i = from; i < to; i++)
    volume = rsh_calc_mul(&p->c, volume, shape->dim[i]);
  return volume;
}

static void add_loop(Picker *p, rsh_num extent, rsh_num dst, rsh_num src, rsh_num at) {
  const rsh_axis loop = {extent, dst, src, at};
  if (!rsh_is(extent, 1))
    p->out->axis[p->out->loop_count++] = loop;
}

// Call this after all loops are added.
static void add_axis(Picker *p, rsh_num size, rsh_num stride) {
  const rsh_axis axis = {size, rsh_int(0), stride, rsh_int(0)};
  p->out->axis[p->out->loop_count + p->out->picked++] = axis;
}

static int32_t axis_of(const rsh_call *call, int arg) {
  int32_t axis = 0;
  if (call->arg[arg].kind == RSH_ARG_LIST)
    rsh_axis_index(call->arg[arg].list[0].n, call->in[0]->rank, &axis);
  return axis;
}

static void pick_entries(Picker *p, int32_t axis) {
  const rsh_shape *data = p->data;
  rsh_num run = volume_of(p, data, axis + 1, data->rank), count = p->out->count;
  add_loop(p, volume_of(p, data, 0, axis), rsh_calc_mul(&p->c, count, run),
           rsh_calc_mul(&p->c, data->dim[axis], run), rsh_int(0));
  add_loop(p, count, run, rsh_int(0), rsh_int(1));
  add_axis(p, data->dim[axis], run);
  p->out->run = run;
}

static void pick_elements(Picker *p, int32_t axis) {
  const rsh_shape *data = p->data, *indices = p->indices;
  for (int32_t i = 0; i < data->rank; i++) {
    rsh_num src = volume_of(p, data, i + 1, data->rank);
    rsh_num dst = volume_of(p, indices, i + 1, data->rank);
    add_loop(p, indices->dim[i], dst, i == axis ? rsh_int(0) : src, dst);
  }
  add_axis(p, data->dim[axis], volume_of(p, data, axis + 1, data->rank));
  p->out->run = rsh_int(1);
}

static void pick_tuples(Picker *p, const rsh_arg *given) {
  const rsh_shape *data = p->data, *indices = p->indices;
  int32_t batches = given->kind == RSH_ARG_LIST ? (int32_t)given->list[0].n : 0;
  int32_t length = (int32_t)indices->dim[indices->rank - 1].n;
  rsh_num run = volume_of(p, data, batches + length, data->rank);
  rsh_num count = volume_of(p, indices, batches, indices->rank - 1);
  add_loop(p, volume_of(p, data, 0, batches), rsh_calc_mul(&p->c, count, run),
           volume_of(p, data, batches, data->rank), rsh_calc_mul(&p->c, count, rsh_int(length)));
  add_loop(p, count, run, rsh_int(0), rsh_int(length));
  for (int32_t i = batches; i < batches + length; i++)
    add_axis(p, data->dim[i], volume_of(p, data, i + 1, data->rank));
  p->out->run = run;
}

rsh_status rsh_picks_of(const rsh_call *call, rsh_picks *out) {
  Picker p = {{call->symbols, RSH_ok}, call->in[0], call->in[1], out};
  out->loop_count = out->picked = 0;
  out->count = volume_of(&p, p.indices, 0, p.indices->rank);
  if (call->op == RSH_OP_GATHER)
    pick_entries(&p, axis_of(call, 1));
  else if (call->op == RSH_OP_GATHER_ELEMENTS)
    pick_elements(&p, axis_of(call, 0));
  else
    pick_tuples(&p, &call->arg[0]);
  return p.c.status;
}
