// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reorder is a list of digits: the axes of its single move. Sorted by `src` they are in the order of the
// source's elements, sorted by `dst` in the order of the value's, so the digits are the sizes of a tensor that a
// Transpose converts from one order to the other:
//
//   {12, dst 12, src 1} {12, dst 1, src 12}     Reshape [12, 12], Transpose [1, 0], Reshape to the value's shape
//
// If the digits of a side are the sizes of the tensor on that side, its Reshape is not needed.
#include "frontend/onnx/onnx_reorder.h"
#include "runtime/moves.h"

#include <string.h>

// Outermost first, in the order of one side. Cutting at sizes adds at most one digit for each size, twice.
typedef struct Digits {
  rsh_axis axis[RSH_MAX_AXES + 2 * RSH_MAX_RANK];
  int32_t dim[RSH_MAX_AXES + 2 * RSH_MAX_RANK]; // of the tensor on that side, after refine()
  int32_t count;
} Digits;

typedef enum Side { SIDE_SOURCE, SIDE_VALUE } Side;

static rsh_num stride_at(const rsh_axis *axis, Side side) {
  return side == SIDE_SOURCE ? axis->src : axis->dst;
}

// Sorts the digits in the order of a side, from the innermost on: the stride of each is the volume of those
// inside it. If they do not form such a list, `c` fails.
static Digits order_by(Calc *c, const Digits *in, Side side) {
  Digits out = {.count = in->count};
  rsh_num volume = rsh_int(1);
  for (int32_t place = in->count; place-- > 0;) {
    int32_t at = 0;
    while (at + 1 < in->count && !rsh_equal(stride_at(&in->axis[at], side), volume))
      at++;
    out.axis[place] = in->axis[at];
    out.dim[place] = in->dim[at];
    if (!rsh_equal(stride_at(&in->axis[at], side), volume))
      c->status = RSH_unknown_size;
    volume = rsh_calc_mul(c, volume, in->axis[at].extent);
  }
  return out;
}

// Of the only move, which has at most RSH_MAX_AXES axes.
static Digits digits_of(const rsh_moves *moves) {
  Digits d = {.count = moves->move[0].axis_count};
  memcpy(d.axis, moves->axis, sizeof *d.axis * (size_t)d.count);
  return d;
}

bool reorder_is(rsh_symbols *s, const rsh_moves *moves) {
  Calc c = {s, RSH_ok};
  if (moves->count != 1 || rsh_is_fill(moves->move[0].source) || moves->move[0].map != 0 ||
      !rsh_is(moves->move[0].src_offset, 0))
    return false;
  Digits d = digits_of(moves);
  (void)order_by(&c, &d, SIDE_SOURCE);
  (void)order_by(&c, &d, SIDE_VALUE);
  return c.status == RSH_ok;
}

// ---- Digits and sizes

static void push(Digits *to, rsh_axis axis, int32_t dim) {
  to->axis[to->count] = axis;
  to->dim[to->count++] = dim;
}

static void reverse(Digits *d) {
  for (int32_t i = 0, k = d->count - 1; i < k; i++, k--) {
    rsh_axis axis = d->axis[i];
    int32_t dim = d->dim[i];
    d->axis[i] = d->axis[k];
    d->dim[i] = d->dim[k];
    d->axis[k] = axis;
    d->dim[k] = dim;
  }
}

// Splits the innermost part, of this extent, off a digit, which keeps the rest.
static rsh_axis split_digit(Calc *c, rsh_axis *digit, rsh_num extent, rsh_num rest) {
  rsh_axis part = *digit;
  part.extent = extent;
  *digit = rsh_axis_scale(c, digit, extent);
  digit->extent = rest;
  return part;
}

