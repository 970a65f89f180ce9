// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape rules of the operators that take their operand in several pieces: pad,
// center_crop_pad, tile, repeat, roll, gather, reverse_sequence.
#include "runtime/rules.h"

static rsh_status fail_volume(rsh_fault *fault) {
  return rsh_fail_int(fault, RSH_overflow, -1, -1, 0, 0);
}

// ---- pad ----

enum { PADS, VALUE, MODE, PAD_AXES, CROP_LAST };
enum { CENTER_SHAPE, CENTER_AXES };

static bool same_text(const char *a, const char *b) {
  for (; *a != '\0' && *a == *b; a++)
    b++;
  return *a == *b;
}

bool rsh_pad_mode_of(const rsh_call *call, rsh_pad_mode *out) {
  static const char *const names[RSH_PAD_MODES] = {"constant", "edge", "reflect", "symmetric",
                                                   "wrap"};
  *out = RSH_PAD_CONSTANT;
  if (call->arg[MODE].kind == RSH_ARG_ABSENT)
    return true;
  for (int i = 0; i < RSH_PAD_MODES; i++) {
    if (!same_text(call->arg[MODE].text, names[i]))
      continue;
    *out = (rsh_pad_mode)i;
    return true;
  }
  return false;
}

// The entry of `pads` for the beginning of the axis, or the entry of `shape`; -1: the axis does not change.
static int32_t pad_entry(const rsh_call *call, int32_t axis) {
  const rsh_arg *axes = &call->arg[call->op == RSH_OP_PAD ? PAD_AXES : CENTER_AXES];
  if (axes->kind == RSH_ARG_ABSENT)
    return axis;
  for (int32_t i = 0; i < axes->count; i++) {
    int32_t other = 0;
    rsh_axis_index(axes->list[i].n, call->in[0]->rank, &other);
    if (other == axis)
      return i;
  }
  return -1;
}

// Splits an amount into what it adds, and what it removes if it is negative.
static rsh_status pad_amount(const rsh_call *call, int32_t entry, rsh_num *on, rsh_num *off,
                             rsh_fault *fault) {
  const rsh_num *amount = &call->arg[PADS].list[entry], zero = rsh_int(0);
  *on = *off = zero;
  if (rsh_at_most(call->symbols, zero, *amount))
    *on = *amount;
  else if (!rsh_at_most(call->symbols, *amount, zero))
    return rsh_fail(fault, RSH_unknown_size, PADS, entry, amount, &zero);
  else if (!rsh_sub(call->symbols, zero, *amount, off))
    return rsh_fail(fault, RSH_overflow, PADS, entry, amount, 0);
  return RSH_ok;
}

// Half of a - b, rounded down. False: it is not known to be an integer.
static bool half_between(rsh_symbols *s, const rsh_num *a, const rsh_num *b, rsh_num *out) {
  if (!rsh_sub(s, *a, *b, out))
    return false;
  if (!rsh_is_known(*out))
    return rsh_div(s, *out, rsh_int(2), out);
  *out = rsh_int(out->n / 2);
  return true;
}

//   5 to 2: 1 off, 2 kept, 2 off        2 to 5: 1 on, 2 kept, 2 on
static rsh_status center_axis(const rsh_call *call, int32_t entry, const rsh_num *d,
                              rsh_padding *out, rsh_fault *fault) {
  rsh_symbols *s = call->symbols;
  const rsh_num *size = &call->arg[CENTER_SHAPE].list[entry];
  bool is_known = true;
  if (rsh_at_most(s, *size, *d)) {
    out->kept = *size;
    is_known = half_between(s, d, size, &out->start);
  } else if (rsh_at_most(s, *d, *size)) {
    is_known = half_between(s, size, d, &out->before) && rsh_sub(s, *size, *d, &out->after) &&
               rsh_sub(s, out->after, out->before, &out->after);
  } else {
    is_known = false;
  }
  return is_known ? RSH_ok : rsh_fail(fault, RSH_unknown_size, CENTER_SHAPE, entry, size, d);
}

