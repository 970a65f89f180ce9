// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape rules of the operators that split axes or join operands: slice, split, concat, stack. They follow
// the newest ONNX definitions.
#include "runtime/rules.h"

// ---- slice ----

// Clamps v to at least low, and then to at most high, which is below low if the axis has no elements.
// RSH_unknown_size: whether to clamp depends on symbols.
static rsh_status clamp(const rsh_symbols *s, rsh_num *v, const rsh_num *low, const rsh_num *high) {
  if (rsh_at_most(s, *high, *v)) {
    *v = *high;
    return RSH_ok;
  }
  if (!rsh_at_most(s, *low, *v)) {
    if (!rsh_at_most(s, *v, *low))
      return RSH_unknown_size;
    *v = *low;
  }
  if (!rsh_at_most(s, *v, *high)) {
    if (!rsh_at_most(s, *high, *v))
      return RSH_unknown_size;
    *v = *high;
  }
  return RSH_ok;
}

rsh_status rsh_slice_bound(rsh_symbols *s, const rsh_num *d, rsh_num *v, const rsh_num *low,
                           const rsh_num *high) {
  // The extremes mean "to the end"; no size, symbolic or not, is beyond them.
  if (rsh_is(*v, INT64_MAX)) {
    *v = *high;
  } else if (rsh_is(*v, INT64_MIN)) {
    *v = *low;
  } else if (rsh_sign(s, *v) == -1) {
    if (!rsh_add(s, *v, *d, v))
      return RSH_overflow;
  } else if (!rsh_at_most(s, rsh_int(0), *v)) {
    return RSH_unknown_size;
  }
  return clamp(s, v, low, high);
}

rsh_status rsh_edge(rsh_edge_kind kind, int64_t at, int64_t size, int64_t least, int64_t *out) {
  rsh_num place = rsh_int(at), high = rsh_int(size), low = rsh_int(least);
  if (kind == RSH_EDGE_EITHER) {
    *out = at != 0 ? at : size;
    return RSH_ok;
  }
  if (kind != RSH_EDGE_PLACE) {
    *out = size < 1 ? 0 : at / size;
    *out += kind == RSH_EDGE_CEILING && size > 0 && at % size > 0;
    return RSH_ok;
  }
  rsh_status status = rsh_slice_bound(0, &high, &place, &low, &high);
  *out = place.n;
  return status;
}

// Turns a distance into the number of steps in it: distance / |step|, rounded up; 0 if negative.
RSH_APART static rsh_status count_steps(rsh_symbols *s, rsh_num *v, int64_t step) {
  if (rsh_at_most(s, *v, rsh_int(0))) {
    *v = rsh_int(0);
    return RSH_ok;
  }
  if (rsh_is_known(*v)) { // |INT64_MIN| only fits unsigned
    uint64_t length = step < 0 ? UINT64_C(0) - (uint64_t)step : (uint64_t)step;
    *v = rsh_int((int64_t)(((uint64_t)v->n - 1) / length) + 1);
    return RSH_ok;
  }
  if (step == INT64_MIN || !rsh_at_most(s, rsh_int(0), *v))
    return RSH_unknown_size;
  rsh_num length = rsh_int(step < 0 ? -step : step), up, rest; // (2*H - 1 + 1) / 2 is H
  bool is_seen = length.n == 1 || (rsh_add(s, *v, rsh_int(length.n - 1), &up) &&
                                   rsh_div_part(s, up, length, v, &rest));
  return is_seen ? RSH_ok : RSH_unknown_size;
}

