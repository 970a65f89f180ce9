// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Projecting moves: the common operation of transpose, slice, flip, expand, concat, split and others.
//
// A move's axes step through row-major addresses of the operand. To operate on its dims, they are decoded:
// an axis of stride s belongs to the outermost dim whose own stride divides s, and its step in that dim is the
// quotient. The offset becomes one digit for each dim.
//
//   operand [4, 6], strides 6 and 1;  axis {8, dst 3}: steps by 3 in the dim of 6
//     8 steps of 3 carry into the dim of 4:  split to {4, dst 6} {2, dst 3}, without carries
//
// If a carry cannot be split off evenly, the move is split in two, and each piece is decoded again, until
// no step of any axis carries. Then each dim is cropped to the range that the projection takes, and the
// strides are encoded for the dims of the result.
#include "runtime/moves.h"

// A step with tables: stride[i] is the distance of table entries along dim i of the result.
typedef struct Applied {
  const rsh_step *step;
  rsh_num stride[RSH_MAX_RANK];
  rsh_maps *maps;
} Applied;

// The move at the end of the work list, with its axes decoded.
typedef struct Decoded {
  Calc *c;
  rsh_moves *work;
  const rsh_shape *shape; // of the operand
  rsh_num stride[RSH_MAX_RANK];
  rsh_num digit[RSH_MAX_RANK]; // of the move's dst_offset
  int32_t dim[RSH_MAX_AXES];   // of each axis
  rsh_num step[RSH_MAX_AXES];  // of each axis in its dim
  const rsh_num *out_stride;   // of the result; 0: row-major
  rsh_num out_offset;
  const Applied *applied; // to each move of the result; 0: none
  rsh_supposed elements;  // what follows from the elements that the move is supposed to have
} Decoded;

typedef enum Progress {
  DONE,    // nothing left to split
  AGAIN,   // the move was changed, or split and pushed as two
  DROPPED, // none of its elements is wanted
} Progress;

static rsh_move *last_move(const Decoded *d) { return &d->work->move[d->work->count - 1]; }
static rsh_axis *last_axes(const Decoded *d) { return d->work->axis + last_move(d)->first; }

static Progress fail(Decoded *d, rsh_status status) {
  if (d->c->status == RSH_ok)
    d->c->status = status;
  return DROPPED;
}

static void remove_axis(Decoded *d, int32_t k) {
  rsh_axis *axis = last_axes(d);
  int32_t count = --last_move(d)->axis_count;
  for (int32_t i = k; i < count; i++)
    axis[i] = axis[i + 1];
  d->work->axis_count--;
}

static void set_extent(Decoded *d, int32_t k, rsh_num extent) {
  last_axes(d)[k].extent = extent;
  if (rsh_is(extent, 1))
    remove_axis(d, k);
}

// Splits the move in two along axis k: indices below `at`, and the rest.
static Progress split_at(Decoded *d, int32_t k, rsh_num at) {
  rsh_move head = *last_move(d);
  rsh_num extent = last_axes(d)[k].extent;
  if (rsh_moves_push(d->c, d->work, &head, head.dst_offset) == 0)
    return DROPPED;
  for (int32_t i = 0; i < head.axis_count; i++) {
    rsh_axis axis = d->work->axis[head.first + i];
    rsh_moves_push_axis(d->c, d->work, axis);
  }
  if (d->c->status != RSH_ok)
    return DROPPED;
  rsh_moves_shift(d->c, last_move(d), &last_axes(d)[k], at);
  set_extent(d, k, rsh_calc_sub(d->c, extent, at));
  // The head stays in place below; the gap of a removed axis is closed when the head is decoded.
  rsh_move *below = &d->work->move[d->work->count - 2];
  rsh_axis *axis = d->work->axis + below->first;
  axis[k].extent = at;
  if (rsh_is(at, 1)) {
    below->axis_count--;
    for (int32_t i = k; i < below->axis_count; i++)
      axis[i] = axis[i + 1];
  }
  return AGAIN;
}

// {outer*inner, dst}  ->  {outer, dst*inner} {inner, dst}
static Progress split_axis(Decoded *d, int32_t k, rsh_num outer, rsh_num inner) {
  rsh_moves_push_axis(d->c, d->work, last_axes(d)[k]);
  if (d->c->status != RSH_ok)
    return DROPPED;
  rsh_axis *axis = last_axes(d);
  rsh_axis whole = axis[k];
  for (int32_t i = last_move(d)->axis_count - 1; i > k + 1; i--)
    axis[i] = axis[i - 1];
  axis[k] = rsh_axis_scale(d->c, &whole, inner);
  axis[k].extent = outer;
  axis[k + 1] = whole;
  axis[k + 1].extent = inner;
  return AGAIN;
}

// Splits the move after the last whole period of axis k, or, if it has only whole periods, splits the axis.
static Progress split_periods(Decoded *d, int32_t k, int64_t period) {
  int64_t extent = last_axes(d)[k].extent.n;
  if (extent % period == 0)
    return split_axis(d, k, rsh_int(extent / period), rsh_int(period));
  return split_at(d, k, rsh_int(extent - extent % period));
}

// Divides a symbolic offset by a stride, with remainder. False: the quotient is not known to be a digit below `size`.
static bool decode_digit(Decoded *d, bool by_terms, rsh_num stride, rsh_num size, rsh_num *digit,
                         rsh_num *rest) {
  rsh_symbols *s = d->c->symbols;
  rsh_num quotient, left = rsh_int(0);
  bool is_proved =
      rsh_div(s, *rest, stride, &quotient) || rsh_div_part(s, *rest, stride, &quotient, &left);
  if (!is_proved && !(by_terms && rsh_div_terms(s, *rest, stride, &quotient, &left)))
    return false;
  if ((by_terms && !rsh_at_most(s, rsh_int(0), quotient)) ||
      !rsh_at_most(s, rsh_calc_add(d->c, quotient, rsh_int(1)), size))
    return false;
  *digit = quotient;
  *rest = left;
  return true;
}