static bool may_be_above_0(const rsh_call *call, int32_t entry) {
  return !rsh_at_most(call->symbols, call->arg[PADS].list[entry], rsh_int(0));
}

// Whether elements of the whole axis are repeated, also by an amount that is next to one below 0.
RSH_APART static bool repeats_whole(const rsh_call *call, int32_t entry) {
  int64_t crops_last;
  rsh_pad_mode mode;
  return entry >= 0 && rsh_arg_int(&call->arg[CROP_LAST], &crops_last) && crops_last != 0 &&
         rsh_pad_mode_of(call, &mode) && mode != RSH_PAD_CONSTANT &&
         (may_be_above_0(call, entry) || may_be_above_0(call, call->arg[PADS].count / 2 + entry));
}

//   5 by -2 and 3: elements 2 to 7 of an axis that goes on after 5
RSH_APART static rsh_status window(const rsh_call *call, int32_t axis, rsh_padding *out,
                                   rsh_fault *fault) {
  const rsh_num zero = rsh_int(0);
  int32_t entry = pad_entry(call, axis);
  out->start = zero;
  out->kept = call->in[0]->dim[axis];
  for (int end = 0; end < 2; end++) {
    int32_t at = entry + end * (call->arg[PADS].count / 2);
    const rsh_num *amount = &call->arg[PADS].list[at];
    if (rsh_is_unknown(*amount))
      return rsh_fail(fault, RSH_unknown_size, PADS, at, amount, &zero);
    *(end ? &out->after : &out->before) = *amount;
  }
  rsh_num size;
  if (!rsh_add(call->symbols, out->before, out->after, &size) ||
      !rsh_add(call->symbols, size, out->kept, &size))
    return rsh_fail(fault, RSH_overflow, PADS, entry, &out->before, 0);
  return rsh_require(call, RSH_AT_LEAST, &size, &zero, RSH_bad_dim, rsh_in_arg(PADS, entry), fault);
}

// One axis of pad, of which amounts below 0 crop the elements that are repeated.
RSH_APART static rsh_status cropped_axis(const rsh_call *call, int32_t axis, rsh_padding *out,
                                         rsh_fault *fault) {
  rsh_symbols *s = call->symbols;
  const rsh_num *d = &call->in[0]->dim[axis], zero = rsh_int(0);
  int32_t entry = pad_entry(call, axis), half = call->arg[PADS].count / 2;
  rsh_num end;
  out->start = out->before = out->after = zero;
  out->kept = *d;
  if (entry < 0)
    return RSH_ok;
  rsh_status status = pad_amount(call, entry, &out->before, &out->start, fault);
  if (status == RSH_ok)
    status = pad_amount(call, half + entry, &out->after, &end, fault);
  if (status != RSH_ok || (rsh_is(out->start, 0) && rsh_is(end, 0)))
    return status;
  if (!rsh_sub(s, out->kept, out->start, &out->kept) || !rsh_sub(s, out->kept, end, &out->kept))
    return rsh_fail(fault, RSH_overflow, PADS, entry, d, 0);
  int32_t blamed = rsh_is(out->start, 0) ? half + entry : entry;
  return rsh_require(call, RSH_AT_LEAST, &out->kept, &zero, RSH_bad_dim, rsh_in_arg(PADS, blamed),
                     fault);
}

// One axis of pad. Inline, which saves the stack of a call.
static inline __attribute__((always_inline)) rsh_status padded_axis(const rsh_call *call,
                                                                    int32_t axis, rsh_padding *out,
                                                                    rsh_fault *fault) {
  return repeats_whole(call, pad_entry(call, axis)) ? window(call, axis, out, fault)
                                                    : cropped_axis(call, axis, out, fault);
}

rsh_status rsh_pad_axis(const rsh_call *call, int32_t axis, rsh_padding *out, rsh_fault *fault) {
  if (call->op != RSH_OP_CENTER_CROP_PAD)
    return padded_axis(call, axis, out, fault);
  const rsh_num *d = &call->in[0]->dim[axis];
  int32_t entry = pad_entry(call, axis);
  out->start = out->before = out->after = rsh_int(0);
  out->kept = *d;
  return entry < 0 ? RSH_ok : center_axis(call, entry, d, out, fault);
}