// Resolves the range of an axis that has elements. r->start and r->step are as written, r->count has the end.
//   d = 5, [3:-9:-2]  ->  start 3, end clamped to -1, 2 elements: 3 and 1
static rsh_status range_of_some(rsh_symbols *s, const rsh_num *d, rsh_range *r) {
  bool is_back = r->step.n < 0;
  rsh_num high = *d, low = rsh_int(0);
  if (r->step.n == 0)
    return RSH_bad_step;
  if (is_back && !rsh_sub(s, *d, rsh_int(1), &high))
    return RSH_overflow;
  rsh_status status = rsh_slice_bound(s, d, &r->start, &low, &high);
  low = rsh_int(is_back ? -1 : 0);
  if (status == RSH_ok)
    status = rsh_slice_bound(s, d, &r->count, &low, &high);
  if (status != RSH_ok)
    return status;
  if (!(is_back ? rsh_sub(s, r->start, r->count, &r->count)
                : rsh_sub(s, r->count, r->start, &r->count)))
    return RSH_overflow;
  status = count_steps(s, &r->count, r->step.n);
  if (status == RSH_ok && rsh_is(r->count, 0))
    r->start = rsh_int(0);
  if (status == RSH_ok && rsh_is_known(r->count) && r->count.n <= 1)
    r->step.n = 1;
  return status;
}

// rsh_slice_range in place. A range that can be proved only if the axis has elements is also right for an empty axis,
// if its count is 0 then.
//   d = 2*H, [1::2]  ->  start 1, H elements
static rsh_status resolve_range(rsh_symbols *s, const rsh_num *d, rsh_range *r) {
#ifdef RSH_ONLY_KNOWN
  return range_of_some(s, d, r);
#else
  rsh_range range = *r;
  rsh_status status = range_of_some(s, d, &range);
  if (status == RSH_unknown_size && d->poly > 0) {
    rsh_supposed elements = rsh_suppose_nothing(s);
    rsh_num primitive = {1, d->poly}, quotient;
    range = *r;
    rsh_suppose_positive(s, *d, &elements);
    rsh_status there = range_of_some(s, d, &range);
    rsh_forget_supposed(s, &elements);
    if (there == RSH_ok && rsh_div(s, range.count, primitive, &quotient))
      status = RSH_ok;
  }
  if (status == RSH_ok)
    *r = range;
  return status;
#endif
}

rsh_status rsh_slice_range(rsh_symbols *s, rsh_num d, rsh_num start, rsh_num end, int64_t step,
                           rsh_range *out) {
  rsh_range range = {start, rsh_int(step), end};
  rsh_status status = resolve_range(s, &d, &range);
  if (status == RSH_ok)
    *out = range;
  return status;
}

static rsh_status check_slice_lists(const rsh_call *call, rsh_fault *fault) {
  for (int32_t a = RSH_SLICE_STARTS; a <= RSH_SLICE_STEPS; a++) {
    rsh_status status =
        a <= RSH_SLICE_ENDS ? rsh_need_list(call, a, fault) : rsh_read_list(call, a, fault);
    if (status != RSH_ok)
      return status;
    if (call->arg[a].kind != RSH_ARG_ABSENT &&
        call->arg[a].count != call->arg[RSH_SLICE_STARTS].count)
      return rsh_fail_int(fault, RSH_bad_length, a, -1, call->arg[a].count,
                          call->arg[RSH_SLICE_STARTS].count);
  }
  return RSH_ok;
}

static rsh_status slice_axis(const rsh_call *call, int32_t i, int32_t *out, rsh_fault *fault) {
  int32_t rank = call->in[0]->rank;
  if (call->arg[RSH_SLICE_AXES].kind == RSH_ARG_LIST)
    return rsh_read_axis(call, RSH_SLICE_AXES, i, rank, out, fault);
  *out = i;
  return i < rank ? RSH_ok : rsh_fail_int(fault, RSH_bad_axis, RSH_SLICE_STARTS, i, i, rank);
}

