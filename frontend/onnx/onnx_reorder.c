// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reorder is a list of digits: the axes of its single move. Sorted by `src` they are in the order of the
// source's elements, sorted by `dst` in that of the value's, so the digits are the sizes of a tensor that a
// Transpose converts from one order to the other:
//
//   {12, dst 12, src 1} {12, dst 1, src 12}     Reshape [12, 12], Transpose [1, 0], Reshape to the value's shape
//
// If the digits of a side are the sizes of the tensor on that side, its Reshape is not needed.
#include "frontend/onnx/onnx_reorder.h"

#include <string.h>

typedef struct Digits { // outermost first, in the order of one side
  rsh_axis axis[RSH_MAX_AXES];
  int32_t dim[RSH_MAX_AXES]; // of the tensor on that side, after refine()
  int32_t count;
} Digits;

typedef enum Side { SIDE_SOURCE, SIDE_VALUE } Side;

static rsh_num stride_at(const rsh_axis *axis, Side side) {
  return side == SIDE_SOURCE ? axis->src : axis->dst;
}

// Sorts the digits in the order of a side, from the innermost on: the stride of each is the volume of those
// inside it. False: they do not form such a list. *volume is the total.
static bool order_by(rsh_symbols *s, const Digits *in, Side side, Digits *out, rsh_num *volume) {
  bool taken[RSH_MAX_AXES] = {false};
  *volume = rsh_int(1);
  out->count = in->count;
  for (int32_t place = in->count; place-- > 0;) {
    int32_t at = 0;
    while (at < in->count && (taken[at] || !rsh_equal(stride_at(&in->axis[at], side), *volume)))
      at++;
    if (at == in->count || !rsh_mul(s, *volume, in->axis[at].extent, volume))
      return false;
    taken[at] = true;
    out->axis[place] = in->axis[at];
    out->dim[place] = in->dim[at];
  }
  return true;
}

static Digits digits_of(const rsh_moves *moves) {
  Digits d = {.count = moves->axis_count};
  memcpy(d.axis, moves->axis, sizeof *d.axis * (size_t)d.count);
  return d;
}

bool reorder_is(rsh_symbols *s, const rsh_moves *moves, rsh_num volume) {
  Digits ordered;
  rsh_num reached;
  if (moves->count != 1 || rsh_is_fill(moves->move[0].source) || moves->move[0].map != 0 ||
      moves->axis_count > RSH_MAX_AXES || !rsh_is(moves->move[0].src_offset, 0) ||
      !rsh_is(moves->move[0].dst_offset, 0))
    return false;
  Digits d = digits_of(moves);
  return order_by(s, &d, SIDE_SOURCE, &ordered, &reached) && rsh_equal(reached, volume) &&
         order_by(s, &d, SIDE_VALUE, &ordered, &reached) && rsh_equal(reached, volume);
}

// ---- Digits and sizes

static bool push(Digits *to, rsh_axis axis, int32_t dim) {
  if (to->count == RSH_MAX_AXES)
    return false;
  to->axis[to->count] = axis;
  to->dim[to->count++] = dim;
  return true;
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

// Cuts the innermost part, of this extent, off a digit; `digit` keeps the rest.
static bool cut(rsh_symbols *s, rsh_axis *digit, rsh_num extent, rsh_num rest, rsh_axis *part) {
  *part = *digit;
  part->extent = extent;
  digit->extent = rest;
  return rsh_mul(s, digit->dst, extent, &digit->dst) && rsh_mul(s, digit->src, extent, &digit->src);
}

// Cuts digits at the boundaries of the sizes on their side, so that each is inside one size.
//   a digit of 768 over sizes [..., 12, 64]   ->   12 and 64
// False: a digit and a size do not divide each other.
static bool refine(rsh_symbols *s, const Digits *in, const rsh_shape *shape, Digits *out) {
  int32_t at = in->count - 1;
  rsh_axis digit = {0}, part;
  if (at >= 0)
    digit = in->axis[at];
  out->count = 0;
  for (int32_t dim = shape->rank; dim-- > 0;) {
    rsh_num left = shape->dim[dim], rest;
    while (!rsh_is(left, 1)) {
      if (at < 0)
        return false;
      if (rsh_div(s, digit.extent, left, &rest)) {
        if (!cut(s, &digit, left, rest, &part))
          return false;
        left = rsh_int(1);
      } else if (rsh_div(s, left, digit.extent, &rest)) {
        part = digit;
        digit.extent = rsh_int(1);
        left = rest;
      } else {
        return false;
      }
      if (!push(out, part, dim))
        return false;
      if (rsh_is(digit.extent, 1) && --at >= 0)
        digit = in->axis[at];
    }
  }
  reverse(out);
  return at < 0;
}

// Merges neighbours within one size that are neighbours on both sides.
static void merge(rsh_symbols *s, Digits *d) {
  int32_t kept = 0;
  for (int32_t i = 0; i < d->count; i++) {
    rsh_axis inner = d->axis[i];
    rsh_axis *outer = kept > 0 ? &d->axis[kept - 1] : NULL;
    rsh_num dst, src, extent;
    if (outer && d->dim[kept - 1] == d->dim[i] && rsh_mul(s, inner.dst, inner.extent, &dst) &&
        rsh_mul(s, inner.src, inner.extent, &src) && rsh_equal(outer->dst, dst) &&
        rsh_equal(outer->src, src) && rsh_mul(s, outer->extent, inner.extent, &extent)) {
      inner.extent = extent;
      *outer = inner;
    } else {
      d->dim[kept] = d->dim[i];
      d->axis[kept++] = inner;
    }
  }
  d->count = kept;
}

// Returns whether the digits are the sizes of the tensor on a side, one digit per size (none for sizes of 1).
// *out has them in the order of the other side.
static bool digits_are_sizes(rsh_symbols *s, const rsh_moves *moves, Side side,
                             const rsh_shape *shape, Digits *out) {
  Digits all = digits_of(moves), ordered, own;
  rsh_num volume;
  if (!order_by(s, &all, side, &ordered, &volume) || !refine(s, &ordered, shape, &own))
    return false;
  merge(s, &own);
  for (int32_t i = 1; i < own.count; i++)
    if (own.dim[i] == own.dim[i - 1])
      return false;
  return order_by(s, &own, side == SIDE_SOURCE ? SIDE_VALUE : SIDE_SOURCE, out, &volume);
}

// ---- Steps

typedef struct Draft {
  rsh_symbols *s;
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
    if (rsh_div(d->s, d->positive->item[i], size, &rest))
      return true;
  return false;
}

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
    if (rsh_is_unknown(size) || rsh_is(size, 0))
      return false;
  }
  d->shape = *to;
  return inferred == 0 || (inferred == 1 && may_infer);
}

