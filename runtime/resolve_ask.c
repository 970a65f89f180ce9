// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by shape rules: reading arguments, reporting faults, and requirements on sizes.
#include "runtime/rules.h"

// ---- faults and arguments ----

rsh_status rsh_fail(rsh_fault *fault, rsh_status status, int32_t arg, int32_t entry,
                    const rsh_num *left, const rsh_num *right) {
  if (fault != 0) {
    fault->input = -1;
    fault->arg = arg;
    fault->entry = entry;
    fault->left = *left;
    fault->right = right != 0 ? *right : rsh_int(0);
  }
  return status;
}

rsh_status rsh_fail_int(rsh_fault *fault, rsh_status status, int32_t arg, int32_t entry,
                        int64_t left, int64_t right) {
  rsh_num l = rsh_int(left), r = rsh_int(right);
  return rsh_fail(fault, status, arg, entry, &l, &r);
}

rsh_status rsh_fail_input(rsh_fault *fault, rsh_status status, int32_t input, int32_t axis,
                          const rsh_num *left, const rsh_num *right) {
  rsh_fail(fault, status, -1, axis, left, right);
  if (fault != 0)
    fault->input = input;
  return status;
}

rsh_status rsh_fail_input_int(rsh_fault *fault, rsh_status status, int32_t input, int32_t axis,
                              int64_t left, int64_t right) {
  rsh_num l = rsh_int(left), r = rsh_int(right);
  return rsh_fail_input(fault, status, input, axis, &l, &r);
}

rsh_status rsh_leave_open(const rsh_call *call, rsh_status status) {
  rsh_symbols *s = call->symbols;
  if (!RSH_HAS_SYMBOLS || status != RSH_unknown_size || s == 0 || s->unknown_capacity == 0)
    return status;
  s->undecided = true;
  return RSH_ok;
}

rsh_status rsh_leave_shape_open(const rsh_call *call, rsh_status status, int32_t rank,
                                rsh_shape *out) {
  status = rsh_leave_open(call, status);
  if (!RSH_HAS_SYMBOLS || status != RSH_ok)
    return status;
  out->rank = rank;
  for (int32_t i = 0; i < rank; i++)
    out->dim[i] = rsh_any_size(call);
  return RSH_ok;
}

bool rsh_arg_int(const rsh_arg *arg, int64_t *out) {
  if (arg->kind != RSH_ARG_LIST || arg->rank != 0 || !rsh_is_known(arg->list[0]))
    return false;
  *out = arg->list[0].n;
  return true;
}

rsh_status rsh_fail_kind(const rsh_call *call, int32_t arg, rsh_fault *fault) {
  const rsh_arg *a = &call->arg[arg];
  bool is_late = (a->kind == RSH_ARG_TENSOR && a->rank <= 1) ||
                 (a->kind == RSH_ARG_LIST && a->rank == 0 && !rsh_is_known(a->list[0]));
  return rsh_fail_int(fault, is_late ? RSH_unknown_size : RSH_bad_arg, arg, -1, 0, 0);
}

rsh_status rsh_need_int(const rsh_call *call, int32_t arg, int64_t *out, rsh_fault *fault) {
  return rsh_arg_int(&call->arg[arg], out) ? RSH_ok : rsh_fail_kind(call, arg, fault);
}

rsh_status rsh_read_int(const rsh_call *call, int32_t arg, int64_t fallback, int64_t *out,
                        rsh_fault *fault) {
  *out = fallback;
  return call->arg[arg].kind == RSH_ARG_ABSENT ? RSH_ok : rsh_need_int(call, arg, out, fault);
}

rsh_status rsh_need_list(const rsh_call *call, int32_t arg, rsh_fault *fault) {
  const rsh_arg *a = &call->arg[arg];
  if (a->kind == RSH_ARG_LIST && a->rank <= 1)
    return RSH_ok;
  rsh_status status = rsh_fail_kind(call, arg, fault);
  return RSH_HAS_SYMBOLS && a->kind == RSH_ARG_TENSOR && a->list != 0 ? rsh_leave_open(call, status)
                                                                      : status;
}

rsh_status rsh_read_list(const rsh_call *call, int32_t arg, rsh_fault *fault) {
  return call->arg[arg].kind == RSH_ARG_ABSENT ? RSH_ok : rsh_need_list(call, arg, fault);
}

rsh_status rsh_read_axis(const rsh_call *call, int32_t arg, int32_t i, int32_t rank, int32_t *out,
                         rsh_fault *fault) {
  const rsh_num *axis = &call->arg[arg].list[i];
  if (!rsh_is_known(*axis))
    return rsh_fail(fault, RSH_unknown_size, arg, i, axis, 0);
  if (!rsh_axis_index(axis->n, rank, out))
    return rsh_fail_int(fault, RSH_bad_axis, arg, i, axis->n, rank);
  return RSH_ok;
}