// Requires elements to repeat if one amount, of `end` 0 or 1 of the axis, adds any.
RSH_APART static rsh_status check_amount(const rsh_call *call, int32_t axis, int end,
                                         const rsh_padding *p, rsh_fault *fault) {
  rsh_symbols *s = call->symbols;
  const rsh_num *amount = end ? &p->after : &p->before, zero = rsh_int(0);
  int32_t entry = pad_entry(call, axis) + end * (call->arg[PADS].count / 2);
  rsh_num product;
  if (rsh_at_most(s, *amount, zero))
    return RSH_ok;
  if (rsh_at_most(s, zero, *amount) && rsh_mul(s, p->kept, *amount, &product))
    return rsh_require(call, RSH_AT_LEAST, &product, amount, RSH_bad_dim, rsh_in_arg(PADS, entry),
                       fault);
  return rsh_leave_open(call, rsh_fail(fault, RSH_unknown_size, PADS, entry, amount, &zero));
}

// Modes other than constant repeat elements of the axis, so it must have some.
RSH_APART static rsh_status check_source(const rsh_call *call, int32_t axis, const rsh_padding *p,
                                         rsh_fault *fault) {
  rsh_pad_mode mode;
  rsh_pad_mode_of(call, &mode);
  if (mode == RSH_PAD_CONSTANT || (rsh_is(p->before, 0) && rsh_is(p->after, 0)))
    return RSH_ok;
  rsh_symbols *s = call->symbols;
  rsh_num kept = p->kept, least = rsh_int(1), more;
  bool is_padded = rsh_sign(s, p->before) == 1 || rsh_sign(s, p->after) == 1;
  bool may_crop = !rsh_at_most(s, rsh_int(0), p->before) || !rsh_at_most(s, rsh_int(0), p->after);
  if (!is_padded && may_crop) { // if sizes are known, nothing is added
    rsh_status status = RSH_ok;
    for (int end = 0; RSH_HAS_SYMBOLS && status == RSH_ok && end < 2; end++)
      status = check_amount(call, axis, end, p, fault);
    return status;
  }
  if (RSH_HAS_SYMBOLS && !is_padded && rsh_add(s, p->before, p->after, &more) &&
      rsh_sign(s, more) == 2) { // perhaps no padding is added
    if (rsh_is(kept, 0))
      return rsh_require(call, RSH_EQUAL, &more, &kept, RSH_bad_dim,
                         rsh_in_arg(PADS, pad_entry(call, axis)), fault);
    if (rsh_div(s, more, kept, &least))
      return RSH_ok; // an empty axis gets no padding
    if (rsh_mul(s, kept, more, &kept))
      least = more; // kept * more >= more: more is 0, or kept is at least 1
  }
  return rsh_require(call, RSH_AT_LEAST, &kept, &least, RSH_bad_dim,
                     rsh_in_arg(PADS, pad_entry(call, axis)), fault);
}

RSH_APART static rsh_status fail_padding(const rsh_call *call, int32_t axis, bool is_after,
                                         rsh_fault *fault) {
  int32_t entry = pad_entry(call, axis) + (is_after ? call->arg[PADS].count / 2 : 0);
  return rsh_fail(fault, RSH_overflow, PADS, entry, &call->arg[PADS].list[entry], 0);
}

static rsh_status padded_size(const rsh_call *call, int32_t axis, rsh_num *out, rsh_fault *fault) {
  rsh_padding p;
  rsh_status status = padded_axis(call, axis, &p, fault);
  if (status != RSH_ok) {
    status = rsh_leave_open(call, status);
    if (status == RSH_ok)
      *out = rsh_any_size(call);
    return status;
  }
  status = check_source(call, axis, &p, fault);
  if (status != RSH_ok)
    return status;
  bool fits = rsh_add(call->symbols, p.before, p.kept, out);
  return fits && rsh_add(call->symbols, *out, p.after, out) ? RSH_ok
                                                            : fail_padding(call, axis, fits, fault);
}

