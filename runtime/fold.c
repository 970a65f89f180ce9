// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fold rules: each operator as a projection of its operands, or, if it keeps the row-major order
// of elements, as a copy of their moves.
#include "runtime/fold_rules.h"
#include "runtime/map.h"

// If a condition makes the element counts before and after equal, the extent of a single run becomes that of the
// result's sizes, because later operators use these.
//   f32[N, M] to [K, M], N*M == K*M    {N*M, dst 1, src 1}  ->  {K*M, dst 1, src 1}
static void count_as_result(Fold *f) {
  rsh_num before, after;
  bool are_counted = rsh_volume(f->c.symbols, f->call->in[0], &before) == RSH_ok &&
                     rsh_volume(f->c.symbols, f->out_shape, &after) == RSH_ok;
  if (are_counted && rsh_equal(f->out->axis[0].extent, before) && !rsh_is(after, 1))
    f->out->axis[0].extent = after;
}

// reshape, flatten, squeeze, unsqueeze, identity: the row-major address of an element does not change. This includes
// softmax, whose function of rows is applied after the moves (map.h).
void rsh_fold_reshape(Fold *f) {
  rsh_status status = rsh_moves_copy(f->out, f->in[0]);
  if (status != RSH_ok)
    f->c.status = status;
  if (RSH_HAS_SYMBOLS && f->c.symbols != 0 && f->out->axis_count == 1 && f->out->parts <= 1)
    count_as_result(f);
}

// Picks by tensors of indices are not moves: only the kernel knows the elements.
void rsh_fold_gather_elements(Fold *f) { f->c.status = RSH_unsupported; }
void rsh_fold_gather_nd(Fold *f) { f->c.status = RSH_unsupported; }

// Tables are aligned with the last axes of the value, or with the axis of an argument: [3, 1] of f32[8, 3, 4] has
// strides 0, 1 and 0.
static void apply_tables(Fold *f, const rsh_step *step) {
  int64_t stride[RSH_MAX_RANK], dense = 1;
  const rsh_arg *table = &f->call->arg[0];
  int32_t axis_arg = rsh_table_axis_arg(f->call->op), last = f->out_shape->rank - 1;
  while (!rsh_arg_is_table(table))
    table++;
  if (axis_arg >= 0 && table->rank == 1 && f->call->arg[axis_arg].kind == RSH_ARG_LIST)
    rsh_axis_index(f->call->arg[axis_arg].list[0].n, f->out_shape->rank, &last);
  for (int32_t i = 0; i < f->out_shape->rank; i++)
    stride[i] = 0;
  for (int32_t i = last, k = table->rank - 1; k >= 0; i--, k--) {
    stride[i] = table->dims[k] == 1 ? 0 : dense;
    dense *= table->dims[k];
  }
  rsh_moves_apply(&f->c, f->out_shape, f->in[0], step, stride, f->call->maps, f->out, f->work);
}

// ---- bitcast ----

// Whether a move consists of whole groups of `ratio` adjacent elements on both sides, so that each group can be one
// element. With `joins`, makes it so.
static bool is_of_groups(Fold *f, rsh_move *move, rsh_num ratio, bool joins) {
  rsh_axis *axis = f->out->axis + move->first;
  int32_t last = move->axis_count - 1;
  rsh_symbols *s = f->c.symbols;
  rsh_num n;
  if (last < 0 || rsh_is_fill(move->source) || move->map != 0 || !rsh_is(axis[last].dst, 1) ||
      !rsh_is(axis[last].src, 1))
    return false;
  rsh_num *number[2] = {&move->src_offset, &move->dst_offset};
  for (int32_t i = 0; i < 2; i++) {
    if (!rsh_div(s, *number[i], ratio, &n))
      return false;
    *number[i] = joins ? n : *number[i];
  }
  for (int32_t i = 0; i < last; i++) {
    rsh_num src;
    if (!rsh_div(s, axis[i].dst, ratio, &n) || !rsh_div(s, axis[i].src, ratio, &src))
      return false;
    axis[i].dst = joins ? n : axis[i].dst;
    axis[i].src = joins ? src : axis[i].src;
  }
  if (!rsh_div(s, axis[last].extent, ratio, &n))
    return false;
  if (joins)
    axis[last].extent = n;
  if (joins && rsh_is(n, 1))
    move->axis_count--;
  return true;
}

// Makes parts as large as all moves allow: a permutation of whole words moves words.
static void join_parts(Fold *f) {
  for (int32_t ratio = f->out->parts; ratio > 1; ratio /= 2) {
    int32_t i = 0;
    while (i < f->out->count && is_of_groups(f, &f->out->move[i], rsh_int(ratio), false))
      i++;
    if (i < f->out->count)
      continue;
    for (i = 0; i < f->out->count; i++)
      is_of_groups(f, &f->out->move[i], rsh_int(ratio), true);
    f->out->parts /= ratio;
    return;
  }
}