rsh_status rsh_read_one_axis(const rsh_call *call, int32_t arg, int64_t fallback, int32_t rank,
                             int32_t *out, rsh_fault *fault) {
  int64_t axis;
  rsh_status status = rsh_read_int(call, arg, fallback, &axis, fault);
  if (status == RSH_ok && !rsh_axis_index(axis, rank, out))
    status = rsh_fail_int(fault, RSH_bad_axis, arg, -1, axis, rank);
  return status;
}

rsh_status rsh_fail_duplicate(const rsh_call *call, int32_t arg, int32_t second, int32_t rank,
                              rsh_fault *fault) {
  int32_t axis = 0, other = 0, first = 0;
  rsh_axis_index(call->arg[arg].list[second].n, rank, &axis);
  do
    rsh_axis_index(call->arg[arg].list[first++].n, rank, &other);
  while (other != axis);
  return rsh_fail_int(fault, RSH_duplicate_axis, arg, second, first - 1, second);
}

rsh_status rsh_read_axes(const rsh_call *call, int32_t arg, int32_t rank, bool is_distinct,
                         uint32_t *set, rsh_fault *fault) {
  *set = 0;
  for (int32_t i = 0; i < call->arg[arg].count; i++) {
    int32_t axis;
    rsh_status status = rsh_read_axis(call, arg, i, rank, &axis, fault);
    if (status != RSH_ok)
      return status;
    uint32_t bit = UINT32_C(1) << axis;
    if (is_distinct && (*set & bit) != 0)
      return rsh_fail_duplicate(call, arg, i, rank, fault);
    *set |= bit;
  }
  return RSH_ok;
}

// ---- requirements ----

#ifndef RSH_ONLY_KNOWN
static bool holds(rsh_symbols *s, rsh_relation relation, const rsh_num *left,
                  const rsh_num *right) {
  rsh_num quotient;
  switch (relation) {
  case RSH_MULTIPLE:
    return rsh_div(s, *left, *right, &quotient);
  case RSH_EQUAL:
    if (rsh_are_known(*left, *right))
      return left->n == right->n;
    return rsh_at_most(s, *right, *left) && rsh_at_most(s, *left, *right);
  case RSH_AT_LEAST:
    break;
  }
  return rsh_at_most(s, *right, *left);
}

// Whether it is known to be always false.
static bool never_holds(rsh_symbols *s, rsh_relation relation, const rsh_num *left,
                        const rsh_num *right) {
  rsh_num difference;
  if (rsh_are_known(*left, *right))
    return true;
  if (relation == RSH_MULTIPLE)
    return rsh_is_known(*right) && rsh_never_multiple(s, *left, right->n);
  if (!rsh_sub(s, *left, *right, &difference))
    return false;
  int sign = rsh_sign(s, difference);
  return sign == -1 || (relation == RSH_EQUAL && sign == 1);
}

static bool is_recorded(const rsh_symbols *s, rsh_relation relation, const rsh_num *left,
                        const rsh_num *right) {
  for (int32_t i = 0; i < s->condition_count; i++) {
    const rsh_condition *c = &s->condition[i];
    if (c->relation == relation && rsh_equal(c->left, *left) && rsh_equal(c->right, *right))
      return true;
  }
  return false;
}

// Records a requirement as a condition, once, or, without room for that, sets `undecided`. False: the caller handles no
// unknown numbers.
static bool keep_condition(rsh_symbols *s, rsh_relation relation, const rsh_num *left,
                           const rsh_num *right, rsh_status status) {
  if (s == 0 || s->unknown_capacity == 0)
    return false;
  if (is_recorded(s, relation, left, right))
    return true;
  bool is_said = !rsh_is_unknown(*left) && !rsh_is_unknown(*right);
  if (is_said && s->condition_count < s->condition_capacity) {
    rsh_condition *c = &s->condition[s->condition_count++];
    c->relation = relation;
    c->status = status;
    c->left = *left;
    c->right = *right;
  } else {
    s->undecided = true;
  }
  return true;
}

rsh_status rsh_require(const rsh_call *call, rsh_relation relation, const rsh_num *left,
                       const rsh_num *right, rsh_status status, rsh_place at, rsh_fault *fault) {
  if (holds(call->symbols, relation, left, right))
    return RSH_ok;
  if (!never_holds(call->symbols, relation, left, right)) {
    if (keep_condition(call->symbols, relation, left, right, status))
      return RSH_ok;
    status = RSH_unknown_size;
  }
  rsh_fail(fault, status, at.arg, at.entry, left, right);
  if (fault != 0)
    fault->input = at.input;
  return status;
}
#endif

void rsh_copy_shape(rsh_shape *out, const rsh_shape *in) {
  out->rank = in->rank;
  for (int32_t i = 0; i < in->rank; i++)
    out->dim[i] = in->dim[i];
}