RSH_APART static rsh_status check_pad_arguments(const rsh_call *call, rsh_fault *fault) {
  uint32_t set;
  rsh_pad_mode mode;
  int32_t rank = call->in[0]->rank, axes = rank;
  int64_t crops_last;
  rsh_arg_kind value_kind = call->arg[VALUE].kind, mode_kind = call->arg[MODE].kind;
  if (value_kind != RSH_ARG_VALUE && value_kind != RSH_ARG_ABSENT)
    return rsh_fail_int(fault, RSH_bad_arg, VALUE, -1, 0, 0);
  if (mode_kind != RSH_ARG_TEXT && mode_kind != RSH_ARG_ABSENT)
    return rsh_fail_int(fault, RSH_bad_arg, MODE, -1, 0, 0);
  rsh_status status = rsh_read_int(call, CROP_LAST, 0, &crops_last, fault);
  if (status == RSH_ok && crops_last != 0 && crops_last != 1)
    status = rsh_fail_int(fault, RSH_bad_attr, CROP_LAST, -1, crops_last, 1);
  if (status != RSH_ok)
    return status;
  status = rsh_need_list(call, PADS, fault);
  if (status == RSH_ok)
    status = rsh_read_list(call, PAD_AXES, fault);
  if (call->arg[PAD_AXES].kind != RSH_ARG_ABSENT)
    axes = call->arg[PAD_AXES].count;
  if (status == RSH_ok && call->arg[PAD_AXES].kind == RSH_ARG_LIST)
    status = rsh_read_axes(call, PAD_AXES, rank, true, &set, fault);
  if (status == RSH_ok && call->arg[PADS].count != 2 * axes)
    status = rsh_fail_int(fault, RSH_bad_length, PADS, -1, call->arg[PADS].count, 2 * axes);
  // The mode is known even if the lists are data without a known length.
  if ((status == RSH_ok || status == RSH_unknown_size) && !rsh_pad_mode_of(call, &mode))
    status = rsh_fail_int(fault, RSH_bad_mode, MODE, -1, 0, 0);
  return status;
}

// [2,5] pads [0,1,0,-2]  ->  [2,4]
rsh_status rsh_rule_pad(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  int32_t rank = call->in[0]->rank;
  rsh_product volume = rsh_product_one();
  rsh_num size;
  rsh_pad_mode mode;
  bool fits = true;
  rsh_status status = check_pad_arguments(call, fault);
  // For other modes, the number of pieces must be known.
  bool lacks_length = rsh_lacks_length(call, PADS) || rsh_lacks_length(call, PAD_AXES);
  if (status == RSH_unknown_size && lacks_length) {
    rsh_pad_mode_of(call, &mode);
    return mode == RSH_PAD_CONSTANT ? rsh_leave_shape_open(call, status, rank, out) : status;
  }
  if (rsh_is_late(call, PAD_AXES) && status == RSH_ok)
    return rsh_leave_shape_open(call, RSH_unknown_size, rank, out);
  for (int32_t i = 0; status == RSH_ok && i < rank; i++) {
    status = padded_size(call, i, &size, fault);
    fits = fits && status == RSH_ok && rsh_product_take(call->symbols, &volume, &size);
  }
  if (status != RSH_ok || !fits)
    return status == RSH_ok ? fail_volume(fault) : status;
  out->rank = rank;
  for (int32_t i = 0; i < rank; i++)
    padded_size(call, i, &out->dim[i], 0);
  return RSH_ok;
}

// ---- center_crop_pad ----