// The size in bits of the units of the operand's moves: its elements, or their parts.
static int32_t bits_of_moves(const rsh_call *call, const rsh_moves *in) {
  return rsh_dtype_bits(call->in_type[0]) / rsh_moves_parts(in);
}

// The row-major address of a bit does not change.
//
//   x: u16[N] to u1[N, 16]             {16*N, dst 1, src 1}, which are bits of x
//   bits 5 to 10 of it to u2[N, 3]     {N, dst 6, src 16} {6, dst 1, src 1}, elements in 2 parts; these become
//                                      {N, dst 3, src 8} {3, dst 1, src 1} if they begin at an even bit
void rsh_fold_bitcast(Fold *f) {
  const rsh_moves *in = f->in[0];
  int32_t have = bits_of_moves(f->call, in), want = rsh_dtype_bits(rsh_out_type(f->call));
  if (have <= want) {
    f->c.status = rsh_moves_copy(f->out, in);
    f->out->parts = want / have;
    if (f->c.status == RSH_ok)
      join_parts(f);
    return;
  }
  for (int32_t i = 0; i < in->count; i++) {
    int32_t ratio = have / want, pieces = rsh_is_fill(in->move[i].source) ? ratio : 1;
    for (int32_t part = 0; part < pieces && f->c.status == RSH_ok; part++) {
      rsh_moves_push_parts(&f->c, f->out, in, i, ratio, part);
      if (f->c.status == RSH_ok)
        rsh_moves_end_last(&f->c, f->out);
    }
  }
  f->out->parts = 1;
}

// ---- elements ----

// A cast to the same type, which may be one of elements in parts.
static bool is_no_function(const rsh_call *call) {
  return call->op == RSH_OP_CAST && call->in_type[0] == rsh_out_type(call);
}

// cast, activations and arithmetic: no element moves, and each chain is extended by a function.
void rsh_fold_activation(Fold *f) {
  rsh_step step;
  if (f->out->parts > 1 && !is_no_function(f->call))
    f->c.status = RSH_unknown_size;
  if (f->c.status != RSH_ok)
    return;
  (void)rsh_step_of_call(f->call, &step); // there is one of each call that its rule accepts
  if (step.tables != 0) {
    apply_tables(f, &step);
    return;
  }
  rsh_fold_reshape(f);
  if (f->c.status != RSH_ok)
    return;
  for (int32_t i = 0; i < f->out->count && f->c.status == RSH_ok; i++)
    f->c.status = rsh_map_add(f->call->maps, f->out->move[i].map, &step, &f->out->move[i].map);
}

// [2,3] perm [1,0]: axis 0 of the result is axis 1 of the operand.
void rsh_fold_transpose(Fold *f) {
  const rsh_shape *in = f->call->in[0];
  const rsh_arg *perm = &f->call->arg[0];
  Projection dim[RSH_MAX_RANK];
  for (int32_t o = 0; o < in->rank; o++) {
    int32_t from = in->rank - 1 - o;
    if (perm->kind == RSH_ARG_LIST)
      from = (int32_t)perm->list[o].n;
    dim[o] = keep(from, in->dim[from]);
  }
  project(f, in, f->out_shape, dim);
}

// An axis of at most one element cannot be reversed. Sizes of a tensor without elements do not count: of u8[A, B] with
// A + B <= 2, A is 1.
static void keep_order_of_one(Fold *f, const rsh_shape *in, Projection *dim) {
  rsh_axis axis[RSH_MAX_RANK];
  for (int32_t i = 0; i < in->rank; i++)
    axis[i].extent = in->dim[i];
  rsh_supposed elements = rsh_moves_suppose_elements(&f->c, axis, in->rank);
  for (int32_t i = 0; i < in->rank; i++) {
    if (dim[i].step.n < 0 && rsh_at_most(f->c.symbols, in->dim[i], rsh_int(1))) {
      dim[i].start = rsh_int(0);
      dim[i].step = rsh_int(1);
    }
  }
  rsh_moves_forget_elements(&f->c, elements);
}

void rsh_fold_slice(Fold *f) {
  const rsh_call *call = f->call;
  const rsh_shape *in = call->in[0];
  const rsh_arg *starts = &call->arg[0], *ends = &call->arg[1], *axes = &call->arg[2],
                *steps = &call->arg[3];
  Projection dim[RSH_MAX_RANK];
  keep_all(in, dim);
  for (int32_t i = 0; i < starts->count; i++) {
    int32_t axis = i;
    if (axes->kind == RSH_ARG_LIST)
      rsh_axis_index(axes->list[i].n, in->rank, &axis);
    int64_t step = steps->kind == RSH_ARG_LIST ? steps->list[i].n : 1;
    rsh_range range;
    rsh_status status =
        rsh_slice_range(call->symbols, in->dim[axis], starts->list[i], ends->list[i], step, &range);
    if (status != RSH_ok) {
      f->c.status = status;
      return;
    }
    dim[axis].start = range.start;
    dim[axis].step = range.step;
    dim[axis].count = range.count;
  }
  keep_order_of_one(f, in, dim);
  project(f, in, f->out_shape, dim);
}

