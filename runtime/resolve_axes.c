// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape rules of the operators with one operand and one result that keep, drop, add, move or scale
// whole axes. They follow the newest ONNX definitions.
#include "runtime/rules.h"

rsh_status rsh_rule_identity(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  (void)fault;
  rsh_copy_shape(out, call->in[0]);
  return RSH_ok;
}

// [2,3,4] axis 2  ->  [6,4]. The axis may be the rank itself: [24,1].
rsh_status rsh_rule_flatten(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  const rsh_shape *in = call->in[0];
  int64_t axis;
  rsh_status status = rsh_read_int(call, 0, 1, &axis, fault);
  if (status != RSH_ok)
    return status;
  int32_t at = in->rank;
  if (axis != in->rank && !rsh_axis_index(axis, in->rank, &at))
    return rsh_fail_int(fault, RSH_bad_axis, 0, -1, axis, in->rank);
  rsh_product part[2] = {rsh_product_one(), rsh_product_one()};
  for (int32_t i = 0; i < in->rank; i++)
    if (!rsh_product_take(call->symbols, &part[i >= at], &in->dim[i]))
      return rsh_fail_input(fault, RSH_overflow, 0, i, &in->dim[i], 0);
  out->rank = 2;
  out->dim[0] = rsh_product_value(&part[0]);
  out->dim[1] = rsh_product_value(&part[1]);
  return RSH_ok;
}

// The set of all axes of size 1, which must not depend on symbols.
static rsh_status axes_of_size_one(const rsh_symbols *s, const rsh_shape *in, uint32_t *set,
                                   rsh_fault *fault) {
  const rsh_num one = rsh_int(1);
  *set = 0;
  for (int32_t i = 0; i < in->rank; i++) {
    if (!rsh_is_known(in->dim[i]) && !rsh_at_most(s, rsh_int(2), in->dim[i]))
      return rsh_fail_input(fault, RSH_unknown_size, 0, i, &in->dim[i], &one);
    if (rsh_is(in->dim[i], 1))
      *set |= UINT32_C(1) << i;
  }
  return RSH_ok;
}

// Axes listed twice count once; an empty list drops nothing.
rsh_status rsh_rule_squeeze(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  const rsh_shape *in = call->in[0];
  const rsh_num one = rsh_int(1);
  uint32_t dropped;
  rsh_status status = rsh_read_list(call, 0, fault);
  if (status != RSH_ok)
    return status;
  if (RSH_HAS_SYMBOLS && call->arg[0].kind == RSH_ARG_TENSOR) // entries may repeat an axis
    return rsh_leave_shape_open(call, RSH_unknown_size,
                                call->arg[0].count == 1 ? in->rank - 1 : RSH_RANK_UNKNOWN, out);
  if (call->arg[0].kind == RSH_ARG_ABSENT) {
    status = axes_of_size_one(call->symbols, in, &dropped, fault);
    if (status != RSH_ok && rsh_leave_open(call, status) == RSH_ok) {
      out->rank = RSH_RANK_UNKNOWN;
      return RSH_ok;
    }
  } else {
    status = rsh_read_axes(call, 0, in->rank, false, &dropped, fault);
  }
  for (int32_t i = 0; status == RSH_ok && i < in->rank; i++) {
    if (rsh_has(dropped, i))
      status =
          rsh_require(call, RSH_EQUAL, &in->dim[i], &one, RSH_not_one, rsh_in_input(0, i), fault);
  }
  if (status != RSH_ok)
    return status;
  out->rank = 0;
  for (int32_t i = 0; i < in->rank; i++)
    if (!rsh_has(dropped, i))
      out->dim[out->rank++] = in->dim[i];
  return RSH_ok;
}

// [3,4] axes [0,-1]  ->  [1,3,4,1]: positions in the result.
rsh_status rsh_rule_unsqueeze(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  const rsh_shape *in = call->in[0];
  uint32_t added;
  rsh_status status = rsh_need_list(call, 0, fault);
  if (status != RSH_ok)
    return rsh_leave_shape_open(call, status, RSH_RANK_UNKNOWN, out);
  int32_t count = call->arg[0].count;
  if (count > RSH_MAX_RANK - in->rank)
    return rsh_fail_int(fault, RSH_rank_limit, 0, -1, (int64_t)in->rank + count, RSH_MAX_RANK);
  int32_t rank = in->rank + count, from = 0;
  if (RSH_HAS_SYMBOLS && call->arg[0].kind == RSH_ARG_TENSOR)
    return rsh_leave_shape_open(call, RSH_unknown_size, rank, out);
  status = rsh_read_axes(call, 0, rank, true, &added, fault);
  if (status != RSH_ok)
    return status;
  out->rank = rank;
  for (int32_t i = 0; i < rank; i++)
    out->dim[i] = rsh_has(added, i) ? rsh_int(1) : in->dim[from++];
  return RSH_ok;
}