// The size of an axis of the result.
static rsh_status centered_size(const rsh_call *call, int32_t axis, rsh_num *out,
                                rsh_fault *fault) {
  const rsh_num zero = rsh_int(0);
  rsh_padding p;
  int32_t entry = pad_entry(call, axis);
  *out = call->in[0]->dim[axis];
  if (entry < 0)
    return RSH_ok;
  *out = rsh_data_size(call, &call->arg[CENTER_SHAPE].list[entry]);
  rsh_status status = rsh_require(call, RSH_AT_LEAST, out, &zero, RSH_bad_dim,
                                  rsh_in_arg(CENTER_SHAPE, entry), fault);
  if (status == RSH_ok)
    status = center_axis(call, entry, &call->in[0]->dim[axis], &p, fault);
  return status == RSH_ok ? RSH_ok : rsh_leave_open(call, status);
}

RSH_APART static rsh_status check_center_arguments(const rsh_call *call, rsh_fault *fault) {
  uint32_t set;
  int32_t rank = call->in[0]->rank, axes = rank;
  rsh_status status = rsh_need_list(call, CENTER_SHAPE, fault);
  if (status == RSH_ok)
    status = rsh_read_list(call, CENTER_AXES, fault);
  if (call->arg[CENTER_AXES].kind != RSH_ARG_ABSENT)
    axes = call->arg[CENTER_AXES].count;
  if (status == RSH_ok && call->arg[CENTER_AXES].kind == RSH_ARG_LIST)
    status = rsh_read_axes(call, CENTER_AXES, rank, true, &set, fault);
  if (status == RSH_ok && call->arg[CENTER_SHAPE].count != axes)
    status =
        rsh_fail_int(fault, RSH_bad_length, CENTER_SHAPE, -1, call->arg[CENTER_SHAPE].count, axes);
  return status;
}

// [20,8,3] shape [10,9] axes [0,1]  ->  [10,9,3]
rsh_status rsh_rule_center_crop_pad(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  int32_t rank = call->in[0]->rank;
  rsh_product volume = rsh_product_one();
  rsh_num size;
  bool fits = true;
  rsh_status status = check_center_arguments(call, fault);
  if (rsh_lacks_length(call, CENTER_SHAPE) || rsh_lacks_length(call, CENTER_AXES))
    return rsh_leave_shape_open(call, status, rank, out);
  if (rsh_is_late(call, CENTER_AXES) && status == RSH_ok)
    return rsh_leave_shape_open(call, RSH_unknown_size, rank, out);
  for (int32_t i = 0; status == RSH_ok && i < rank; i++) {
    status = centered_size(call, i, &size, fault);
    fits = fits && status == RSH_ok && rsh_product_take(call->symbols, &volume, &size);
  }
  if (status != RSH_ok || !fits)
    return status == RSH_ok ? fail_volume(fault) : status;
  out->rank = rank;
  for (int32_t i = 0; i < rank; i++)
    centered_size(call, i, &out->dim[i], 0);
  return RSH_ok;
}

// ---- tile ----

static rsh_status tiled_size(const rsh_call *call, int32_t axis, rsh_num *out, rsh_fault *fault) {
  rsh_symbols *s = call->symbols;
  const rsh_num *times = &call->arg[0].list[axis], zero = rsh_int(0);
  rsh_status status =
      rsh_require(call, RSH_AT_LEAST, times, &zero, RSH_bad_dim, rsh_in_arg(0, axis), fault);
  rsh_num count = rsh_data_size(call, times);
  if (status == RSH_ok && !rsh_mul(s, call->in[0]->dim[axis], count, out))
    status = rsh_fail(fault, RSH_overflow, 0, axis, times, 0);
  return status;
}

rsh_status rsh_rule_tile(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  int32_t rank = call->in[0]->rank;
  rsh_product volume = rsh_product_one();
  rsh_num size;
  bool fits = true;
  rsh_status status = rsh_need_list(call, 0, fault);
  if (rsh_lacks_length(call, 0))
    return rsh_leave_shape_open(call, status, rank, out);
  if (status == RSH_ok && call->arg[0].count != rank)
    status = rsh_fail_int(fault, RSH_bad_length, 0, -1, call->arg[0].count, rank);
  for (int32_t i = 0; status == RSH_ok && i < rank; i++) {
    status = tiled_size(call, i, &size, fault);
    fits = fits && status == RSH_ok && rsh_product_take(call->symbols, &volume, &size);
  }
  if (status != RSH_ok || !fits)
    return status == RSH_ok ? fail_volume(fault) : status;
  out->rank = rank;
  for (int32_t i = 0; i < rank; i++)
    tiled_size(call, i, &out->dim[i], 0);
  return RSH_ok;
}