// Decodes dst_offset to one digit for each dim. A digit that is not known to be below the size of its dim carries into
// the dim before it for some sizes: offset 1 of [C, 2/C] is element [0, 1] for C = 1, but [1, 0] for C = 2. Only the
// outermost dim has none before it. A digit of 0 is in each dim of a tensor that has elements.
static bool decode_digits(Decoded *d, bool by_terms) {
  rsh_num rest = rsh_reduce(d->c->symbols, last_move(d)->dst_offset);
  for (int32_t i = 0; i < d->shape->rank; i++) {
    rsh_num stride = d->stride[i], size = d->shape->dim[i], digit = rsh_int(0);
    if (rsh_is_known(rest) && rsh_is_known(stride)) {
      digit = rsh_int(rest.n / stride.n);
      rest = rsh_int(rest.n % stride.n);
      if (digit.n < 0 || rest.n < 0)
        return false;
      if (i > 0 && digit.n > 0 && !rsh_at_most(d->c->symbols, rsh_int(digit.n + 1), size))
        return false;
    } else if (!decode_digit(d, by_terms, stride, size, &digit, &rest)) {
      digit = rsh_int(0);
    }
    d->digit[i] = digit;
  }
  return rsh_is(rest, 0);
}

// The digits are those of the offset if each is in its dim and nothing is left. That the remainder of each division is
// below its divisor need not be proved, and is hard to: it contains the digits of all dims after this one.
static bool decode_offset(Decoded *d) { return decode_digits(d, false) || decode_digits(d, true); }

// Reverses axis k, which steps backwards through its dim. Its stride is not known to be negative: 2 - 2*C, where C - 1
// may be 0.
static Progress reverse_axis(Decoded *d, int32_t k) {
  rsh_axis *axis = &last_axes(d)[k];
  rsh_moves_shift(d->c, last_move(d), axis, rsh_calc_sub(d->c, axis->extent, rsh_int(1)));
  *axis = rsh_axis_scale(d->c, axis, rsh_int(-1));
  return AGAIN;
}

// Decodes dim and step of axis k; splits an axis that steps through several dims at once.
static Progress decode_axis(Decoded *d, int32_t k) {
  rsh_axis axis = last_axes(d)[k];
  for (int32_t i = 0; i < d->shape->rank; i++) {
    rsh_num step;
    if (rsh_is(d->shape->dim[i], 1) || !rsh_div(d->c->symbols, axis.dst, d->stride[i], &step))
      continue;
    if (rsh_sign(d->c->symbols, step) == -1)
      return reverse_axis(d, k);
    if (!rsh_at_most(d->c->symbols, rsh_int(0), step)) // its first digit may not be the lowest
      return fail(d, RSH_unknown_size);
    // A dim of size at most 1 that may be 0 also has digits: f32[A % 2].
    if (rsh_is(step, 1) || !rsh_at_most(d->c->symbols, d->shape->dim[i], step)) {
      d->dim[k] = i;
      d->step[k] = step;
      return DONE;
    }
    break;
  }
  if (!rsh_is_known(axis.extent))
    return fail(d, RSH_unknown_size);
  return split_at(d, k, rsh_int(1));
}

// Whether each index may be decided by itself. Such axes mostly come from joined pieces:
//   3 fill elements before N others and 3 after them, {2, dst N+3} {3, dst 1}, from element 5 on: none of the first 3
static bool is_few(rsh_num extent) { return rsh_is_known(extent) && extent.n <= 4; }

// Splits the move after the last whole period of axis k, whose extent depends on symbols.
//   H rows in a dim of 4: 4*(H//4) of them, and H - 4*(H//4)
static Progress split_rest(Decoded *d, int32_t k, rsh_num period) {
  rsh_num outer, rest;
  if (!rsh_div_part(d->c->symbols, last_axes(d)[k].extent, period, &outer, &rest) ||
      rsh_is(outer, 0))
    return fail(d, RSH_unknown_size);
  return split_at(d, k, rsh_calc_mul(d->c, period, outer));
}

static bool divide_down(Calc *c, rsh_num a, rsh_num by, rsh_num *out) {
  rsh_num rest;
  return rsh_div(c->symbols, a, by, out) || rsh_div_part(c->symbols, a, by, out, &rest);
}

// Splits the move before the index of axis k that carries, `room` being the digits above its first one. The axis must
// have the indices before it in any case, not only if the move has elements.
//   2 elements from N-1 on in a dim of N: one, and one in the next row
static Progress split_carry(Decoded *d, int32_t k, rsh_num room) {
  const rsh_symbols *s = d->c->symbols;
  rsh_num one = rsh_int(1), extent = last_axes(d)[k].extent, before;
  if (is_few(extent))
    return split_at(d, k, one);
  if (!divide_down(d->c, room, d->step[k], &before))
    return fail(d, RSH_unknown_size);
  before = rsh_calc_add(d->c, before, one);
  rsh_moves_forget_elements(d->c, d->elements);
  bool has_them = rsh_at_most(s, one, before) && rsh_at_most(s, before, extent);
  d->elements = rsh_moves_suppose_elements(d->c, last_axes(d), last_move(d)->axis_count);
  return has_them ? split_at(d, k, before) : fail(d, RSH_unknown_size);
}