static rsh_status check_perm(const rsh_call *call, rsh_fault *fault) {
  const rsh_arg *perm = &call->arg[0];
  int32_t rank = call->in[0]->rank;
  uint32_t seen = 0;
  if (perm->count != rank)
    return rsh_fail_int(fault, RSH_bad_perm, 0, -1, perm->count, rank);
  if (rsh_is_late(call, 0))
    return RSH_unknown_size;
  for (int32_t i = 0; i < rank; i++) {
    const rsh_num *axis = &perm->list[i];
    if (!rsh_is_known(*axis))
      return rsh_fail(fault, RSH_unknown_size, 0, i, axis, 0);
    if (axis->n < 0 || axis->n >= rank || rsh_has(seen, (int32_t)axis->n))
      return rsh_fail_int(fault, RSH_bad_perm, 0, i, axis->n, rank);
    seen |= UINT32_C(1) << axis->n;
  }
  return RSH_ok;
}

// Axis i of the result is axis perm[i] of the operand; negative entries are not allowed.
rsh_status rsh_rule_transpose(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  const rsh_shape *in = call->in[0];
  bool is_given = call->arg[0].kind != RSH_ARG_ABSENT;
  rsh_status status = rsh_read_list(call, 0, fault);
  if (status == RSH_ok && is_given)
    status = check_perm(call, fault);
  if (rsh_is_late(call, 0))
    return rsh_leave_shape_open(call, status, in->rank, out);
  if (status != RSH_ok)
    return status;
  out->rank = in->rank;
  for (int32_t i = 0; i < in->rank; i++)
    out->dim[i] = in->dim[is_given ? call->arg[0].list[i].n : in->rank - 1 - i];
  return RSH_ok;
}

rsh_status rsh_rule_flip(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  uint32_t axes;
  rsh_status status = rsh_need_list(call, 0, fault);
  if (rsh_is_late(call, 0))
    status = rsh_leave_open(call, status);
  else if (status == RSH_ok)
    status = rsh_read_axes(call, 0, call->in[0]->rank, true, &axes, fault);
  if (status == RSH_ok)
    rsh_copy_shape(out, call->in[0]);
  return status;
}

// ---- expand ----

// Size i of the result, which comes from one of the two sides. They are aligned on the right, and a missing
// size counts as 1: [3,1] and [2,1,4]  ->  [2,3,4]
static rsh_status expand_size(const rsh_call *call, int32_t i, int32_t rank, rsh_num *out,
                              rsh_fault *fault) {
  const rsh_num zero = rsh_int(0), one = rsh_int(1);
  const rsh_arg *shape = &call->arg[0];
  int32_t from = i - (rank - call->in[0]->rank), entry = i - (rank - shape->count);
  const rsh_num *a = from >= 0 ? &call->in[0]->dim[from] : &one;
  const rsh_num *b = entry >= 0 ? &shape->list[entry] : &one;
  rsh_status status =
      rsh_require(call, RSH_AT_LEAST, b, &zero, RSH_bad_dim, rsh_in_arg(0, entry), fault);
  if (status != RSH_ok)
    return status;
  *out = rsh_is(*a, 1) ? rsh_data_size(call, b) : *a;
  if (rsh_is(*a, 1) || rsh_is(*b, 1) || rsh_equal(*a, *b))
    return RSH_ok;
  bool is_sure = rsh_is_known(*a) && rsh_is_known(*b);
  status = rsh_fail(fault, is_sure ? RSH_not_broadcastable : RSH_unknown_size, 0, entry, a, b);
  status = rsh_leave_open(call, status);
  if (status == RSH_ok && !rsh_is_known(*a)) // a known size, which is not 1, is that of the result
    *out = rsh_is_known(*b) ? *b : rsh_any_size(call);
  return status;
}

rsh_status rsh_rule_expand(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  rsh_product p = rsh_product_one();
  rsh_num size;
  rsh_status status = rsh_need_list(call, 0, fault);
  if (status != RSH_ok)
    return rsh_leave_shape_open(call, status, RSH_RANK_UNKNOWN, out);
  int32_t rank = call->arg[0].count;
  if (rank > RSH_MAX_RANK)
    return rsh_fail_int(fault, RSH_rank_limit, 0, -1, rank, RSH_MAX_RANK);
  if (rank < call->in[0]->rank)
    rank = call->in[0]->rank;
  for (int32_t i = 0; i < rank; i++) {
    status = expand_size(call, i, rank, &size, fault);
    if (status != RSH_ok)
      return status;
    if (!rsh_product_take(call->symbols, &p, &size))
      return rsh_fail(fault, RSH_overflow, 0, -1, &size, 0);
  }
  out->rank = rank;
  for (int32_t i = 0; i < rank; i++)
    expand_size(call, i, rank, &out->dim[i], fault);
  return RSH_ok;
}