// The sizes are the same as for tile. Folding adds an axis of repeats after each repeated axis (rsh_fold_repeat), so
// the rank is limited.
rsh_status rsh_rule_repeat(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  const rsh_num *times = call->arg[0].list;
  int32_t rank = call->in[0]->rank, axes = rank;
  rsh_status status = rsh_need_list(call, 0, fault);
  for (int32_t i = 0; status == RSH_ok && call->arg[0].count == rank && i < rank; i++)
    axes += !rsh_is(times[i], 1) && !rsh_is_unknown(times[i]);
  return status == RSH_ok && axes > RSH_MAX_RANK
             ? rsh_fail_int(fault, RSH_rank_limit, 0, -1, axes, RSH_MAX_RANK)
             : rsh_rule_tile(call, out, fault);
}

// ---- roll ----

enum { SHIFTS, ROLL_AXES };

// Shift k of a roll and its axis, -1 for the flattened tensor. False: there are fewer shifts. As in NumPy, one shift
// applies to all axes, and one axis may have several shifts.
static bool roll_shift(const rsh_call *call, int32_t k, int32_t *axis, rsh_num *shift) {
  const rsh_arg *shifts = &call->arg[SHIFTS], *axes = &call->arg[ROLL_AXES];
  int32_t count = shifts->count;
  bool has_axes = axes->kind == RSH_ARG_LIST;
  if (has_axes && count == 1)
    count = axes->count;
  if (k >= count)
    return false;
  *axis = -1;
  if (has_axes)
    rsh_axis_index(axes->list[axes->count == 1 ? 0 : k].n, call->in[0]->rank, axis);
  *shift = shifts->list[shifts->count == 1 ? 0 : k];
  return true;
}

// The distance along an axis of known size, for any shifts.
static rsh_status known_distance(const rsh_call *call, int32_t axis, int64_t size, int64_t *sum) {
  rsh_num shift;
  int32_t other;
  for (int32_t k = 0; roll_shift(call, k, &other, &shift); k++) {
    if (other != axis || size == 0)
      continue;
    if (!rsh_is_known(shift))
      return RSH_unknown_size;
    int64_t step = shift.n % size;
    step += step < 0 ? size : 0;
    *sum = *sum >= size - step ? *sum - (size - step) : *sum + step;
  }
  return RSH_ok;
}

rsh_status rsh_roll_distance(const rsh_call *call, int32_t axis, const rsh_num *size,
                             rsh_num *distance) {
  const rsh_num zero = rsh_int(0);
  rsh_symbols *s = call->symbols;
  rsh_num shift;
  int32_t other;
  *distance = zero;
  if (!RSH_HAS_SYMBOLS || rsh_is_known(*size))
    return known_distance(call, axis, size->n, &distance->n);
  for (int32_t k = 0; roll_shift(call, k, &other, &shift); k++)
    if (other == axis && !rsh_add(s, *distance, shift, distance))
      return RSH_unknown_size;
  if (!rsh_at_most(s, zero, *distance) && !rsh_add(s, *distance, *size, distance))
    return RSH_unknown_size;
  return rsh_at_most(s, zero, *distance) && rsh_at_most(s, *distance, *size) ? RSH_ok
                                                                             : RSH_unknown_size;
}