// Reads entry i of the lists: its axis and its range; range->count is the size that it leaves.
static rsh_status slice_entry(const rsh_call *call, int32_t i, int32_t *axis, rsh_range *range,
                              rsh_fault *fault) {
  rsh_status status = slice_axis(call, i, axis, fault);
  if (status != RSH_ok)
    return status;
  range->start = call->arg[RSH_SLICE_STARTS].list[i];
  range->count = call->arg[RSH_SLICE_ENDS].list[i];
  range->step = rsh_int(1);
  if (call->arg[RSH_SLICE_STEPS].kind == RSH_ARG_LIST)
    range->step = call->arg[RSH_SLICE_STEPS].list[i];
  if (!rsh_is_known(range->step))
    return rsh_fail(fault, RSH_unknown_size, RSH_SLICE_STEPS, i, &range->step, 0);
  const rsh_num *d = &call->in[0]->dim[*axis];
  status = resolve_range(call->symbols, d, range);
  if (status == RSH_bad_step)
    return rsh_fail_int(fault, status, RSH_SLICE_STEPS, i, 0, 0);
  if (status == RSH_ok)
    return RSH_ok;
  int32_t arg =
      rsh_is_known(call->arg[RSH_SLICE_STARTS].list[i]) ? RSH_SLICE_ENDS : RSH_SLICE_STARTS;
  status = rsh_leave_open(call, rsh_fail(fault, status, arg, i, &call->arg[arg].list[i], d));
  if (status == RSH_ok)
    range->count = rsh_unknown(call->symbols, 0, rsh_bounds(call->symbols, *d).most);
  return status;
}

// If the axes or the steps are data, each axis of the result is as long as before, or shorter.
static rsh_status leave_slice_open(const rsh_call *call, rsh_status status, rsh_shape *out) {
  const rsh_shape *in = call->in[0];
  status = rsh_leave_shape_open(call, status, in->rank, out);
  for (int32_t i = 0; status == RSH_ok && i < in->rank; i++)
    out->dim[i] = rsh_unknown(call->symbols, 0, rsh_bounds(call->symbols, in->dim[i]).most);
  return status;
}

rsh_status rsh_rule_slice(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  rsh_range range;
  int32_t axis = 0, count = call->arg[RSH_SLICE_STARTS].count;
  uint32_t seen = 0;
  rsh_status status = check_slice_lists(call, fault);
  if (RSH_HAS_SYMBOLS && status == RSH_ok &&
      (call->arg[RSH_SLICE_AXES].kind == RSH_ARG_TENSOR ||
       call->arg[RSH_SLICE_STEPS].kind == RSH_ARG_TENSOR))
    status = RSH_unknown_size;
  if (RSH_HAS_SYMBOLS && status == RSH_unknown_size)
    return leave_slice_open(call, status, out);
  for (int32_t i = 0; status == RSH_ok && i < count; i++) {
    status = slice_entry(call, i, &axis, &range, fault);
    if (status == RSH_ok && rsh_has(seen, axis)) // only axes that are given can repeat
      status = rsh_fail_duplicate(call, RSH_SLICE_AXES, i, call->in[0]->rank, fault);
    seen |= UINT32_C(1) << axis;
  }
  if (status != RSH_ok)
    return status;
  rsh_copy_shape(out, call->in[0]);
  for (int32_t i = 0; i < count; i++) {
    slice_entry(call, i, &axis, &range, fault);
    out->dim[axis] = range.count;
  }
  return RSH_ok;
}

// ---- concat and stack ----

// Checks operand k against the first: same type, rank, and sizes on all axes except `axis` (-1: no
// exception).
static rsh_status check_alike(const rsh_call *call, int32_t k, int32_t axis, rsh_fault *fault) {
  const rsh_shape *a = call->in[k], *b = call->in[0];
  if (call->in_type[k] != call->in_type[0])
    return rsh_fail_input_int(fault, RSH_type_mismatch, k, -1, call->in_type[k], call->in_type[0]);
  if (a->rank != b->rank)
    return rsh_fail_input_int(fault, RSH_shape_mismatch, k, -1, a->rank, b->rank);
  for (int32_t i = 0; i < a->rank; i++) {
    if (i == axis)
      continue;
    rsh_status status = rsh_require(call, RSH_EQUAL, &a->dim[i], &b->dim[i], RSH_shape_mismatch,
                                    rsh_in_input(k, i), fault);
    if (status != RSH_ok)
      return status;
  }
  return RSH_ok;
}