// Finds the innermost axis of one dim that carries, and splits it or the move.
static Progress uncarry_dim(Decoded *d, int32_t dim) {
  rsh_symbols *s = d->c->symbols;
  rsh_num size = d->shape->dim[dim], reach = d->digit[dim]; // reach: largest digit so far
  const rsh_axis *axis = last_axes(d);
  for (int32_t k = last_move(d)->axis_count - 1; k >= 0; k--) {
    if (d->dim[k] != dim)
      continue;
    rsh_num step = d->step[k], extent = axis[k].extent, period, outer;
    rsh_num span = rsh_calc_mul(d->c, step, rsh_calc_sub(d->c, extent, rsh_int(1)));
    rsh_num next = rsh_calc_add(d->c, reach, span);
    bool fits = rsh_at_most(s, rsh_calc_add(d->c, next, rsh_int(1)), size);
    bool aligned = !fits && rsh_at_most(s, rsh_calc_add(d->c, reach, rsh_int(1)), step);
    bool has_period = !fits && rsh_div(s, size, step, &period);
    if (fits || (aligned && has_period && rsh_at_most(s, extent, period))) {
      reach = next;
      continue;
    }
    if (has_period && rsh_div(s, extent, period, &outer) && !rsh_is(outer, 1) &&
        (aligned || rsh_is_known(outer)))
      return split_axis(d, k, outer, period);
    if (!rsh_is_known(size) || !rsh_is_known(step) || !rsh_is_known(extent) || !rsh_is_known(reach))
      return aligned && has_period
                 ? split_rest(d, k, period)
                 : split_carry(d, k,
                               rsh_calc_sub(d->c, rsh_calc_sub(d->c, size, reach), rsh_int(1)));
    int64_t cycle = size.n / rsh_gcd(size.n, step.n); // steps after which the digit repeats
    if (extent.n > cycle && (aligned || size.n % step.n != 0))
      return split_periods(d, k, cycle);
    return split_at(d, k, rsh_int((size.n - 1 - reach.n) / step.n + 1));
  }
  return DONE;
}

static Progress decode(Decoded *d) {
  if (!decode_offset(d))
    return fail(d, RSH_unknown_size);
  Progress progress = DONE;
  for (int32_t k = 0; progress == DONE && k < last_move(d)->axis_count; k++)
    progress = decode_axis(d, k);
  for (int32_t dim = d->shape->rank - 1; progress == DONE && dim >= 0; dim--)
    progress = uncarry_dim(d, dim);
  return progress;
}

// The wanted elements of a dim: low, low + stride, ... up to high.
typedef struct Wanted {
  int64_t low, high, stride;
} Wanted;

// Crops the axes of `dim` to the digits between low and high.
static Progress slice_range(Decoded *d, int32_t dim, Wanted want) {
  const rsh_axis *axis = last_axes(d);
  int32_t outer = -1; // the axis with the longest step, which may be at any position
  int64_t low = d->digit[dim].n, rest = 0;
  for (int32_t k = 0; k < last_move(d)->axis_count; k++) {
    if (d->dim[k] != dim)
      continue;
    rest += d->step[k].n * (axis[k].extent.n - 1);
    if (outer < 0 || d->step[k].n > d->step[outer].n)
      outer = k;
  }
  if (outer >= 0)
    rest -= d->step[outer].n * (axis[outer].extent.n - 1);
  if (outer < 0)
    return low < want.low || low > want.high ? DROPPED : DONE;
  int64_t step = d->step[outer].n, extent = axis[outer].extent.n;
  if (low >= want.low && low + rest + step * (extent - 1) <= want.high)
    return DONE;
  // The indices of the outer axis at which some, and at which all, of the other axes' digits are wanted.
  int64_t some_first = rsh_ceil_div(want.low - low - rest, step),
          some_last = rsh_floor_div(want.high - low, step);
  int64_t all_first = rsh_ceil_div(want.low - low, step),
          all_last = rsh_floor_div(want.high - low - rest, step);
  some_first = some_first < 0 ? 0 : some_first;
  some_last = some_last > extent - 1 ? extent - 1 : some_last;
  if (some_first > some_last)
    return DROPPED;
  if (some_first > 0 || some_last < extent - 1) {
    rsh_moves_shift(d->c, last_move(d), &axis[outer], rsh_int(some_first));
    set_extent(d, outer, rsh_int(some_last - some_first + 1));
    return AGAIN;
  }
  if (all_first > 0 || all_last < 0)
    return split_at(d, outer, rsh_int(1));
  return split_at(d, outer, rsh_int(all_last + 1));
}

// a*b mod m without a wider type; 0 <= a, b < m.
static int64_t multiply_mod(int64_t a, int64_t b, int64_t m) {
  int64_t sum = 0;
  for (; b > 0; b >>= 1) {
    if (b & 1)
      sum = sum >= m - a ? sum - (m - a) : sum + a;
    a = a >= m - a ? a - (m - a) : a + a;
  }
  return sum;
}

// The inverse of a modulo m, which have no common factor; 0 for m = 1.
static int64_t invert_mod(int64_t a, int64_t m) {
  int64_t r0 = m, r1 = a % m, t0 = 0, t1 = 1;
  while (r1 > 0) { // r = t*a (mod m) for both pairs
    int64_t q = r0 / r1, r = r0 - q * r1, t = t0 - q * t1;
    r0 = r1, r1 = r, t0 = t1, t1 = t;
  }
  return m == 1 ? 0 : t0 < 0 ? t0 + m : t0;
}

// The smallest i >= 0 with step*i = distance (mod stride), or -1; 0 <= distance < stride.
static int64_t solve(int64_t step, int64_t distance, int64_t stride) {
  int64_t g = rsh_gcd(step, stride), cycle = stride / g;
  if (distance % g != 0)
    return -1;
  return multiply_mod(distance / g % cycle, invert_mod(step / g % cycle, cycle), cycle);
}

