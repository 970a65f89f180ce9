// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape rules of the operators that cut axes to parts, or join operands: slice, split, concat,
// stack. They follow the newest ONNX definitions.
#include "runtime/rules.h"

// ---- slice ----

// v cut to low..high (low <= high + 1); RSH_unknown_size where symbols decide which it is.
static rsh_status clamp(const rsh_symbols *s, rsh_num v, rsh_num low, rsh_num high, rsh_num *out) {
  if (rsh_at_most(s, high, v))
    *out = high;
  else if (rsh_at_most(s, v, low))
    *out = low;
  else if (rsh_at_most(s, low, v) && rsh_at_most(s, v, high))
    *out = v;
  else
    return RSH_unknown_size;
  return RSH_ok;
}

// A start or end as users write it: negative counts from the end of d, then low..high holds it.
static rsh_status slice_bound(rsh_symbols *s, rsh_num d, rsh_num v, rsh_num low, rsh_num high,
                              rsh_num *out) {
  // The extremes stand for "as far as it goes"; no size lies beyond them, symbolic or not.
  if (rsh_is(v, INT64_MAX) || rsh_is(v, INT64_MIN)) {
    *out = v.n > 0 ? high : low;
    return RSH_ok;
  }
  if (rsh_sign(s, v) == -1) {
    if (!rsh_add(s, v, d, &v))
      return RSH_overflow;
  } else if (!rsh_at_most(s, rsh_int(0), v)) {
    return RSH_unknown_size;
  }
  return clamp(s, v, low, high, out);
}

// The number of steps in a distance: distance / |step| rounded up, 0 when negative.
static rsh_status count_steps(rsh_symbols *s, rsh_num distance, int64_t step, rsh_num *out) {
  if (rsh_at_most(s, distance, rsh_int(0))) {
    *out = rsh_int(0);
    return RSH_ok;
  }
  if (rsh_is_known(distance)) { // |INT64_MIN| only fits unsigned
    uint64_t length = step < 0 ? UINT64_C(0) - (uint64_t)step : (uint64_t)step;
    *out = rsh_int((int64_t)(((uint64_t)distance.n - 1) / length) + 1);
    return RSH_ok;
  }
  bool is_whole = step != INT64_MIN && rsh_at_most(s, rsh_int(0), distance) &&
                  rsh_div(s, distance, rsh_int(step < 0 ? -step : step), out);
  return is_whole ? RSH_ok : RSH_unknown_size;
}

// d = 5, [3:-9:-2]  ->  start 3, end clamped to -1, 2 elements: 3 and 1
rsh_status rsh_slice_range(rsh_symbols *s, rsh_num d, rsh_num start, rsh_num end, int64_t step,
                           rsh_range *out) {
  rsh_num high = d, low = rsh_int(0), first, last, distance, count;
  if (step == 0)
    return RSH_bad_step;
  if (step < 0 && !rsh_sub(s, d, rsh_int(1), &high))
    return RSH_overflow;
  rsh_status status = slice_bound(s, d, start, low, high, &first);
  if (step < 0)
    low = rsh_int(-1);
  if (status == RSH_ok)
    status = slice_bound(s, d, end, low, high, &last);
  if (status != RSH_ok)
    return status;
  if (!(step > 0 ? rsh_sub(s, last, first, &distance) : rsh_sub(s, first, last, &distance)))
    return RSH_overflow;
  status = count_steps(s, distance, step, &count);
  if (status != RSH_ok)
    return status;
  out->start = rsh_is(count, 0) ? rsh_int(0) : first;
  out->step = rsh_int(rsh_is_known(count) && count.n <= 1 ? 1 : step);
  out->count = count;
  return RSH_ok;
}

enum { STARTS, ENDS, AXES, STEPS };