void rsh_fold_flip(Fold *f) {
  const rsh_shape *in = f->call->in[0];
  const rsh_arg *axes = &f->call->arg[0];
  Projection dim[RSH_MAX_RANK];
  keep_all(in, dim);
  for (int32_t i = 0; i < axes->count; i++) {
    int32_t axis = 0;
    rsh_axis_index(axes->list[i].n, in->rank, &axis);
    dim[axis].start = rsh_calc_sub(&f->c, in->dim[axis], rsh_int(1));
    dim[axis].step = rsh_int(-1);
  }
  keep_order_of_one(f, in, dim);
  project(f, in, f->out_shape, dim);
}

// [3,1] to [2,3,4]: axes are aligned on the right; sizes of 1 and missing axes repeat.
void rsh_fold_expand(Fold *f) {
  const rsh_shape *in = f->call->in[0], *out = f->out_shape;
  Projection dim[RSH_MAX_RANK];
  for (int32_t o = 0; o < out->rank; o++) {
    int32_t from = o - (out->rank - in->rank);
    bool repeats = from < 0 || (rsh_is(in->dim[from], 1) && !rsh_is(out->dim[o], 1));
    dim[o] = keep(repeats ? -1 : from, out->dim[o]);
  }
  project(f, in, out, dim);
}

void rsh_fold_concat(Fold *f) {
  const rsh_call *call = f->call;
  Projection dim[RSH_MAX_RANK];
  rsh_num at = rsh_int(0);
  int32_t axis = 0;
  rsh_axis_index(call->arg[0].list[0].n, f->out_shape->rank, &axis);
  for (int32_t i = 0; i < call->in_count; i++) {
    keep_all(call->in[i], dim);
    dim[axis].at = at;
    at = rsh_calc_add(&f->c, at, call->in[i]->dim[axis]);
    rsh_moves_project(&f->c, call->in[i], f->in[i], f->out_shape, dim, f->out, f->work);
  }
}

// Operand i fills index i of a new axis.
void rsh_fold_stack(Fold *f) {
  const rsh_call *call = f->call;
  const rsh_arg *arg = &call->arg[0];
  int32_t axis = 0;
  if (arg->kind == RSH_ARG_LIST)
    rsh_axis_index(arg->list[0].n, f->out_shape->rank, &axis);
  for (int32_t i = 0; i < call->in_count; i++) {
    Projection dim[RSH_MAX_RANK];
    for (int32_t o = 0; o < f->out_shape->rank; o++)
      dim[o] = keep(o < axis ? o : o - 1, f->out_shape->dim[o]);
    dim[axis] = keep(-1, rsh_int(1));
    dim[axis].at = rsh_int(i);
    rsh_moves_project(&f->c, call->in[i], f->in[i], f->out_shape, dim, f->out, f->work);
  }
}

void rsh_fold_split(Fold *f) {
  const rsh_shape *in = f->call->in[0];
  Projection dim[RSH_MAX_RANK];
  int32_t axis = 0;
  rsh_num start, count;
  rsh_status status = rsh_split_part(f->call, f->result, &axis, &start, &count);
  if (status != RSH_ok) {
    f->c.status = status;
    return;
  }
  keep_all(in, dim);
  dim[axis].start = start;
  dim[axis].count = count;
  project(f, in, f->out_shape, dim);
}

// A reshape to six axes, a transpose, and a reshape back; only the transpose moves anything.
static void fold_six(Fold *f, const rsh_num *size, const int32_t *perm) {
  rsh_shape in = {6, {{0}}}, out = {6, {{0}}};
  Projection dim[6];
  for (int32_t i = 0; i < 6; i++)
    in.dim[i] = size[i];
  for (int32_t i = 0; i < 6; i++) {
    out.dim[i] = size[perm[i]];
    dim[i] = keep(perm[i], size[perm[i]]);
  }
  project(f, &in, &out, dim);
}

static rsh_num quotient(Fold *f, rsh_num a, rsh_num b) {
  rsh_num q = rsh_int(0);
  if (!rsh_div(f->c.symbols, a, b, &q))
    f->c.status = RSH_unknown_size;
  return q;
}

static bool is_crd(const rsh_arg *mode) {
  return mode->kind == RSH_ARG_TEXT && mode->text[0] == 'C';
}