// Thins the axes of `dim` to every stride-th digit.
static Progress slice_stride(Decoded *d, int32_t dim, Wanted want) {
  const rsh_axis *axis = last_axes(d);
  int64_t t = want.stride;
  int32_t uneven = 0, chosen = -1; // axes that do not step by whole strides; the shortest of them
  for (int32_t k = 0; k < last_move(d)->axis_count; k++) {
    if (d->dim[k] != dim || d->step[k].n % t == 0)
      continue;
    uneven++;
    if (chosen < 0 || axis[k].extent.n < axis[chosen].extent.n)
      chosen = k;
  }
  int64_t distance = (want.low - d->digit[dim].n) % t;
  distance += distance < 0 ? t : 0;
  if (uneven == 0)
    return distance == 0 ? DONE : DROPPED;
  int64_t cycle = t / rsh_gcd(t, d->step[chosen].n), extent = axis[chosen].extent.n;
  if (uneven > 1)
    return extent > cycle ? split_periods(d, chosen, cycle) : split_at(d, chosen, rsh_int(1));
  int64_t first = solve(d->step[chosen].n, distance, t);
  if (first < 0 || first >= extent)
    return DROPPED;
  rsh_moves_shift(d->c, last_move(d), &axis[chosen], rsh_int(first));
  last_axes(d)[chosen] = rsh_axis_scale(d->c, &axis[chosen], rsh_int(cycle));
  set_extent(d, chosen, rsh_int((extent - 1 - first) / cycle + 1));
  return AGAIN;
}

static bool takes_whole_dim(const Decoded *d, const Projection *p) {
  rsh_num size = d->shape->dim[p->from], end;
  if (!rsh_equal(p->count, size))
    return false;
  if (rsh_is(p->step, 1))
    return rsh_is(p->start, 0);
  return rsh_is(p->step, -1) && rsh_sub(d->c->symbols, size, rsh_int(1), &end) &&
         rsh_equal(p->start, end);
}

// The axis of `dim` with the longest step, and in *inner the total reach of the others. Axes are not ordered by
// their steps. -1: there is none, or it depends on symbols.
static int32_t outer_axis(const Decoded *d, int32_t dim, rsh_num *inner) {
  const rsh_axis *axis = last_axes(d);
  int32_t outer = -1;
  *inner = rsh_int(0);
  for (int32_t k = 0; k < last_move(d)->axis_count; k++)
    if (d->dim[k] == dim && (outer < 0 || rsh_at_most(d->c->symbols, d->step[outer], d->step[k])))
      outer = k;
  for (int32_t k = 0; outer >= 0 && k < last_move(d)->axis_count; k++)
    if (d->dim[k] == dim && k != outer)
      *inner = rsh_calc_add(
          d->c, *inner,
          rsh_calc_mul(d->c, d->step[k], rsh_calc_sub(d->c, axis[k].extent, rsh_int(1))));
  return outer;
}

// Keeps only `count` indices of axis k, from `first` on by `stride`, and updates the decoded digits.
static void keep_indices(Decoded *d, int32_t k, rsh_num first, rsh_num stride, rsh_num count) {
  rsh_axis *axis = &last_axes(d)[k];
  int32_t dim = d->dim[k], axes = last_move(d)->axis_count;
  d->digit[dim] = rsh_calc_add(d->c, d->digit[dim], rsh_calc_mul(d->c, d->step[k], first));
  d->step[k] = rsh_calc_mul(d->c, d->step[k], stride);
  rsh_moves_shift(d->c, last_move(d), axis, first);
  *axis = rsh_axis_scale(d->c, axis, stride);
  set_extent(d, k, count);
  for (int32_t i = k; last_move(d)->axis_count < axes && i + 1 < axes; i++) {
    d->dim[i] = d->dim[i + 1];
    d->step[i] = d->step[i + 1];
  }
}

// Adds an axis of extent 1 for a dim in which the move has a single index: a count that may be 0 can then become its
// extent.
static int32_t add_axis(Decoded *d, int32_t dim) {
  int32_t k = last_move(d)->axis_count;
  rsh_moves_push_axis(d->c, d->work,
                      (rsh_axis){rsh_int(1), d->stride[dim], rsh_int(0), rsh_int(0)});
  if (last_move(d)->axis_count == k) // there is no room
    return -1;
  d->dim[k] = dim;
  d->step[k] = rsh_int(1);
  return k;
}

// The indices low, low + stride .. high that are among 0 .. last: *count of them, perhaps none, from *low on.
//   1, 3 .. 2*N-1 among 0 .. H-1             (H-1 - 1 + 2) / 2 of them, from 1 on
//   1-H, 3-H .. 2*N-1-H among 0 .. 2*N-H-1   those from (1-H) + 2*(H/2) on
// False: that depends on symbols.
static bool crop_indices(Calc *c, rsh_num stride, rsh_num last, rsh_num *low, rsh_num high,
                         rsh_num *count) {
  rsh_symbols *s = c->symbols;
  const rsh_num zero = rsh_int(0), most = rsh_calc_sub(c, stride, rsh_int(1));
  bool holds_low = rsh_at_most(s, zero, *low), holds_high = rsh_at_most(s, high, last);
  rsh_num skipped = zero;
  if (!holds_low && (!rsh_at_most(s, *low, most) ||
                     !divide_down(c, rsh_calc_sub(c, most, *low), stride, &skipped)))
    return false;
  *low = rsh_calc_add(c, *low, rsh_calc_mul(c, skipped, stride));
  if (!holds_high && !rsh_at_most(s, last, high) &&
      !rsh_at_most(s, last, rsh_calc_add(c, high, most))) // the next one is above it
    return false;
  rsh_num past = rsh_calc_add(c, holds_high ? high : last, stride);
  return divide_down(c, rsh_calc_sub(c, past, *low), stride, count) &&
         ((holds_low && holds_high) || rsh_at_most(s, zero, *count));
}