static rsh_status check_slice_lists(const rsh_call *call, rsh_fault *fault) {
  for (int32_t a = STARTS; a <= STEPS; a++) {
    rsh_status status = a <= ENDS ? rsh_need_list(call, a, fault) : rsh_read_list(call, a, fault);
    if (status != RSH_ok)
      return status;
    if (call->arg[a].kind == RSH_ARG_LIST && call->arg[a].count != call->arg[STARTS].count)
      return rsh_fail_int(fault, RSH_bad_length, a, -1, call->arg[a].count,
                          call->arg[STARTS].count);
  }
  return RSH_ok;
}

static rsh_status slice_axis(const rsh_call *call, int32_t i, int32_t *out, rsh_fault *fault) {
  int32_t rank = call->in[0]->rank;
  if (call->arg[AXES].kind == RSH_ARG_LIST)
    return rsh_read_axis(call, AXES, i, rank, out, fault);
  *out = i;
  return i < rank ? RSH_ok : rsh_fail_int(fault, RSH_bad_axis, STARTS, i, i, rank);
}

// Entry i of the lists: which axis it is about, and what it leaves of it.
static rsh_status slice_entry(const rsh_call *call, int32_t i, int32_t *axis, rsh_range *range,
                              rsh_fault *fault) {
  rsh_status status = slice_axis(call, i, axis, fault);
  if (status != RSH_ok)
    return status;
  rsh_num step = call->arg[STEPS].kind == RSH_ARG_LIST ? call->arg[STEPS].list[i] : rsh_int(1);
  if (!rsh_is_known(step))
    return rsh_fail(fault, RSH_unknown_size, STEPS, i, step, rsh_int(0));
  rsh_num d = call->in[0]->dim[*axis], start = call->arg[STARTS].list[i],
          end = call->arg[ENDS].list[i];
  status = rsh_slice_range(call->symbols, d, start, end, step.n, range);
  if (status == RSH_bad_step)
    return rsh_fail_int(fault, status, STEPS, i, 0, 0);
  if (status != RSH_ok)
    return rsh_fail(fault, status, rsh_is_known(start) ? ENDS : STARTS, i,
                    rsh_is_known(start) ? end : start, d);
  return RSH_ok;
}