// Checks that the distance of each axis is known.
static rsh_status check_distances(const rsh_call *call, rsh_fault *fault) {
  const rsh_shape *in = call->in[0];
  const rsh_num *shift = call->arg[SHIFTS].list;
  int32_t first = 0; // first unknown shift
  bool is_flat = call->arg[ROLL_AXES].kind == RSH_ARG_ABSENT;
  rsh_num size, distance;
  while (first + 1 < call->arg[SHIFTS].count && rsh_is_known(shift[first]))
    first++;
  first = rsh_is_known(shift[first]) ? 0 : first;
  rsh_status status = is_flat ? rsh_volume(call->symbols, in, &size) : RSH_ok;
  for (int32_t i = is_flat ? -1 : 0; status == RSH_ok && i < (is_flat ? 0 : in->rank); i++) {
    size = i < 0 ? size : in->dim[i];
    status = rsh_roll_distance(call, i, &size, &distance);
    if (status != RSH_ok)
      status = rsh_leave_open(call, rsh_fail(fault, status, SHIFTS, first, &shift[first], &size));
  }
  return status;
}

rsh_status rsh_rule_roll(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  const rsh_arg *shifts = &call->arg[SHIFTS], *axes = &call->arg[ROLL_AXES];
  uint32_t set;
  rsh_status status = rsh_need_list(call, SHIFTS, fault);
  if (status == RSH_ok)
    status = rsh_read_list(call, ROLL_AXES, fault);
  if (status != RSH_ok)
    return status;
  if (axes->kind == RSH_ARG_LIST)
    status = rsh_read_axes(call, ROLL_AXES, call->in[0]->rank, false, &set, fault);
  if (status == RSH_ok && axes->kind != RSH_ARG_ABSENT && axes->count != shifts->count &&
      axes->count != 1 && shifts->count != 1)
    status = rsh_fail_int(fault, RSH_bad_length, ROLL_AXES, -1, axes->count, shifts->count);
  if (status == RSH_ok && rsh_is_late(call, ROLL_AXES))
    status = rsh_leave_open(call, RSH_unknown_size);
  else if (status == RSH_ok && RSH_HAS_SYMBOLS && call->symbols != 0 && shifts->count > 0)
    status = check_distances(call, fault);
  if (status == RSH_ok)
    rsh_copy_shape(out, call->in[0]);
  return status;
}

// ---- gather ----

enum { INDICES, GATHER_AXIS };

// An index must be within -d..d-1 for every value of the symbols.
static rsh_status check_index(const rsh_call *call, int32_t i, const rsh_num *d, rsh_fault *fault) {
  const rsh_num *index = &call->arg[INDICES].list[i];
  rsh_num least = rsh_int(0); // the smallest size with this index
  if (!rsh_is_known(*index))
    return rsh_leave_open(call, rsh_fail(fault, RSH_unknown_size, INDICES, i, index, d));
  bool fits = index->n < 0 ? rsh_sub(0, rsh_int(0), *index, &least)
                           : rsh_add(0, *index, rsh_int(1), &least);
  rsh_status status =
      !fits ? RSH_bad_index
            : rsh_require(call, RSH_AT_LEAST, d, &least, RSH_bad_index, rsh_in_arg(INDICES, i), 0);
  return status == RSH_ok ? RSH_ok : rsh_fail(fault, status, INDICES, i, index, d);
}

// The sizes of the operand, with the sizes of the indices in place of the axis.
static rsh_num gathered_size(const rsh_call *call, int32_t axis, int32_t i) {
  const rsh_arg *indices = &call->arg[INDICES];
  if (i < axis)
    return call->in[0]->dim[i];
  if (i >= axis + indices->rank)
    return call->in[0]->dim[i + 1 - indices->rank];
  return rsh_int(indices->rank == 1 ? indices->count : indices->dims[i - axis]);
}