// Whether axis k has an index at all if `count`, which is at least 0, is not 0.
static bool has_index_for(Decoded *d, int32_t k, rsh_num count) {
  rsh_supposed added = rsh_suppose_nothing(d->c->symbols);
  rsh_suppose_positive(d->c->symbols, count, &added);
  bool has = rsh_at_most(d->c->symbols, rsh_int(1), last_axes(d)[k].extent);
  rsh_forget_supposed(d->c->symbols, &added);
  return has;
}

// Divides the first `count` digits of a dim into whole indices of axis k and a remainder. The other axes are assumed to
// have elements; without them, the quotient may be wrong, but stays between 0 and the extent, and the remainder is not
// negative.
static bool divide_digits(Decoded *d, int32_t k, rsh_num count, rsh_num *outer, rsh_num *rest) {
  rsh_symbols *s = d->c->symbols;
  const rsh_axis *axis = last_axes(d);
  rsh_supposed before = rsh_moves_suppose_elements(d->c, axis, k);
  rsh_supposed after =
      rsh_moves_suppose_elements(d->c, axis + k + 1, last_move(d)->axis_count - k - 1);
  bool is_known = rsh_div_part(s, count, d->step[k], outer, rest);
  rsh_moves_forget_elements(d->c, after);
  rsh_moves_forget_elements(d->c, before);
  return is_known && rsh_at_most(s, rsh_int(0), *outer) && rsh_at_most(s, *outer, axis[k].extent) &&
         rsh_at_most(s, rsh_int(0), *rest);
}

// Where a crop depends on symbols: splits an axis of the dim that has a few indices.
static Progress split_few(Decoded *d, int32_t dim) {
  const rsh_axis *axis = last_axes(d);
  for (int32_t k = 0; k < last_move(d)->axis_count; k++)
    if (d->dim[k] == dim && is_few(axis[k].extent))
      return split_at(d, k, rsh_int(1));
  return fail(d, RSH_unknown_size);
}

static Progress slice_symbolic(Decoded *d, int32_t dim, rsh_num low, rsh_num high, rsh_num stride);

// Crops a dim to the digits from its first one, or one below it, to `high`, within an index of the outermost axis k.
//   H rows of [(H+3)//4, 4]: the 4 rows of each of the first H//4, and the first H%4 rows of the next one
static Progress slice_rest(Decoded *d, int32_t dim, int32_t k, rsh_num high) {
  rsh_symbols *s = d->c->symbols;
  rsh_num one = rsh_int(1), count = rsh_calc_add(d->c, high, one), outer, rest;
  rsh_num size = rsh_calc_mul(d->c, d->step[k], last_axes(d)[k].extent);
  if (rsh_at_most(s, size, count))
    return DONE;
  if (!divide_digits(d, k, count, &outer, &rest))
    return split_few(d, dim);
  if (!rsh_is(outer, 0))
    return split_at(d, k, outer);
  if (!has_index_for(d, k, rest))
    return split_few(d, dim);
  keep_indices(d, k, outer, one, one);
  rsh_num from = d->digit[dim];
  return slice_symbolic(d, dim, from, rsh_calc_sub(d->c, rsh_calc_add(d->c, from, rest), one), one);
}

// Crops a dim to the digits from `low` to `high`, where `low` is within an index of the outermost axis k.
//   [N, 2] from digit 3 on: the second digit of index 1, and both of each of the N-2 indices after it
static Progress slice_begin(Decoded *d, int32_t dim, int32_t k, rsh_num low) {
  rsh_num one = rsh_int(1), first, rest, extent = last_axes(d)[k].extent;
  if (!divide_digits(d, k, low, &first, &rest) ||
      !rsh_at_most(d->c->symbols, rsh_calc_add(d->c, first, one), extent))
    return split_few(d, dim);
  keep_indices(d, k, first, one, rsh_calc_sub(d->c, extent, first));
  return rsh_equal(rsh_calc_sub(d->c, extent, first), one) ? AGAIN : split_at(d, k, one);
}

// Turns the digits low, low + stride .. high into indices of an axis that steps by `step`. They must be all digits of
// these indices, which end at `inner`, or, if an index has only one, that digit of each. False: they are not.
static bool counts_indices(Calc *c, rsh_num step, rsh_num inner, rsh_num stride, rsh_num *low,
                           rsh_num *high) {
  bool has_one = rsh_is(inner, 0) && rsh_equal(stride, step);
  if (!has_one &&
      (!rsh_is(stride, 1) || !rsh_at_most(c->symbols, rsh_calc_add(c, inner, rsh_int(1)), step)))
    return false;
  rsh_num last = rsh_calc_sub(c, *high, *low), first;
  if (!has_one)
    last = rsh_calc_sub(c, last, rsh_calc_sub(c, step, rsh_int(1)));
  if (!rsh_div(c->symbols, *low, step, &first) || !rsh_div(c->symbols, last, step, &last))
    return false;
  *low = first;
  *high = rsh_calc_add(c, first, last);
  return true;
}