rsh_status rsh_rule_slice(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  rsh_range range;
  int32_t axis = 0, count = call->arg[STARTS].count;
  uint32_t seen = 0;
  rsh_status status = check_slice_lists(call, fault);
  for (int32_t i = 0; status == RSH_ok && i < count; i++) {
    status = slice_entry(call, i, &axis, &range, fault);
    if (status == RSH_ok && rsh_has(seen, axis)) // axes are given, else they could not repeat
      status = rsh_fail_duplicate(call, AXES, i, call->in[0]->rank, fault);
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

// Operand k against the first: the same type and rank, and the same sizes but on `axis` (-1: on
// all).
static rsh_status check_alike(const rsh_call *call, int32_t k, int32_t axis, rsh_fault *fault) {
  const rsh_shape *a = call->in[k], *b = call->in[0];
  if (call->in_type[k] != call->in_type[0])
    return rsh_fail_input(fault, RSH_type_mismatch, k, -1, rsh_int(call->in_type[k]),
                          rsh_int(call->in_type[0]));
  if (a->rank != b->rank)
    return rsh_fail_input(fault, RSH_shape_mismatch, k, -1, rsh_int(a->rank), rsh_int(b->rank));
  for (int32_t i = 0; i < a->rank; i++) {
    if (i == axis)
      continue;
    rsh_status status = rsh_compare(call->symbols, a->dim[i], b->dim[i], RSH_shape_mismatch);
    if (status != RSH_ok)
      return rsh_fail_input(fault, status, k, i, a->dim[i], b->dim[i]);
  }
  return RSH_ok;
}

static rsh_status check_all_alike(const rsh_call *call, int32_t axis, rsh_fault *fault) {
  rsh_status status = RSH_ok;
  for (int32_t k = 1; status == RSH_ok && k < call->in_count; k++)
    status = check_alike(call, k, axis, fault);
  return status;
}

// Whether the volume fits once `axis` of the first operand (-1: a new one) has this size.
static rsh_status check_volume(const rsh_call *call, int32_t axis, rsh_num size, rsh_fault *fault) {
  const rsh_shape *in = call->in[0];
  rsh_product p = rsh_product_one();
  for (int32_t i = -1; i < in->rank; i++) {
    if (i == axis || i < 0)
      continue;
    rsh_product_take(call->symbols, &p, in->dim[i]); // a part of a volume that fits
  }
  if (!rsh_product_take(call->symbols, &p, size))
    return rsh_fail(fault, RSH_overflow, -1, -1, p.nonzero, size);
  return RSH_ok;
}

rsh_status rsh_rule_concat(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  int32_t rank = call->in[0]->rank, axis = 0;
  rsh_num sum = rsh_int(0), before;
  if (rank < 1)
    return rsh_fail_input(fault, RSH_bad_rank, 0, -1, rsh_int(rank), rsh_int(1));
  if (call->arg[0].kind == RSH_ARG_ABSENT)
    return rsh_fail_kind(call, 0, fault);
  rsh_status status = rsh_read_one_axis(call, 0, 0, rank, &axis, fault);
  if (status == RSH_ok)
    status = check_all_alike(call, axis, fault);
  for (int32_t k = 0; status == RSH_ok && k < call->in_count; k++) {
    before = sum;
    if (!rsh_add(call->symbols, before, call->in[k]->dim[axis], &sum))
      status = rsh_fail_input(fault, RSH_overflow, k, axis, before, call->in[k]->dim[axis]);
  }
  if (status == RSH_ok)
    status = check_volume(call, axis, sum, fault);
  if (status != RSH_ok)
    return status;
  rsh_copy_shape(out, call->in[0]);
  out->dim[axis] = sum;
  return RSH_ok;
}

// Three of [4,5] along axis 1  ->  [4,3,5]
rsh_status rsh_rule_stack(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  const rsh_shape *in = call->in[0];
  int32_t axis = 0;
  if (in->rank >= RSH_MAX_RANK)
    return rsh_fail_input(fault, RSH_rank_limit, 0, -1, rsh_int(RSH_MAX_RANK + 1),
                          rsh_int(RSH_MAX_RANK));
  rsh_status status = rsh_read_one_axis(call, 0, 0, in->rank + 1, &axis, fault);
  if (status == RSH_ok)
    status = check_all_alike(call, -1, fault);
  if (status == RSH_ok)
    status = check_volume(call, -1, rsh_int(call->in_count), fault);
  if (status != RSH_ok)
    return status;
  out->rank = in->rank + 1;
  for (int32_t i = 0; i < out->rank; i++)
    out->dim[i] = i == axis ? rsh_int(call->in_count) : in->dim[i < axis ? i : i - 1];
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
  if (count < 1 || count > INT32_MAX)
    return rsh_fail_int(fault, RSH_bad_parts, sizes->kind != RSH_ARG_ABSENT ? SIZES : PARTS, -1,
                        count, 0);
  *out = (int32_t)count;
  return RSH_ok;
}

// Size of all parts but the last, which takes what is left: 10 in 3 is 4, 4 and 2. Equal parts are
// asked for by leaving parts out too.
static rsh_status split_chunk(const rsh_call *call, rsh_num d, int32_t count, rsh_num *chunk,
                              rsh_fault *fault) {
  if (rsh_div(call->symbols, d, rsh_int(count), chunk))
    return RSH_ok;
  if (!rsh_is_known(d))
    return rsh_fail_int(fault, RSH_unknown_size, PARTS, -1, count, 0);
  *chunk = rsh_int(d.n / count + 1);
  rsh_num most;
  bool fits = rsh_mul(0, *chunk, rsh_int(count - 1), &most) && most.n <= d.n;
  if (call->arg[PARTS].kind == RSH_ARG_ABSENT || !fits)
    return rsh_fail_int(fault, RSH_bad_parts, PARTS, -1, count, d.n);
  return RSH_ok;
}

static rsh_status check_sizes(const rsh_call *call, rsh_num d, rsh_fault *fault) {
  rsh_num sum = rsh_int(0), before;
  for (int32_t k = 0; k < call->arg[SIZES].count; k++) {
    rsh_num size = call->arg[SIZES].list[k];
    if (rsh_sign(call->symbols, size) == -1)
      return rsh_fail(fault, RSH_bad_parts, SIZES, k, size, d);
    before = sum;
    if (!rsh_add(call->symbols, before, size, &sum))
      return rsh_fail(fault, RSH_overflow, SIZES, k, before, size);
  }
  rsh_status status = rsh_compare(call->symbols, sum, d, RSH_bad_parts);
  return status == RSH_ok ? RSH_ok : rsh_fail(fault, status, SIZES, -1, sum, d);
}

// The axis that is split, and the size of its even parts where no sizes are given.
static rsh_status check_split(const rsh_call *call, int32_t *axis, rsh_num *chunk,
                              rsh_fault *fault) {
  int32_t count;
  rsh_status status = rsh_split_count(call, &count, fault);
  if (status == RSH_ok)
    status = rsh_read_one_axis(call, SPLIT_AXIS, 0, call->in[0]->rank, axis, fault);
  if (status != RSH_ok)
    return status;
  if (count != call->out_count)
    return rsh_fail_int(fault, RSH_bad_parts, -1, -1, call->out_count, count);
  rsh_num d = call->in[0]->dim[*axis];
  if (call->arg[SIZES].kind != RSH_ARG_ABSENT)
    return check_sizes(call, d, fault);
  return split_chunk(call, d, count, chunk, fault);
}

static bool part_count(const rsh_call *call, int32_t k, rsh_num d, rsh_num chunk, rsh_num *out) {
  *out = chunk;
  if (call->arg[SIZES].kind != RSH_ARG_ABSENT)
    *out = call->arg[SIZES].list[k];
  else if (k == call->out_count - 1)
    return rsh_mul(call->symbols, chunk, rsh_int(k), out) && rsh_sub(call->symbols, d, *out, out);
  return true;
}

rsh_status rsh_split_part(const rsh_call *call, int32_t k, int32_t *axis, rsh_num *start,
                          rsh_num *count) {
  rsh_num chunk = rsh_int(0), at = rsh_int(0);
  rsh_status status = check_split(call, axis, &chunk, 0);
  if (status != RSH_ok)
    return status;
  if (k < 0 || k >= call->out_count)
    return RSH_bad_index;
  bool fits = part_count(call, k, call->in[0]->dim[*axis], chunk, count);
  if (call->arg[SIZES].kind == RSH_ARG_ABSENT)
    fits = fits && rsh_mul(call->symbols, chunk, rsh_int(k), &at);
  else
    for (int32_t i = 0; fits && i < k; i++)
      fits = rsh_add(call->symbols, at, call->arg[SIZES].list[i], &at);
  *start = at;
  return fits ? RSH_ok : RSH_overflow;
}

rsh_status rsh_rule_split(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  int32_t axis = 0;
  rsh_num chunk = rsh_int(0), last;
  rsh_status status = check_split(call, &axis, &chunk, fault);
  if (status != RSH_ok)
    return status;
  rsh_num d = call->in[0]->dim[axis];
  if (!part_count(call, call->out_count - 1, d, chunk, &last))
    return rsh_fail(fault, RSH_overflow, -1, -1, d, chunk);
  for (int32_t k = 0; k < call->out_count; k++) {
    rsh_copy_shape(&out[k], call->in[0]);
    part_count(call, k, d, chunk, &out[k].dim[axis]);
  }
  return RSH_ok;
}