static bool add_transpose(Draft *d, const int32_t *perm) {
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
  return true;
}

// The value's sizes in the source's order, which are the digits. If the source has the same sizes, its sizes
// of 1 keep their positions; otherwise those of 1 come last. *place is the new position of each size of the
// value.
static rsh_shape source_sizes(const Digits *digits, const rsh_shape *from, const rsh_shape *to,
                              int32_t *place) {
  rsh_shape sizes = {.rank = to->rank};
  bool same = from->rank == to->rank;
  int32_t next = 0;
  for (int32_t i = 0; same && i < from->rank; i++)
    if (!rsh_is(from->dim[i], 1))
      same = next < digits->count && rsh_equal(digits->axis[next++].extent, from->dim[i]);
  same = same && next == digits->count;
  int32_t one = 0, at = 0;
  for (int32_t i = 0; i < sizes.rank; i++) {
    bool is_one = same ? rsh_is(from->dim[i], 1) : at == digits->count;
    if (is_one) {
      while (one < to->rank && !rsh_is(to->dim[one], 1))
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
  if (!digits_are_sizes(d->s, moves, SIDE_VALUE, to, &digits))
    return false;
  rsh_shape sizes = source_sizes(&digits, &d->shape, to, place);
  return add_reshape(d, &sizes) && add_transpose(d, place);
}

// Transpose, Reshape: the source's sizes are digits. Those of 1 come last.
static bool draft_after(Draft *d, const rsh_moves *moves, const rsh_shape *to) {
  Digits digits;
  int32_t perm[RSH_MAX_RANK], count = 0;
  if (!digits_are_sizes(d->s, moves, SIDE_SOURCE, &d->shape, &digits))
    return false;
  for (int32_t i = 0; i < digits.count; i++)
    perm[count++] = digits.dim[i];
  for (int32_t i = 0; i < d->shape.rank; i++)
    if (rsh_is(d->shape.dim[i], 1))
      perm[count++] = i;
  return add_transpose(d, perm) && add_reshape(d, to);
}

// Reshape, Transpose, Reshape. Whole digits give the fewest sizes; digits cut at the sizes of both sides may
// allow a target to use 0.
static bool draft_both(Draft *d, const rsh_moves *moves, const rsh_shape *to, bool whole) {
  Digits all = digits_of(moves), source, value;
  rsh_num volume;
  if (!order_by(d->s, &all, SIDE_VALUE, &value, &volume) ||
      (!whole && !refine(d->s, &value, to, &all)) ||
      !order_by(d->s, &all, SIDE_SOURCE, &source, &volume) ||
      (!whole && !refine(d->s, &source, &d->shape, &all)) || all.count > RSH_MAX_RANK)
    return false;
  if (!order_by(d->s, &all, SIDE_SOURCE, &source, &volume))
    return false;
  rsh_shape sizes = {.rank = source.count};
  int32_t perm[RSH_MAX_RANK];
  for (int32_t i = 0; i < source.count; i++) {
    sizes.dim[i] = source.axis[i].extent;
    source.dim[i] = i;
  }
  if (!order_by(d->s, &source, SIDE_VALUE, &value, &volume))
    return false;
  for (int32_t i = 0; i < value.count; i++)
    perm[i] = value.dim[i];
  return add_reshape(d, &sizes) && add_transpose(d, perm) && add_reshape(d, to);
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

bool reorder_steps(rsh_symbols *s, const rsh_moves *moves, const rsh_shape *from,
                   const rsh_shape *to, const ReorderSizes *positive, Reorder *out) {
  bool found = false;
  int32_t source;
  rsh_num offset;
  if (rsh_moves_is_alias(s, moves, &source, &offset)) {
    Draft d = {s, positive, *from, {0}};
    found = add_reshape(&d, to);
    *out = d.made;
    return found;
  }
  for (int kind = 0; kind < 4; kind++) {
    Draft d = {s, positive, *from, {0}};
    if (!draft(&d, kind, moves, to) || (found && d.made.count >= out->count))
      continue;
    *out = d.made;
    found = true;
  }
  return found;
}