// Crops a dim to the digits low, low + stride .. high, whose number depends on symbols: [B, 3, 4] to its first rows, or
// to every second of its last digits.
static Progress slice_symbolic(Decoded *d, int32_t dim, rsh_num low, rsh_num high, rsh_num stride) {
  rsh_symbols *s = d->c->symbols;
  rsh_num one = rsh_int(1), inner, from = d->digit[dim];
  int32_t k = outer_axis(d, dim, &inner);
  rsh_num last = k >= 0 ? rsh_calc_sub(d->c, last_axes(d)[k].extent, one) : rsh_int(0);
  rsh_num step = k >= 0 ? d->step[k] : one;
  rsh_num reach = rsh_calc_add(d->c, rsh_calc_mul(d->c, last, step), inner);
  low = rsh_calc_sub(d->c, low, from);
  high = rsh_calc_sub(d->c, high, from);
  if (rsh_at_most(s, rsh_calc_add(d->c, reach, one), low) || rsh_sign(s, high) == -1)
    return DROPPED;
  if (!rsh_is(step, 1) || !rsh_is(inner, 0)) { // an index has several digits, or one of several
    if (!counts_indices(d->c, step, inner, stride, &low, &high)) {
      if (!rsh_is(stride, 1) || !rsh_at_most(s, rsh_calc_add(d->c, inner, one), step))
        return split_few(d, dim);
      return rsh_at_most(s, low, rsh_int(0)) ? slice_rest(d, dim, k, high)
                                             : slice_begin(d, dim, k, low);
    }
    stride = one;
    if (rsh_at_most(s, rsh_calc_add(d->c, last, one), low))
      return DROPPED;
  }
  rsh_num count;
  if (!crop_indices(d->c, stride, last, &low, high, &count))
    return split_few(d, dim);
  if (k < 0 && !rsh_is(count, 1))
    k = add_axis(d, dim);
  if (k >= 0)
    keep_indices(d, k, low, stride, count);
  return DONE;
}

static Progress select_dim(Decoded *d, const Projection *p) {
  if (p->from < 0 || takes_whole_dim(d, p))
    return DONE;
  rsh_num last = rsh_calc_mul(d->c, p->step, rsh_calc_sub(d->c, p->count, rsh_int(1)));
  rsh_num end = rsh_calc_add(d->c, p->start, last);
  bool known = rsh_is_known(p->start) && rsh_is_known(end) && rsh_is_known(d->digit[p->from]);
  for (int32_t k = 0; known && k < last_move(d)->axis_count; k++)
    known =
        d->dim[k] != p->from || (rsh_is_known(d->step[k]) && rsh_is_known(last_axes(d)[k].extent));
  if (!known && !rsh_is_known(p->step))
    return fail(d, RSH_unknown_size);
  if (!known) {
    bool is_back = p->step.n < 0;
    rsh_num stride = rsh_is(p->count, 1) ? rsh_int(1) : p->step;
    if (stride.n < 0)
      stride = rsh_calc_sub(d->c, rsh_int(0), stride);
    return slice_symbolic(d, p->from, is_back ? end : p->start, is_back ? p->start : end, stride);
  }
  Wanted want = {p->start.n, end.n, rsh_is(p->count, 1) ? 1 : p->step.n};
  if (want.stride < 0) {
    want.low = end.n;
    want.high = p->start.n;
    want.stride = -want.stride;
  }
  Progress progress = slice_range(d, p->from, want);
  return progress == DONE && want.stride > 1 ? slice_stride(d, p->from, want) : progress;
}

// The stride of axis k of the decoded move in the tables of `applied`, and the entry of its first element.
static rsh_num entry_stride(const Decoded *d, int32_t k) {
  return rsh_calc_mul(d->c, d->step[k], d->applied->stride[d->dim[k]]);
}
static rsh_num first_entry(const Decoded *d) {
  rsh_num entry = rsh_int(0);
  for (int32_t i = 0; i < d->shape->rank; i++)
    entry = rsh_calc_add(d->c, entry, rsh_calc_mul(d->c, d->digit[i], d->applied->stride[i]));
  return entry;
}

// Whether the elements use the same table positions as in the steps before.
static bool has_these_entries(const Decoded *d, const rsh_move *move, const rsh_axis *axis) {
  bool same = rsh_map_places(d->applied->maps, move->map) == d->applied->step->places &&
              rsh_equal(move->at_offset, first_entry(d));
  for (int32_t k = 0; same && k < move->axis_count; k++)
    same = rsh_equal(axis[k].at, entry_stride(d, k));
  return same;
}

// Adds the step to the last move of `out`, which has the axes of the decoded one. If its tables use other axes than
// earlier tables, their entries become the upper digit of the table position:
//
//   x * [a, b] of f32[2, 3], {2, at 1} {3, at 0}, then + [c, d, e]:  {2, at 1} {3, at 2}
static void apply_step(Decoded *d, rsh_moves *out) {
  Calc *c = d->c;
  rsh_maps *maps = d->applied->maps;
  rsh_move *move = &out->move[out->count - 1];
  rsh_axis *axis = out->axis + move->first;
  rsh_step step = *d->applied->step;
  bool same = has_these_entries(d, move, axis);
  step.divisor = same ? 1 : rsh_map_places(maps, move->map);
  rsh_num upper = rsh_int(same ? 0 : step.divisor);
  move->at_offset = rsh_calc_add(c, move->at_offset, rsh_calc_mul(c, upper, first_entry(d)));
  for (int32_t k = 0; k < move->axis_count; k++)
    axis[k].at = rsh_calc_add(c, axis[k].at, rsh_calc_mul(c, upper, entry_stride(d, k)));
  rsh_status status = rsh_map_add(maps, move->map, &step, &move->map);
  if (c->status == RSH_ok)
    c->status = status;
  if (rsh_map_places(maps, move->map) > 1)
    return;
  move->at_offset = rsh_int(0); // the step undid the one before
  for (int32_t k = 0; k < move->axis_count; k++)
    axis[k].at = rsh_int(0);
}