// [4,5,6] indices [[0,1]] axis 1  ->  [4,1,2,6]
RSH_APART static rsh_status gather_listed(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  const rsh_shape *in = call->in[0];
  const rsh_arg *indices = &call->arg[INDICES];
  int32_t axis = 0;
  if (in->rank < 1)
    return rsh_fail_input_int(fault, RSH_bad_rank, 0, -1, in->rank, 1);
  if (indices->kind != RSH_ARG_LIST || (indices->rank > 1 && indices->dims == 0))
    return rsh_fail_int(fault, indices->kind == RSH_ARG_TENSOR ? RSH_unknown_size : RSH_bad_arg,
                        INDICES, -1, 0, 0);
  rsh_status status = rsh_read_one_axis(call, GATHER_AXIS, 0, in->rank, &axis, fault);
  if (status == RSH_ok && indices->rank > RSH_MAX_RANK + 1 - in->rank)
    status = rsh_fail_int(fault, RSH_rank_limit, INDICES, -1, indices->rank - 1 + (int64_t)in->rank,
                          RSH_MAX_RANK);
  for (int32_t i = 0; status == RSH_ok && i < indices->count; i++)
    status = check_index(call, i, &in->dim[axis], fault);
  if (status != RSH_ok)
    return status;
  int32_t rank = in->rank - 1 + indices->rank;
  rsh_product volume = rsh_product_one();
  for (int32_t i = 0; i < rank; i++) {
    rsh_num size = gathered_size(call, axis, i);
    if (!rsh_product_take(call->symbols, &volume, &size))
      return fail_volume(fault);
  }
  out->rank = rank;
  for (int32_t i = 0; i < rank; i++)
    out->dim[i] = gathered_size(call, axis, i);
  return RSH_ok;
}

// Tail calls, so that the stack frame of gather_listed is not added to that of rsh_rule_gather_at.
rsh_status rsh_rule_gather(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  return rsh_takes_indices(call) ? rsh_rule_gather_at(call, out, fault)
                                 : gather_listed(call, out, fault);
}

// ---- reverse_sequence ----

enum { LENGTHS, TIME_AXIS, BATCH_AXIS };

rsh_status rsh_rule_reverse_sequence(const rsh_call *call, rsh_shape *out, rsh_fault *fault) {
  const rsh_shape *in = call->in[0];
  const rsh_arg *lengths = &call->arg[LENGTHS];
  int64_t axis[2];
  if (in->rank < 2)
    return rsh_fail_input_int(fault, RSH_bad_rank, 0, -1, in->rank, 2);
  rsh_status status = rsh_need_list(call, LENGTHS, fault);
  for (int32_t i = 0; status == RSH_ok && i < 2; i++) {
    status = rsh_read_int(call, TIME_AXIS + i, i, &axis[i], fault);
    if (status == RSH_ok && (axis[i] < 0 || axis[i] > 1))
      status = rsh_fail_int(fault, RSH_bad_axis, TIME_AXIS + i, -1, axis[i], 2);
  }
  if (status == RSH_ok && axis[0] == axis[1])
    status = rsh_fail_int(fault, RSH_duplicate_axis,
                          call->arg[BATCH_AXIS].kind == RSH_ARG_ABSENT ? TIME_AXIS : BATCH_AXIS, -1,
                          axis[0], axis[1]);
  if (status != RSH_ok)
    return status;
  const rsh_num *time = &in->dim[axis[0]], *batch = &in->dim[axis[1]],
                count = rsh_int(lengths->count);
  status =
      rsh_require(call, RSH_EQUAL, &count, batch, RSH_bad_length, rsh_in_arg(LENGTHS, -1), fault);
  for (int32_t i = 0; status == RSH_ok && i < lengths->count; i++) {
    const rsh_num *length = &lengths->list[i];
    if (!rsh_is_known(*length))
      status = rsh_leave_open(call, rsh_fail(fault, RSH_unknown_size, LENGTHS, i, length, time));
    else if (length->n < 0)
      status = rsh_fail(fault, RSH_bad_index, LENGTHS, i, length, time);
    else if (rsh_require(call, RSH_AT_LEAST, time, length, RSH_bad_index, rsh_in_arg(LENGTHS, i),
                         0) != RSH_ok)
      status = rsh_fail(fault, rsh_is_known(*time) ? RSH_bad_index : RSH_unknown_size, LENGTHS, i,
                        length, time);
  }
  if (status == RSH_ok)
    rsh_copy_shape(out, in);
  return status;
}