// DCR [N, b, b, C, H, W] -> [N, C, H, b, W, b];  CRD [N, C, b, b, H, W] -> the same.
void rsh_fold_depth_to_space(Fold *f) {
  static const int32_t dcr[6] = {0, 3, 4, 1, 5, 2}, crd[6] = {0, 1, 4, 2, 5, 3};
  const rsh_shape *in = f->call->in[0];
  rsh_num b = f->call->arg[0].list[0];
  rsh_num c = quotient(f, in->dim[1], rsh_calc_mul(&f->c, b, b));
  bool channel_first = is_crd(&f->call->arg[1]);
  rsh_num dcr_size[6] = {in->dim[0], b, b, c, in->dim[2], in->dim[3]};
  rsh_num crd_size[6] = {in->dim[0], c, b, b, in->dim[2], in->dim[3]};
  if (f->c.status == RSH_ok)
    fold_six(f, channel_first ? crd_size : dcr_size, channel_first ? crd : dcr);
}

// [N, C, H, b, W, b] -> DCR [N, b, b, C, H, W], CRD [N, C, b, b, H, W]
void rsh_fold_space_to_depth(Fold *f) {
  static const int32_t dcr[6] = {0, 3, 5, 1, 2, 4}, crd[6] = {0, 1, 3, 5, 2, 4};
  const rsh_shape *in = f->call->in[0];
  rsh_num b = f->call->arg[0].list[0];
  rsh_num size[6] = {
      in->dim[0], in->dim[1], quotient(f, in->dim[2], b), b, quotient(f, in->dim[3], b), b};
  if (f->c.status == RSH_ok)
    fold_six(f, size, is_crd(&f->call->arg[1]) ? crd : dcr);
}

// ---- all ----

// The number of parts in an element of the result: the most of any operand, so that all parts have the smallest size.
static int32_t most_parts(const rsh_call *call, const rsh_moves *const *in) {
  int32_t parts = 1;
  for (int32_t i = 0; i < call->in_count; i++)
    parts = rsh_moves_parts(in[i]) > parts ? rsh_moves_parts(in[i]) : parts;
  return parts;
}

// Whether an operand of at most one move must be a separate source: its elements are in parts and a function takes
// whole ones, or they are computed and the result needs parts of them.
static bool is_taken_whole(const rsh_call *call, const rsh_moves *const *in, int32_t i) {
  bool is_computed = in[i]->count > 0 && in[i]->move->map != 0;
  if (call->op == RSH_OP_BITCAST)
    return is_computed && bits_of_moves(call, in[0]) > rsh_dtype_bits(rsh_out_type(call));
  if (rsh_op_family(call->op) == RSH_MAPS)
    return in[i]->parts > 1 && !is_no_function(call);
  return is_computed && rsh_moves_parts(in[i]) < most_parts(call, in);
}

rsh_status rsh_fold_by(rsh_fold_rule *rule, const rsh_call *call, int32_t k,
                       const rsh_shape *out_shape, const rsh_moves *const *in, rsh_moves *out,
                       rsh_moves *work) {
  Fold f = {{call->symbols, RSH_ok}, call, k, out_shape, in, out, work};
  out->count = out->axis_count = 0;
  work->count = work->axis_count = 0;
  out->parts = most_parts(call, in);
  for (int32_t i = 0; i < out_shape->rank; i++)
    if (rsh_is(out_shape->dim[i], 0))
      return RSH_ok;
  rule(&f);
  if (f.c.status == RSH_ok && out->count > 1) {
    if (work->axis_capacity < out->axis_count)
      return RSH_too_small;
    rsh_moves_join(&f.c, out, work);
  }
  return f.c.status;
}

// A single run of elements needs no stage: looking it up is as fast.
static bool is_line(const rsh_moves *m) { return m->count <= 1 && m->axis_count <= 1; }

rsh_status rsh_fold_staged(const rsh_call *call, int32_t k, const rsh_shape *out_shape,
                           const rsh_moves **in, rsh_moves *out, rsh_moves *work, rsh_walk *walk) {
  for (;;) {
    rsh_status status = rsh_fold_by(walk->rule, call, k, out_shape, in, out, work);
    bool is_staged = false;
    if (status != RSH_too_small && status != RSH_unknown_size)
      return status;
    for (int32_t i = 0; i < call->in_count; i++)
      is_staged =
          ((!is_line(in[i]) || is_taken_whole(call, in, i)) && walk->stage(walk, i)) || is_staged;
    bool grows = !is_staged && status == RSH_too_small && walk->grow && walk->grow(walk);
    // A stage can still help a single run if its elements are in parts, or if it is a constant.
    for (int32_t i = 0; !is_staged && !grows && i < call->in_count; i++)
      is_staged =
          (rsh_moves_parts(in[i]) > 1 || (in[i]->count == 1 && rsh_is_fill(in[i]->move->source))) &&
          walk->stage(walk, i);
    if (!is_staged && !grows)
      return status;
  }
}