// Encodes the move for the dims of the result.
static void emit(Decoded *d, const rsh_shape *out_shape, const Projection *dim, rsh_moves *out) {
  Calc *c = d->c;
  rsh_num dst_offset = d->out_offset, dense = rsh_int(1);
  rsh_num result_stride[RSH_MAX_RANK]; // by dim of the operand
  rsh_num spread[RSH_MAX_RANK];        // by dim of the result
  for (int32_t o = out_shape->rank - 1; o >= 0; o--) {
    const Projection *p = &dim[o];
    rsh_num stride = d->out_stride != 0 ? d->out_stride[o] : dense;
    spread[o] = stride;
    rsh_num index = p->at;
    if (p->from >= 0) {
      rsh_num steps = rsh_int(0), distance = rsh_calc_sub(c, d->digit[p->from], p->start);
      if (!rsh_div(c->symbols, distance, p->step, &steps))
        fail(d, RSH_unknown_size);
      index = rsh_calc_add(c, index, steps);
      result_stride[p->from] = stride;
    }
    dst_offset = rsh_calc_add(c, dst_offset, rsh_calc_mul(c, index, stride));
    dense = rsh_calc_mul(c, dense, out_shape->dim[o]);
  }
  const rsh_move *move = last_move(d);
  if (rsh_moves_push(c, out, move, dst_offset) == 0)
    return;
  for (int32_t k = 0; k < move->axis_count; k++) {
    const rsh_axis *axis = &last_axes(d)[k];
    rsh_num steps = rsh_int(0);
    for (int32_t o = 0; o < out_shape->rank; o++)
      if (dim[o].from == d->dim[k] && !rsh_div(c->symbols, d->step[k], dim[o].step, &steps))
        fail(d, RSH_unknown_size);
    rsh_axis moved = *axis;
    moved.dst = rsh_calc_mul(c, steps, result_stride[d->dim[k]]);
    rsh_moves_push_axis(c, out, moved);
  }
  if (d->applied != 0 && c->status == RSH_ok)
    apply_step(d, out);
  for (int32_t o = 0; o < out_shape->rank; o++)
    if (dim[o].from < 0 && !rsh_is(dim[o].count, 1))
      rsh_moves_push_repeat(c, out, dim[o].count, spread[o]);
  for (int32_t o = 0; o < out_shape->rank; o++)
    if (!rsh_is(dim[o].repeat, 1))
      rsh_moves_push_repeat(c, out, dim[o].repeat, rsh_calc_mul(c, dim[o].pitch, spread[o]));
  if (c->status == RSH_ok)
    rsh_moves_end_last(c, out);
}

static void project_top(Decoded *d, const rsh_shape *out_shape, const Projection *dim,
                        rsh_moves *out) {
  const rsh_move *move = last_move(d);
  d->work->axis_count = move->first + move->axis_count;
  d->elements = rsh_moves_suppose_elements(d->c, last_axes(d), move->axis_count);
  Progress progress = decode(d);
  rsh_moves_forget_elements(d->c, d->elements);
  for (int32_t o = 0; progress == DONE && o < out_shape->rank; o++)
    progress = select_dim(d, &dim[o]);
  if (progress == AGAIN)
    return;
  if (progress == DONE)
    emit(d, out_shape, dim, out);
  rsh_moves_pop(d->work);
}

// The caller has set the rest of `d`.
static void project(Decoded *d, const rsh_shape *in_shape, const rsh_moves *in,
                    const rsh_shape *out_shape, const Projection *dim, rsh_moves *out) {
  Calc *c = d->c;
  rsh_moves *work = d->work;
  d->shape = in_shape;
  rsh_num stride = rsh_int(1);
  for (int32_t i = in_shape->rank - 1; i >= 0; i--) {
    d->stride[i] = stride;
    stride = rsh_calc_mul(c, stride, in_shape->dim[i]);
  }
  int64_t ratio = rsh_moves_parts(out) / rsh_moves_parts(in);
  for (int32_t m = 0; m < in->count && c->status == RSH_ok; m++) {
    int64_t pieces = rsh_is_fill(in->move[m].source) ? ratio : 1;
    for (int64_t part = 0; part < pieces && c->status == RSH_ok; part++) {
      work->count = work->axis_count = 0;
      rsh_moves_push_parts(c, work, in, m, ratio, part);
      while (c->status == RSH_ok && work->count > 0)
        project_top(d, out_shape, dim, out);
    }
  }
}

// A projection in which axes that stay adjacent are merged, so that nothing is decoded or split more finely than
// the operator needs.
//
//   [129, 64, 32] from row 1 on, axes 1 and 2 whole   ->   [264192] from element 2048 on
typedef struct Merged {
  rsh_shape in, out;
  Projection dim[RSH_MAX_RANK];
} Merged;

static bool is_whole(const rsh_num *in_size, const rsh_num *out_size, const Projection *p) {
  return rsh_is(p->start, 0) && rsh_is(p->step, 1) && rsh_is(p->at, 0) && rsh_is(p->repeat, 1) &&
         rsh_equal(p->count, *in_size) && rsh_equal(p->count, *out_size);
}

static void merge_neighbor_dims(Calc *c, const rsh_shape *in, const rsh_shape *out,
                                const Projection *dim, Merged *m) {
  bool joins[RSH_MAX_RANK] = {false}; // by axis of the operand: part of the one before it
  int32_t index[RSH_MAX_RANK];
  m->in.rank = m->out.rank = 0;
  for (int32_t o = 0; o < out->rank; o++) {
    Projection *last = m->out.rank > 0 ? &m->dim[m->out.rank - 1] : 0;
    rsh_num size = out->dim[o];
    int32_t from = dim[o].from;
    if (last != 0 && from > 0 && dim[o - 1].from == from - 1 && rsh_is(last->step, 1) &&
        rsh_is(last->repeat, 1) && is_whole(&in->dim[from], &size, &dim[o])) {
      joins[from] = true;
      last->start = rsh_calc_mul(c, last->start, size);
      last->count = rsh_calc_mul(c, last->count, size);
      last->at = rsh_calc_mul(c, last->at, size);
      m->out.dim[m->out.rank - 1] = rsh_calc_mul(c, m->out.dim[m->out.rank - 1], size);
    } else {
      m->dim[m->out.rank] = dim[o];
      m->out.dim[m->out.rank++] = size;
    }
  }
  for (int32_t i = 0; i < in->rank; i++) {
    if (joins[i])
      m->in.dim[m->in.rank - 1] = rsh_calc_mul(c, m->in.dim[m->in.rank - 1], in->dim[i]);
    else
      m->in.dim[m->in.rank++] = in->dim[i];
    index[i] = m->in.rank - 1;
  }
  for (int32_t o = 0; o < m->out.rank; o++)
    if (m->dim[o].from >= 0)
      m->dim[o].from = index[m->dim[o].from];
}