// Splits digits, of which there are some, at the boundaries of the sizes on their side; each is then inside one size.
//   a digit of 768 over sizes [..., 12, 64]   ->   12 and 64
// False: a digit and a size do not divide each other.
static bool refine(Calc *c, const Digits *in, const rsh_shape *shape, Digits *out) {
  const rsh_axis none = {.extent = rsh_int(0)}; // after the last digit: no size is left then
  int32_t at = in->count - 1;
  rsh_axis digit = in->axis[at];
  out->count = 0;
  for (int32_t dim = shape->rank; dim-- > 0;) {
    rsh_num left = shape->dim[dim], rest;
    while (!rsh_is(left, 1)) {
      if (rsh_div(c->symbols, digit.extent, left, &rest)) {
        push(out, split_digit(c, &digit, left, rest), dim);
        left = rsh_int(1);
      } else if (rsh_div(c->symbols, left, digit.extent, &rest)) {
        push(out, digit, dim);
        digit.extent = rsh_int(1);
        left = rest;
      } else {
        return false;
      }
      if (rsh_is(digit.extent, 1))
        digit = --at >= 0 ? in->axis[at] : none;
    }
  }
  reverse(out);
  return at < 0;
}

// Returns whether the digits are the sizes of the tensor on a side, one digit per size (none for sizes of 1).
// *out has them in the order of the other side.
static bool digits_are_sizes(Calc *c, const rsh_moves *moves, Side side, const rsh_shape *shape,
                             Digits *out) {
  Digits all = digits_of(moves), ordered = order_by(c, &all, side), own;
  if (!refine(c, &ordered, shape, &own))
    return false;
  for (int32_t i = 1; i < own.count; i++)
    if (own.dim[i] == own.dim[i - 1])
      return false;
  *out = order_by(c, &own, side == SIDE_SOURCE ? SIDE_VALUE : SIDE_SOURCE);
  return c->status == RSH_ok;
}

// ---- Steps

typedef struct Draft {
  Calc c;
  const ReorderSizes *positive;
  rsh_shape shape; // the result of the steps so far
  Reorder made;
} Draft;

static bool is_same_shape(const rsh_shape *a, const rsh_shape *b) {
  bool same = a->rank == b->rank;
  for (int32_t i = 0; same && i < a->rank; i++)
    same = rsh_equal(a->dim[i], b->dim[i]);
  return same;
}

// A factor of a nonzero size is nonzero.
static bool is_positive(const Draft *d, rsh_num size) {
  rsh_num rest;
  for (int i = 0; i < d->positive->count; i++)
    if (rsh_div(d->c.symbols, d->positive->item[i], size, &rest))
      return true;
  return false;
}

// No size is unknown, or 0: those of the source are neither.
static bool add_reshape(Draft *d, const rsh_shape *to) {
  if (is_same_shape(&d->shape, to))
    return true;
  ReorderStep *step = &d->made.step[d->made.count++];
  int inferred = 0;
  bool may_infer = true;
  *step = (ReorderStep){.count = to->rank};
  for (int32_t i = 0; i < to->rank; i++) {
    rsh_num size = to->dim[i];
    bool is_copy = !rsh_is_known(size) && i < d->shape.rank && rsh_equal(d->shape.dim[i], size);
    step->list[i] = rsh_is_known(size) ? size.n : is_copy ? 0 : -1;
    inferred += !rsh_is_known(size) && !is_copy;
    may_infer = may_infer && (!is_copy || is_positive(d, size));
  }
  d->shape = *to;
  return inferred == 0 || (inferred == 1 && may_infer);
}

static void add_transpose(Draft *d, const int32_t *perm) {
  ReorderStep *step = &d->made.step[d->made.count];
  rsh_shape before = d->shape;
  bool moves = false;
  *step = (ReorderStep){.is_transpose = true, .count = before.rank};
  for (int32_t i = 0; i < before.rank; i++) {
    step->list[i] = perm[i];
    d->shape.dim[i] = before.dim[perm[i]];
    moves = moves || perm[i] != i;
  }
  d->made.count += moves;
  d->made.transposes += moves;
}