static rsh_status check_all_alike(const rsh_call *call, int32_t axis, rsh_fault *fault) {
  rsh_status status = RSH_ok;
  for (int32_t k = 1; status == RSH_ok && k < call->in_count; k++)
    status = check_alike(call, k, axis, fault);
  return status;
}

// The common size of axis i of all operands: a known one, if there is any.
static rsh_num agreed_size(const rsh_call *call, int32_t i) {
  int32_t k = 0;
  while (k < call->in_count && !rsh_is_known(call->in[k]->dim[i]))
    k++;
  return call->in[k < call->in_count ? k : 0]->dim[i];
}

// Checks that the volume fits if `axis` of the first operand (-1: a new axis) has this size.
static rsh_status check_volume(const rsh_call *call, int32_t axis, const rsh_num *size,
                               rsh_fault *fault) {
  const rsh_shape *in = call->in[0];
  rsh_product p = rsh_product_one();
  for (int32_t i = 0; i < in->rank; i++)
    if (i != axis && !rsh_product_take(call->symbols, &p, &in->dim[i]))
      return rsh_fail(fault, RSH_overflow, -1, -1, &in->dim[i], 0);
  if (!rsh_product_take(call->symbols, &p, size))
    return rsh_fail(fault, RSH_overflow, -1, -1, size, 0);
  return RSH_ok;
}

rsh_status rsh_rule_concat(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  int32_t rank = call->in[0]->rank, axis = 0;
  rsh_num sum = rsh_int(0);
  if (rank < 1)
    return rsh_fail_input_int(fault, RSH_bad_rank, 0, -1, rank, 1);
  if (call->arg[0].kind == RSH_ARG_ABSENT)
    return rsh_fail_kind(call, 0, fault);
  rsh_status status = rsh_read_one_axis(call, 0, 0, rank, &axis, fault);
  if (status == RSH_ok)
    status = check_all_alike(call, axis, fault);
  for (int32_t k = 0; status == RSH_ok && k < call->in_count; k++)
    if (!rsh_add(call->symbols, sum, call->in[k]->dim[axis], &sum))
      status = rsh_fail_input(fault, RSH_overflow, k, axis, &call->in[k]->dim[axis], 0);
  if (status == RSH_ok)
    status = check_volume(call, axis, &sum, fault);
  if (status != RSH_ok)
    return status;
  rsh_copy_shape(out, call->in[0]);
  for (int32_t i = 0; i < rank; i++)
    out->dim[i] = agreed_size(call, i);
  out->dim[axis] = sum;
  return RSH_ok;
}

// Three of [4,5] along axis 1  ->  [4,3,5]
rsh_status rsh_rule_stack(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  const rsh_shape *in = call->in[0];
  rsh_num count = rsh_int(call->in_count);
  int32_t axis = 0;
  if (in->rank >= RSH_MAX_RANK)
    return rsh_fail_input_int(fault, RSH_rank_limit, 0, -1, RSH_MAX_RANK + 1, RSH_MAX_RANK);
  rsh_status status = rsh_read_one_axis(call, 0, 0, in->rank + 1, &axis, fault);
  if (status == RSH_ok)
    status = check_all_alike(call, -1, fault);
  if (status == RSH_ok)
    status = check_volume(call, -1, &count, fault);
  if (status != RSH_ok)
    return status;
  out->rank = in->rank + 1;
  for (int32_t i = 0; i < out->rank; i++)
    out->dim[i] = i == axis ? count : agreed_size(call, i < axis ? i : i - 1);
  return RSH_ok;
}

// ---- split ----

enum { SPLIT_AXIS, PARTS, SIZES };