// ---- depth and space ----

// Block sizes, and the sizes of the result as they are computed. N, C, H, W are axes 0 to 3.
typedef struct blocks {
  rsh_num side, square; // of a block
  rsh_num c, h, w;
} blocks;

// Checks the rank and the block size.
static rsh_status check_blocks(const rsh_call *call, blocks *b, rsh_fault *fault) {
  rsh_status status = rsh_need_int(call, 0, &b->side.n, fault);
  rsh_forget_poly(&b->side);
  if (status != RSH_ok)
    return status;
  if (call->in[0]->rank != 4)
    return rsh_fail_input_int(fault, RSH_bad_rank, 0, -1, call->in[0]->rank, 4);
  if (b->side.n < 1)
    return rsh_fail_int(fault, RSH_bad_block, 0, -1, b->side.n, 0);
  if (!rsh_mul(0, b->side, b->side, &b->square))
    return rsh_fail(fault, RSH_overflow, 0, -1, &b->side, 0);
  return RSH_ok;
}

static rsh_status divide_axis(const rsh_call *call, int32_t axis, const rsh_num *by, rsh_num *out,
                              rsh_fault *fault) {
  const rsh_num *d = &call->in[0]->dim[axis];
  rsh_status status =
      rsh_require(call, RSH_MULTIPLE, d, by, RSH_bad_block, rsh_in_input(0, axis), fault);
  if (status != RSH_ok)
    return rsh_fail_input(fault, status, 0, axis, by, d);
  return rsh_div(call->symbols, *d, *by, out) ? RSH_ok : rsh_leave_size_open(call, out);
}

static rsh_status multiply_axis(const rsh_call *call, int32_t axis, const rsh_num *by, rsh_num *out,
                                rsh_fault *fault) {
  const rsh_num *d = &call->in[0]->dim[axis];
  return rsh_mul(call->symbols, *d, *by, out) ? RSH_ok
                                              : rsh_fail(fault, RSH_overflow, 0, -1, by, 0);
}

// Writes the result [N, c, h, w]. Its volume is that of the input, but may overflow if there are no elements.
static rsh_status write_nchw(const rsh_call *call, const blocks *b, rsh_shape *out,
                             rsh_fault *fault) {
  const rsh_num *const size[4] = {&call->in[0]->dim[0], &b->c, &b->h, &b->w};
  rsh_product p = rsh_product_one();
  for (int32_t i = 0; i < 4; i++)
    if (!rsh_product_take(call->symbols, &p, size[i]))
      return rsh_fail(fault, RSH_overflow, 0, -1, &b->side, 0);
  out->rank = 4;
  for (int32_t i = 0; i < 4; i++)
    out->dim[i] = *size[i];
  return RSH_ok;
}

// "DCR" or "CRD".
static rsh_status check_mode(const rsh_call *call, rsh_fault *fault) {
  const rsh_arg *mode = &call->arg[1];
  if (mode->kind == RSH_ARG_ABSENT)
    return RSH_ok;
  if (mode->kind != RSH_ARG_TEXT)
    return rsh_fail_int(fault, RSH_bad_arg, 1, -1, 0, 0);
  const char *t = mode->text;
  bool is_dcr = t[0] == 'D' && t[1] == 'C' && t[2] == 'R' && t[3] == '\0';
  bool is_crd = t[0] == 'C' && t[1] == 'R' && t[2] == 'D' && t[3] == '\0';
  return is_dcr || is_crd ? RSH_ok : rsh_fail_int(fault, RSH_bad_mode, 1, -1, 0, 0);
}

// [1,12,2,3] blocksize 2  ->  [1,3,4,6]
rsh_status rsh_rule_depth_to_space(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  blocks b;
  rsh_status status = check_mode(call, fault);
  if (status == RSH_ok)
    status = check_blocks(call, &b, fault);
  if (status == RSH_ok)
    status = divide_axis(call, 1, &b.square, &b.c, fault);
  if (status == RSH_ok)
    status = multiply_axis(call, 2, &b.side, &b.h, fault);
  if (status == RSH_ok)
    status = multiply_axis(call, 3, &b.side, &b.w, fault);
  return status == RSH_ok ? write_nchw(call, &b, out, fault) : status;
}

// [1,3,4,6] blocksize 2  ->  [1,12,2,3]
rsh_status rsh_rule_space_to_depth(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  blocks b;
  rsh_status status = check_mode(call, fault);
  if (status == RSH_ok)
    status = check_blocks(call, &b, fault);
  if (status == RSH_ok)
    status = divide_axis(call, 2, &b.side, &b.h, fault);
  if (status == RSH_ok)
    status = divide_axis(call, 3, &b.side, &b.w, fault);
  if (status == RSH_ok)
    status = multiply_axis(call, 1, &b.square, &b.c, fault);
  return status == RSH_ok ? write_nchw(call, &b, out, fault) : status;
}