// The value's sizes in the source's order, which are the digits. If the source has the same sizes, its sizes
// of 1 keep their positions; otherwise sizes of 1 come last. *place is the new position of each size of the
// value.
static rsh_shape source_sizes(const Digits *digits, const rsh_shape *from, const rsh_shape *to,
                              int32_t *place) {
  rsh_shape sizes = {.rank = to->rank};
  bool same = from->rank == to->rank;
  int32_t next = 0;
  for (int32_t i = 0; same && i < from->rank; i++)
    if (!rsh_is(from->dim[i], 1))
      same = rsh_equal(digits->axis[next++].extent, from->dim[i]);
  int32_t one = 0, at = 0;
  for (int32_t i = 0; i < sizes.rank; i++) {
    bool is_one = same ? rsh_is(from->dim[i], 1) : at == digits->count;
    if (is_one) {
      while (!rsh_is(to->dim[one], 1))
        one++;
      place[one++] = i;
      sizes.dim[i] = rsh_int(1);
    } else {
      place[digits->dim[at]] = i;
      sizes.dim[i] = digits->axis[at++].extent;
    }
  }
  return sizes;
}

// Reshape, Transpose: the value's sizes are digits.
static bool draft_before(Draft *d, const rsh_moves *moves, const rsh_shape *to) {
  Digits digits;
  int32_t place[RSH_MAX_RANK];
  if (!digits_are_sizes(&d->c, moves, SIDE_VALUE, to, &digits))
    return false;
  rsh_shape sizes = source_sizes(&digits, &d->shape, to, place);
  bool good = add_reshape(d, &sizes);
  add_transpose(d, place);
  return good;
}

// Transpose, Reshape: the source's sizes are digits. Sizes of 1 come last.
static bool draft_after(Draft *d, const rsh_moves *moves, const rsh_shape *to) {
  Digits digits;
  int32_t perm[RSH_MAX_RANK], count = 0;
  if (!digits_are_sizes(&d->c, moves, SIDE_SOURCE, &d->shape, &digits))
    return false;
  for (int32_t i = 0; i < digits.count; i++)
    perm[count++] = digits.dim[i];
  for (int32_t i = 0; i < d->shape.rank; i++)
    if (rsh_is(d->shape.dim[i], 1))
      perm[count++] = i;
  add_transpose(d, perm);
  return add_reshape(d, to);
}

// Reshape, Transpose, Reshape. Whole digits give the fewest sizes; digits split at the sizes of both sides may
// allow a target to use 0.
static bool draft_both(Draft *d, const rsh_moves *moves, const rsh_shape *to, bool whole) {
  Digits all = digits_of(moves), value = order_by(&d->c, &all, SIDE_VALUE);
  if (!whole && !refine(&d->c, &value, to, &all))
    return false;
  Digits source = order_by(&d->c, &all, SIDE_SOURCE);
  if (!whole && !refine(&d->c, &source, &d->shape, &all))
    return false;
  if (all.count > RSH_MAX_RANK)
    return false;
  source = order_by(&d->c, &all, SIDE_SOURCE);
  rsh_shape sizes = {.rank = source.count};
  int32_t perm[RSH_MAX_RANK];
  for (int32_t i = 0; i < source.count; i++) {
    sizes.dim[i] = source.axis[i].extent;
    source.dim[i] = i;
  }
  value = order_by(&d->c, &source, SIDE_VALUE);
  for (int32_t i = 0; i < value.count; i++)
    perm[i] = value.dim[i];
  bool good = add_reshape(d, &sizes);
  add_transpose(d, perm);
  return add_reshape(d, to) && good;
}

static bool draft(Draft *d, int kind, const rsh_moves *moves, const rsh_shape *to) {
  switch (kind) {
  case 0:
    return draft_before(d, moves, to);
  case 1:
    return draft_after(d, moves, to);
  default:
    return draft_both(d, moves, to, kind == 2);
  }
}

// The first kind that works has the fewest steps.
bool reorder_steps(rsh_symbols *s, const rsh_moves *moves, const rsh_shape *from,
                   const rsh_shape *to, const ReorderSizes *positive, Reorder *out) {
  bool found = false;
  int32_t source;
  rsh_num offset;
  bool is_alias = rsh_moves_is_alias(s, moves, &source, &offset);
  for (int kind = 0; kind < (is_alias ? 1 : 4) && !found; kind++) {
    Draft d = {{s, RSH_ok}, positive, *from, {0}};
    found = (is_alias ? add_reshape(&d, to) : draft(&d, kind, moves, to)) && d.c.status == RSH_ok;
    *out = d.made;
  }
  return found;
}