rsh_status rsh_split_count(const rsh_call *call, int32_t *out, rsh_fault *fault) {
  const rsh_arg *parts = &call->arg[PARTS], *sizes = &call->arg[SIZES];
  int64_t count = call->out_count;
  if (sizes->kind != RSH_ARG_ABSENT) {
    rsh_status status = rsh_need_list(call, SIZES, fault);
    if (status != RSH_ok)
      return status;
    if (parts->kind != RSH_ARG_ABSENT)
      return rsh_fail_int(fault, RSH_bad_parts, PARTS, -1, 0, 0);
    count = sizes->count;
  } else if (parts->kind != RSH_ARG_ABSENT) {
    rsh_status status = rsh_need_int(call, PARTS, &count, fault);
    if (status != RSH_ok)
      return status;
  }
  int32_t arg = sizes->kind != RSH_ARG_ABSENT ? SIZES : PARTS, axis = 0;
  if (count < 1)
    return rsh_fail_int(fault, RSH_bad_parts, arg, -1, count, 0);
  if (count > INT32_MAX) { // more parts than any list has: report it with the size of the axis
    const rsh_shape *in = call->in[0];
    rsh_status status = rsh_read_one_axis(call, SPLIT_AXIS, 0, in->rank, &axis, fault);
    rsh_num parts_asked = rsh_int(count);
    return status != RSH_ok ? status
                            : rsh_fail(fault, RSH_bad_parts, arg, -1, &parts_asked, &in->dim[axis]);
  }
  *out = (int32_t)count;
  return RSH_ok;
}

// d / count rounded up, if facts decide it.
static bool rounded_chunk(const rsh_call *call, const rsh_num *d, int32_t count, rsh_num *chunk) {
  rsh_num up, rest;
  return RSH_HAS_SYMBOLS && rsh_add(call->symbols, *d, rsh_int(count - 1), &up) &&
         rsh_div_part(call->symbols, up, rsh_int(count), chunk, &rest);
}

// The size of all parts except the last, which has the rest: 10 in 3 is 4, 4 and 2. Without `parts`, all parts
// must be equal.
RSH_APART static rsh_status split_chunk(const rsh_call *call, const rsh_num *d, int32_t count,
                                        rsh_num *chunk, rsh_fault *fault) {
  if (rsh_is_known(*d)) {
    int64_t each = d->n / count;
    if (each * count == d->n) {
      *chunk = rsh_int(each);
      return RSH_ok;
    }
    *chunk = rsh_int(each + 1);
    bool fits = (uint64_t)chunk->n * (uint32_t)(count - 1) <= (uint64_t)d->n;
    return call->arg[PARTS].kind != RSH_ARG_ABSENT && fits
               ? RSH_ok
               : rsh_fail_int(fault, RSH_bad_parts, PARTS, -1, count, d->n);
  }
  const rsh_num parts = rsh_int(count);
  if (rsh_div(call->symbols, *d, parts, chunk))
    return RSH_ok;
  if (call->arg[PARTS].kind != RSH_ARG_ABSENT && rounded_chunk(call, d, count, chunk)) {
    rsh_num whole;
    return !rsh_mul(call->symbols, *chunk, rsh_int(count - 1), &whole)
               ? rsh_fail(fault, RSH_overflow, PARTS, -1, &parts, d)
               : rsh_require(call, RSH_AT_LEAST, d, &whole, RSH_bad_parts, rsh_in_arg(PARTS, -1),
                             fault);
  }
  *chunk = rsh_int(0);
  rsh_fail(fault, RSH_unknown_size, PARTS, -1, &parts, d);
  if (call->arg[PARTS].kind == RSH_ARG_ABSENT) { // otherwise the last may be smaller
    rsh_status status =
        rsh_require(call, RSH_MULTIPLE, d, &parts, RSH_bad_parts, rsh_in_arg(PARTS, -1), 0);
    if (status != RSH_ok)
      return rsh_fail(fault, status, PARTS, -1, &parts, d);
  }
  return rsh_leave_size_open(call, chunk);
}