// Keeps all axes, because with symbols, separate sizes may prove more than their product.
static void keep_dims(const rsh_shape *in, const rsh_shape *out, const Projection *dim, Merged *m) {
  m->in = *in;
  m->out = *out;
  for (int32_t o = 0; o < out->rank; o++)
    m->dim[o] = dim[o];
}

// Adds an axis for the parts of elements. False: there is no room for it.
static bool add_parts(Merged *m, int32_t parts) {
  if (parts == 1)
    return true;
  if (m->in.rank == RSH_MAX_RANK || m->out.rank == RSH_MAX_RANK)
    return false;
  const rsh_num size = rsh_int(parts);
  const Projection whole = {m->in.rank, {0}, rsh_int(1), size, {0}, rsh_int(1), {0}};
  m->dim[m->out.rank] = whole;
  m->in.dim[m->in.rank++] = size;
  m->out.dim[m->out.rank++] = size;
  return true;
}

void rsh_moves_project(Calc *c, const rsh_shape *in_shape, const rsh_moves *in,
                       const rsh_shape *out_shape, const Projection *dim, rsh_moves *out,
                       rsh_moves *work) {
  Merged m;
  Decoded d;
  int32_t moves = out->count, axes = out->axis_count;
  if (c->status != RSH_ok) // of an operand before this one; the second try below must not hide it
    return;
  d.c = c;
  d.work = work;
  d.out_stride = 0;
  d.out_offset = rsh_int(0);
  d.applied = 0;
  for (int attempt = 0;; attempt++) {
    if (attempt == 0)
      merge_neighbor_dims(c, in_shape, out_shape, dim, &m);
    else
      keep_dims(in_shape, out_shape, dim, &m);
    if (!add_parts(&m, rsh_moves_parts(out)))
      c->status = RSH_unknown_size;
    else
      project(&d, &m.in, in, &m.out, m.dim, out);
    if (c->status != RSH_unknown_size || attempt == 1)
      return;
    c->status = RSH_ok;
    out->count = moves;
    out->axis_count = axes;
  }
}

rsh_status rsh_moves_place(rsh_symbols *s, const rsh_shape *shape, const rsh_moves *in,
                           const rsh_num *stride, rsh_num offset, rsh_moves *out, rsh_moves *work) {
  Calc c = {s, RSH_ok};
  Merged m;
  Decoded d;
  rsh_num spread[RSH_MAX_RANK + 1]; // in parts
  const rsh_num parts = rsh_int(rsh_moves_parts(in));
  d.c = &c;
  d.work = work;
  d.out_stride = spread;
  d.out_offset = rsh_calc_mul(&c, offset, parts);
  d.applied = 0;
  out->count = out->axis_count = work->count = work->axis_count = 0;
  out->parts = in->parts;
  m.in = m.out = *shape;
  for (int32_t i = 0; i < shape->rank; i++) {
    spread[i] = rsh_calc_mul(&c, stride[i], parts);
    m.dim[i] =
        (Projection){.from = i, .step = rsh_int(1), .count = shape->dim[i], .repeat = rsh_int(1)};
  }
  spread[shape->rank] = rsh_int(1);
  if (add_parts(&m, (int32_t)parts.n))
    project(&d, &m.in, in, &m.out, m.dim, out);
  else
    c.status = RSH_unknown_size;
  if (c.status == RSH_ok && work->axis_capacity < out->axis_count)
    return RSH_too_small;
  if (c.status == RSH_ok && out->count > 1)
    rsh_moves_join(&c, out, work);
  return c.status;
}

// Merges adjacent axes of a shape whose table entries are contiguous, or the same.
//
//   [8, 3, 224, 224] and strides 0, 1, 0, 0   ->   [8, 3, 50176] and 0, 1, 0
static void merge_entries(Calc *c, const rsh_shape *shape, const int64_t *stride, rsh_shape *merged,
                          Applied *applied) {
  merged->rank = 0;
  for (int32_t i = 0; i < shape->rank; i++) {
    int32_t last = merged->rank - 1;
    rsh_num whole = rsh_calc_mul(c, shape->dim[i], rsh_int(stride[i]));
    if (last >= 0 && rsh_equal(applied->stride[last], whole)) {
      merged->dim[last] = rsh_calc_mul(c, merged->dim[last], shape->dim[i]);
    } else {
      last = merged->rank++;
      merged->dim[last] = shape->dim[i];
    }
    applied->stride[last] = rsh_int(stride[i]);
  }
}

void rsh_moves_apply(Calc *c, const rsh_shape *shape, const rsh_moves *in, const rsh_step *step,
                     const int64_t *stride, rsh_maps *maps, rsh_moves *out, rsh_moves *work) {
  Applied applied;
  Decoded d;
  rsh_shape merged;
  Projection dim[RSH_MAX_RANK];
  applied.step = step;
  applied.maps = maps;
  d.c = c;
  d.work = work;
  d.out_stride = 0;
  d.out_offset = rsh_int(0);
  d.applied = &applied;
  merge_entries(c, shape, stride, &merged, &applied);
  for (int32_t i = 0; i < merged.rank; i++)
    dim[i] =
        (Projection){.from = i, .step = rsh_int(1), .count = merged.dim[i], .repeat = rsh_int(1)};
  project(&d, &merged, in, &merged, dim, out);
}