RSH_APART static rsh_status check_sizes(const rsh_call *call, const rsh_num *d, rsh_fault *fault) {
  const rsh_num zero = {0};
  rsh_num sum = zero;
  for (int32_t k = 0; k < call->arg[SIZES].count; k++) {
    const rsh_num *size = &call->arg[SIZES].list[k];
    rsh_status status =
        rsh_require(call, RSH_AT_LEAST, size, &zero, RSH_bad_parts, rsh_in_arg(SIZES, k), fault);
    if (status == RSH_bad_parts)
      rsh_fail(fault, status, SIZES, k, size, d);
    if (status != RSH_ok)
      return status;
    if (!rsh_add(call->symbols, sum, *size, &sum))
      return rsh_fail(fault, RSH_overflow, SIZES, k, size, 0);
  }
  return rsh_require(call, RSH_EQUAL, &sum, d, RSH_bad_parts, rsh_in_arg(SIZES, -1), fault);
}

// Checks a split; returns its axis and, if no sizes are given, the size of its equal parts.
static rsh_status check_split(const rsh_call *call, int32_t *axis, rsh_num *chunk,
                              rsh_fault *fault) {
  int32_t count = 0;
  rsh_status status = rsh_split_count(call, &count, fault);
  if (status == RSH_ok)
    status = rsh_read_one_axis(call, SPLIT_AXIS, 0, call->in[0]->rank, axis, fault);
  if (status != RSH_ok)
    return status;
  if (count != call->out_count)
    return rsh_fail_int(fault, RSH_bad_parts, -1, -1, call->out_count, count);
  const rsh_num *d = &call->in[0]->dim[*axis];
  if (call->arg[SIZES].kind != RSH_ARG_ABSENT)
    return check_sizes(call, d, fault);
  return split_chunk(call, d, count, chunk, fault);
}

// The start of part k.
static bool part_start(const rsh_call *call, int32_t k, const rsh_num *chunk, rsh_num *out) {
  if (call->arg[SIZES].kind == RSH_ARG_ABSENT)
    return rsh_mul(call->symbols, *chunk, rsh_int(k), out);
  *out = rsh_int(0);
  bool fits = true;
  for (int32_t i = 0; fits && i < k; i++)
    fits = rsh_add(call->symbols, *out, call->arg[SIZES].list[i], out);
  return fits;
}

static bool part_count(const rsh_call *call, int32_t k, int32_t axis, const rsh_num *chunk,
                       rsh_num *out) {
  if (call->arg[SIZES].kind != RSH_ARG_ABSENT) {
    *out = rsh_data_size(call, &call->arg[SIZES].list[k]);
    return true;
  }
  *out = *chunk;
  if (k < call->out_count - 1)
    return true;
  if (rsh_is_unknown(*chunk)) { // the last part is as large as the others, or smaller
    *out = call->arg[PARTS].kind == RSH_ARG_ABSENT ? *chunk : rsh_any_size(call);
    return true;
  }
  return part_start(call, k, chunk, out) &&
         rsh_sub(call->symbols, call->in[0]->dim[axis], *out, out);
}

rsh_status rsh_split_part(const rsh_call *call, int32_t k, int32_t *axis, rsh_num *start,
                          rsh_num *count) {
  rsh_num chunk = {0};
  rsh_status status = check_split(call, axis, &chunk, 0);
  if (status != RSH_ok)
    return status;
  if (k < 0 || k >= call->out_count)
    return RSH_bad_index;
  bool fits = part_start(call, k, &chunk, start) && part_count(call, k, *axis, &chunk, count);
  return fits ? RSH_ok : RSH_overflow;
}

rsh_status rsh_rule_split(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  int32_t axis = 0;
  rsh_num chunk = {0}, last;
  rsh_status status = check_split(call, &axis, &chunk, fault);
  if (status != RSH_ok)
    return status;
  if (!part_count(call, call->out_count - 1, axis, &chunk, &last))
    return rsh_fail(fault, RSH_overflow, -1, -1, &chunk, 0);
  for (int32_t k = 0; k < call->out_count; k++) {
    rsh_copy_shape(&out[k], call->in[0]);
    part_count(call, k, axis, &chunk, &out[k].dim[axis]);
  }
  return RSH_ok;
}
