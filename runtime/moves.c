// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists of moves: building, normal form, joining, the alias test.
#include "runtime/moves.h"

rsh_num rsh_calc_fail(Calc *c, rsh_num a, rsh_num b) {
  if (c->status == RSH_ok)
    c->status = rsh_are_known(a, b) ? RSH_overflow : RSH_unknown_size;
  return rsh_int(0);
}

rsh_move *rsh_moves_push(Calc *c, rsh_moves *m, const rsh_move *like, rsh_num dst_offset) {
  if (m->count == m->capacity) {
    c->status = RSH_too_small;
    return 0;
  }
  rsh_move *move = &m->move[m->count++];
  move->source = like->source;
  move->map = like->map;
  move->first = m->axis_count;
  move->axis_count = 0;
  move->src_offset = like->src_offset;
  move->dst_offset = dst_offset;
  move->at_offset = like->at_offset;
  return move;
}

void rsh_moves_push_axis(Calc *c, rsh_moves *m, rsh_axis axis) {
  rsh_move *move = &m->move[m->count - 1];
  if (m->axis_count == m->axis_capacity || move->axis_count == RSH_MAX_AXES) {
    c->status = RSH_too_small;
    return;
  }
  m->axis[m->axis_count++] = axis;
  move->axis_count++;
}

void rsh_moves_push_repeat(Calc *c, rsh_moves *m, rsh_num count, rsh_num dst) {
  rsh_moves_push_axis(c, m, (rsh_axis){count, dst, rsh_int(0), rsh_int(0)});
}

void rsh_moves_shift(Calc *c, rsh_move *move, const rsh_axis *axis, rsh_num indices) {
  move->dst_offset = rsh_calc_add(c, move->dst_offset, rsh_calc_mul(c, axis->dst, indices));
  move->src_offset = rsh_calc_add(c, move->src_offset, rsh_calc_mul(c, axis->src, indices));
  if (!rsh_is(axis->at, 0))
    move->at_offset = rsh_calc_add(c, move->at_offset, rsh_calc_mul(c, axis->at, indices));
}

rsh_axis rsh_axis_scale(Calc *c, const rsh_axis *axis, rsh_num factor) {
  rsh_axis scaled = *axis;
  scaled.dst = rsh_calc_mul(c, axis->dst, factor);
  scaled.src = rsh_calc_mul(c, axis->src, factor);
  if (!rsh_is(axis->at, 0))
    scaled.at = rsh_calc_mul(c, axis->at, factor);
  return scaled;
}

void rsh_moves_pop(rsh_moves *m) { m->axis_count = m->move[--m->count].first; }

void rsh_moves_push_parts(Calc *c, rsh_moves *m, const rsh_moves *in, int32_t k, int64_t ratio,
                          int64_t part) {
  const rsh_move *move = &in->move[k];
  rsh_num times = rsh_int(ratio), first = rsh_int(part);
  if (ratio > 1 && move->map != 0) { // computed elements cannot be split
    c->status = RSH_unknown_size;
    return;
  }
  rsh_num dst_offset = rsh_calc_add(c, rsh_calc_mul(c, move->dst_offset, times), first);
  rsh_move *pushed = rsh_moves_push(c, m, move, dst_offset);
  if (pushed == 0)
    return;
  pushed->src_offset = rsh_calc_add(c, rsh_calc_mul(c, move->src_offset, times), first);
  for (int32_t i = 0; i < move->axis_count && c->status == RSH_ok; i++) {
    const rsh_axis axis = rsh_axis_scale(c, &in->axis[move->first + i], times);
    rsh_moves_push_axis(c, m, axis);
  }
  if (ratio > 1 && !rsh_is_fill(move->source) && c->status == RSH_ok)
    rsh_moves_push_axis(c, m, (rsh_axis){times, rsh_int(1), rsh_int(1), rsh_int(0)});
}

rsh_status rsh_moves_identity(rsh_moves *out, int32_t source, rsh_num volume) {
  Calc c = {0, RSH_ok};
  out->count = out->axis_count = out->parts = 0;
  if (rsh_is(volume, 0))
    return RSH_ok;
  rsh_move whole = {.source = source};
  if (rsh_moves_push(&c, out, &whole, whole.dst_offset) != 0 && !rsh_is(volume, 1))
    rsh_moves_push_axis(&c, out, (rsh_axis){volume, rsh_int(1), rsh_int(1), rsh_int(0)});
  return c.status;
}

rsh_status rsh_moves_strided(rsh_symbols *s, rsh_moves *out, int32_t source, const rsh_shape *shape,
                             const rsh_num *stride, rsh_num offset) {
  Calc c = {s, RSH_ok};
  rsh_num dense = rsh_int(1), dst[RSH_MAX_RANK];
  out->count = out->axis_count = out->parts = 0;
  for (int32_t i = shape->rank - 1; i >= 0; i--) {
    if (rsh_is(shape->dim[i], 0))
      return RSH_ok;
    dst[i] = dense;
    dense = rsh_calc_mul(&c, dense, shape->dim[i]);
  }
  rsh_move whole = {.source = source, .src_offset = offset};
  if (rsh_moves_push(&c, out, &whole, whole.dst_offset) == 0)
    return c.status;
  for (int32_t i = 0; i < shape->rank; i++)
    rsh_moves_push_axis(&c, out, (rsh_axis){shape->dim[i], dst[i], stride[i], rsh_int(0)});
  if (c.status == RSH_ok)
    rsh_moves_end_last(&c, out);
  return c.status;
}

rsh_status rsh_moves_copy(rsh_moves *out, const rsh_moves *in) {
  if (in->count > out->capacity || in->axis_count > out->axis_capacity)
    return RSH_too_small;
  out->count = in->count;
  out->axis_count = in->axis_count;
  out->parts = in->parts;
  for (int32_t i = 0; i < in->count; i++)
    out->move[i] = in->move[i];
  for (int32_t i = 0; i < in->axis_count; i++)
    out->axis[i] = in->axis[i];
  return RSH_ok;
}

rsh_supposed rsh_moves_suppose_elements(Calc *c, const rsh_axis *axis, int32_t count) {
  rsh_supposed added = rsh_suppose_nothing(c->symbols);
  for (int32_t k = 0; RSH_HAS_SYMBOLS && c->symbols != 0 && k < count; k++)
    rsh_suppose_positive(c->symbols, axis[k].extent, &added);
  return added;
}

void rsh_moves_forget_elements(Calc *c, rsh_supposed added) {
  if (RSH_HAS_SYMBOLS && c->symbols != 0)
    rsh_forget_supposed(c->symbols, &added);
}

// Whether all of b is known to be within one step of a.
static bool is_around(rsh_symbols *s, const rsh_axis *a, const rsh_axis *b) {
  rsh_num span;
  return rsh_mul(s, b->dst, b->extent, &span) && rsh_at_most(s, span, a->dst);
}

// Whether a is outside b. Strides by themselves do not decide: where A is 2, both steps of u8[2, A/2, A] are 2.
static bool is_outside(rsh_symbols *s, const rsh_axis *a, const rsh_axis *b) {
  if (rsh_is_known(a->dst) && rsh_is_known(b->dst))
    return a->dst.n > b->dst.n;
  return is_around(s, a, b) ||
         (!is_around(s, b, a) && !rsh_at_most(s, a->dst, b->dst) && rsh_at_most(s, b->dst, a->dst));
}

// Reverses an axis whose dst stride is negative.
static void make_dst_positive(Calc *c, rsh_move *move, rsh_axis *axis) {
  if (rsh_sign(c->symbols, axis->dst) != -1)
    return;
  rsh_moves_shift(c, move, axis, rsh_calc_sub(c, axis->extent, rsh_int(1)));
  *axis = rsh_axis_scale(c, axis, rsh_int(-1));
}

static bool steps_on(Calc *c, rsh_num outer, const rsh_axis *inner, rsh_num stride) {
  rsh_num whole;
  return rsh_mul(c->symbols, inner->extent, stride, &whole) && rsh_equal(outer, whole);
}

// {2, dst 12, src 12} {12, dst 1, src 1}  ->  {24, dst 1, src 1}
static int32_t merge_neighbors(Calc *c, rsh_axis *axis, int32_t count) {
  int32_t kept = 0;
  for (int32_t i = 0; i < count; i++) {
    rsh_axis next = axis[i];
    while (kept > 0 && steps_on(c, axis[kept - 1].dst, &next, next.dst) &&
           steps_on(c, axis[kept - 1].src, &next, next.src) &&
           steps_on(c, axis[kept - 1].at, &next, next.at))
      next.extent = rsh_calc_mul(c, axis[--kept].extent, next.extent);
    axis[kept++] = next;
  }
  return kept;
}

// Puts the last move into normal form (fold.h).
static void normalize_last(Calc *c, rsh_moves *m) {
  rsh_move *move = &m->move[m->count - 1];
  rsh_axis *axis = m->axis + move->first;
  int32_t count = 0;
  rsh_supposed before = rsh_moves_suppose_elements(c, axis, move->axis_count);
  for (int32_t i = 0; i < move->axis_count; i++) {
    if (rsh_is(axis[i].extent, 1))
      continue;
    rsh_axis a = axis[i];
    make_dst_positive(c, move, &a);
    int32_t at = count++;
    for (; at > 0 && is_outside(c->symbols, &a, &axis[at - 1]); at--)
      axis[at] = axis[at - 1];
    axis[at] = a;
  }
  rsh_moves_forget_elements(c, before);
  move->axis_count = merge_neighbors(c, axis, count);
  m->axis_count = move->first + move->axis_count;
}

// Whether facts show that the move has no elements, perhaps only since axes were merged: an extent is 0, or an axis
// stays in place, as sizes inside it multiply to 0, and no two elements have one place.
static bool is_empty(const rsh_moves *m, const rsh_move *move) {
  for (int32_t i = 0; i < move->axis_count; i++) {
    const rsh_axis *axis = &m->axis[move->first + i];
    if (rsh_is(axis->dst, 0) || rsh_is(axis->extent, 0))
      return true;
  }
  return false;
}

void rsh_moves_end_last(Calc *c, rsh_moves *m) {
  normalize_last(c, m);
  if (is_empty(m, &m->move[m->count - 1]))
    rsh_moves_pop(m);
}

static bool same_strides(const rsh_axis *a, const rsh_axis *b) {
  return rsh_equal(a->dst, b->dst) && rsh_equal(a->src, b->src) && rsh_equal(a->at, b->at);
}

bool rsh_same_axis(const rsh_axis *a, const rsh_axis *b) {
  return rsh_equal(a->extent, b->extent) && same_strides(a, b);
}

// The difference of two moves whose axes agree except for one axis, which only one of them has, or whose extents
// differ.
typedef struct Difference {
  bool fits;
  int32_t axis;     // where they differ; -1: nowhere
  rsh_num extent_a; // of that axis in a; 1: a lacks it
  rsh_num extent_b;
  rsh_axis model; // its strides
} Difference;

static Difference compare_axes(const rsh_axis *a, int32_t count_a, const rsh_axis *b,
                               int32_t count_b) {
  Difference d = {true, -1, rsh_int(1), rsh_int(1), {.extent = {0}}};
  int32_t i = 0, j = 0;
  while (d.fits && (i < count_a || j < count_b)) {
    if (i < count_a && j < count_b && rsh_same_axis(&a[i], &b[j])) {
      i++, j++;
      continue;
    }
    d.fits = d.axis < 0;
    d.axis = i;
    if (count_a - i > count_b - j) {
      d.model = a[i];
      d.extent_a = a[i++].extent;
    } else if (count_a - i < count_b - j) {
      d.model = b[j];
      d.extent_b = b[j++].extent;
    } else {
      d.model = a[i];
      d.fits = d.fits && same_strides(&a[i], &b[j]);
      d.extent_a = a[i++].extent;
      d.extent_b = b[j++].extent;
    }
  }
  return d;
}

static bool is_next(Calc *c, rsh_num from, rsh_num to, rsh_num extent, rsh_num stride) {
  rsh_num span, end;
  return rsh_mul(c->symbols, extent, stride, &span) && rsh_add(c->symbols, from, span, &end) &&
         rsh_equal(end, to);
}

// Whether the outer stride is a multiple of the inner one, and the multiple at least the inner extent. If the inner
// stride is larger than the reach of the axes inside it, so is the outer stride then. The proof has fewer factors:
//   H rows of a padded image {H, dst W+Q} in {B, dst (H+P)*(W+Q)}    H <= H+P
static bool is_nested(Calc *c, const rsh_axis *outer, const rsh_axis *inner) {
  rsh_num rows;
  return rsh_div(c->symbols, outer->dst, inner->dst, &rows) &&
         rsh_at_most(c->symbols, inner->extent, rows);
}

// Whether the dst strides work like digits: each is larger than the total reach of the axes inside it. Then an
// address can be decoded to its indices; pieces that interleave in other ways are not joined.
static bool has_digits(Calc *c, const rsh_moves *m, const rsh_move *move) {
  const rsh_axis *axis = m->axis + move->first;
  int32_t k = move->axis_count - 1;
  rsh_supposed before = rsh_moves_suppose_elements(c, axis, move->axis_count);
  rsh_num reach = rsh_int(0);
  for (; k >= 0 && (rsh_at_most(c->symbols, rsh_calc_add(c, reach, rsh_int(1)), axis[k].dst) ||
                    (k + 1 < move->axis_count && is_nested(c, &axis[k], &axis[k + 1])));
       k--) {
    rsh_num last = rsh_calc_sub(c, axis[k].extent, rsh_int(1));
    reach = rsh_calc_add(c, reach, rsh_calc_mul(c, axis[k].dst, last));
  }
  rsh_moves_forget_elements(c, before);
  return k < 0;
}

bool rsh_moves_have_digits(rsh_symbols *s, const rsh_moves *m) {
  Calc c = {s, RSH_ok};
  int32_t i = 0;
  while (i < m->count && has_digits(&c, m, &m->move[i]))
    i++;
  return i == m->count && c.status == RSH_ok;
}

// Appends a and b to `m`, which has room for a move, as one move. False: b does not continue a.
//   {6 @1,1} at 0 and {4 @1,1} at 6     ->  {10 @1,1} at 0
//   {5 @2,3} at 0 and {5 @2,3} at 1, 7  ->  {5 @2,3} {2 @1,7}
static bool append_joined(Calc *c, rsh_moves *m, rsh_move a, rsh_move b) {
  bool is_same = a.source == b.source && a.map == b.map;
  if (!is_same || (rsh_is_fill(a.source) && !rsh_equal(a.src_offset, b.src_offset)))
    return false;
  Difference d = compare_axes(m->axis + a.first, a.axis_count, m->axis + b.first, b.axis_count);
  if (!d.fits || m->axis_count + a.axis_count + 1 > m->axis_capacity)
    return false;
  if (d.axis < 0) {
    d.model.extent = rsh_int(2);
    d.model.dst = rsh_calc_sub(c, b.dst_offset, a.dst_offset);
    d.model.src = rsh_calc_sub(c, b.src_offset, a.src_offset);
    d.model.at = rsh_calc_sub(c, b.at_offset, a.at_offset);
  } else if (is_next(c, a.dst_offset, b.dst_offset, d.extent_a, d.model.dst) &&
             is_next(c, a.src_offset, b.src_offset, d.extent_a, d.model.src) &&
             is_next(c, a.at_offset, b.at_offset, d.extent_a, d.model.at)) {
    d.model.extent = rsh_calc_add(c, d.extent_a, d.extent_b);
  } else {
    return false;
  }
  int32_t longer =
      d.axis >= 0 && !rsh_is(d.extent_a, 1) ? d.axis : -1; // of a; -1: a has a new axis
  rsh_move *joined = rsh_moves_push(c, m, &a, a.dst_offset);
  for (int32_t i = 0; i < a.axis_count; i++) {
    rsh_axis axis = m->axis[a.first + i];
    rsh_moves_push_axis(c, m, i == longer ? d.model : axis);
  }
  if (longer < 0)
    rsh_moves_push_axis(c, m, d.model);
  normalize_last(c, m);
  if (c->status == RSH_ok && !is_empty(m, joined) && has_digits(c, m, joined))
    return true;
  if (c->status == RSH_ok)
    rsh_moves_pop(m);
  return false;
}

static bool is_before(const rsh_symbols *s, const rsh_move *a, const rsh_move *b) {
  if (rsh_is_known(a->dst_offset) && rsh_is_known(b->dst_offset))
    return a->dst_offset.n < b->dst_offset.n;
  return !rsh_equal(a->dst_offset, b->dst_offset) && rsh_at_most(s, a->dst_offset, b->dst_offset);
}

static bool offsets_are_known(const rsh_move *move, int32_t count) {
  for (int32_t i = 0; i < count; i++)
    if (!rsh_is_known(move[i].dst_offset))
      return false;
  return true;
}

// Merges two sorted halves into `to`, from begin to end.
static void merge_sorted(const rsh_move *from, rsh_move *to, int32_t begin, int32_t middle,
                         int32_t end) {
  int32_t a = begin, b = middle;
  for (int32_t i = begin; i < end; i++) {
    bool first = b == end || (a < middle && from[a].dst_offset.n <= from[b].dst_offset.n);
    to[i] = from[first ? a++ : b++];
  }
}

// One pass for each doubling of the sorted length; `other` is as long as the list.
static void merge_moves(rsh_move *move, rsh_move *other, int32_t count) {
  for (int64_t sorted = 1; sorted < count; sorted *= 2) {
    for (int64_t begin = 0; begin < count; begin += 2 * sorted) {
      int64_t middle = begin + sorted < count ? begin + sorted : count;
      int64_t end = middle + sorted < count ? middle + sorted : count;
      merge_sorted(move, other, (int32_t)begin, (int32_t)middle, (int32_t)end);
    }
    for (int32_t i = 0; i < count; i++)
      move[i] = other[i];
  }
}

// Symbolic offsets are only partially ordered: each move goes as far forward as it is known to be less.
static void sort_moves(const rsh_symbols *s, rsh_moves *m, rsh_moves *work) {
  enum { FEW = 64 };
  rsh_move *move = m->move;
  if (m->count > FEW && m->count <= work->capacity && offsets_are_known(move, m->count)) {
    merge_moves(move, work->move, m->count);
    return;
  }
  for (int32_t i = 1; i < m->count; i++) {
    rsh_move a = move[i];
    int32_t at = i;
    for (; at > 0 && is_before(s, &a, &move[at - 1]); at--)
      move[at] = move[at - 1];
    move[at] = a;
  }
}

// Removes unused axes, using a second list.
static void compact_axes(rsh_moves *m, rsh_moves *work) {
  work->axis_count = 0;
  for (int32_t i = 0; i < m->count; i++) {
    for (int32_t k = 0; k < m->move[i].axis_count; k++)
      work->axis[work->axis_count + k] = m->axis[m->move[i].first + k];
    m->move[i].first = work->axis_count;
    work->axis_count += m->move[i].axis_count;
  }
  for (int32_t k = 0; k < work->axis_count; k++)
    m->axis[k] = work->axis[k];
  m->axis_count = work->axis_count;
}

// The limit of comparisons in one pass; in a very long list, each move is compared with at least LEAST_WINDOW before
// it.
enum { MAX_COMPARES = 1 << 22, LEAST_WINDOW = 64 };

// One pass: joins each move, in order of dst_offset, to the nearest earlier move that it continues.
static bool join_once(Calc *c, rsh_moves *m) {
  int32_t count = m->count, kept = 0;
  int32_t window = MAX_COMPARES / count < LEAST_WINDOW ? LEAST_WINDOW : MAX_COMPARES / count;
  for (int32_t i = 0; i < count; i++) {
    rsh_move next = m->move[i];
    bool joined = false;
    int32_t last = kept > window ? kept - window : 0;
    for (int32_t k = kept; k > last && !joined && count < m->capacity; k--) {
      m->count = count; // a joined move is built after the list, then replaces its first half
      joined = append_joined(c, m, m->move[k - 1], next);
      if (joined)
        m->move[k - 1] = m->move[count];
    }
    if (!joined)
      m->move[kept++] = next;
  }
  m->count = kept;
  return kept < count;
}

void rsh_moves_join(Calc *c, rsh_moves *m, rsh_moves *work) {
  do {
    sort_moves(c->symbols, m, work);
    compact_axes(m, work);
  } while (m->count > 1 && c->status == RSH_ok && join_once(c, m));
}

bool rsh_moves_is_alias(rsh_symbols *s, const rsh_moves *m, int32_t *source, rsh_num *offset) {
  if (m->count > 0 && m->parts > 1)
    return false;
  if (m->count == 0) {
    *source = 0;
    *offset = rsh_int(0);
    return true;
  }
  for (int32_t i = 0; i < m->count; i++) {
    const rsh_move *move = &m->move[i];
    rsh_num shift;
    if (rsh_is_fill(move->source) || move->map != 0 ||
        !rsh_sub(s, move->src_offset, move->dst_offset, &shift))
      return false;
    for (int32_t k = 0; k < move->axis_count; k++)
      if (!rsh_equal(m->axis[move->first + k].src, m->axis[move->first + k].dst))
        return false;
    if (i > 0 && (move->source != *source || !rsh_equal(shift, *offset)))
      return false;
    *source = move->source;
    *offset = shift;
  }
  return true;
}

// Whether the map is the nest of loops in `axis`, innermost axis first.
static bool map_is_nest(const int64_t *element, int64_t volume, const rsh_axis *axis,
                        int32_t count) {
  int64_t index[RSH_MAX_AXES] = {0};
  uint64_t expected = (uint64_t)element[0]; // modulo 2^64: intermediate values may overflow
  for (int64_t i = 0; i < volume; i++) {
    if ((uint64_t)element[i] != expected)
      return false;
    expected += (uint64_t)axis[0].src.n;
    for (int32_t k = 0; ++index[k] == axis[k].extent.n && k + 1 < count; k++) {
      index[k] = 0;
      expected +=
          (uint64_t)axis[k + 1].src.n - (uint64_t)axis[k].src.n * (uint64_t)axis[k].extent.n;
    }
  }
  return true;
}

bool rsh_moves_from_map(rsh_moves *out, int32_t source, const int64_t *element, int64_t volume) {
  Calc c = {0, RSH_ok};
  rsh_axis axis[RSH_MAX_AXES]; // innermost first
  int32_t count = 0;
  // Each axis is as long as its first line continues: in a nest in normal form, it ends exactly there.
  for (int64_t dst = 1; dst < volume; dst *= axis[count++].extent.n) {
    int64_t src = element[dst] - element[0], extent = 2;
    while (extent * dst < volume && element[extent * dst] - element[(extent - 1) * dst] == src)
      extent++;
    if (volume % (dst * extent) != 0)
      return false;
    rsh_axis next = {rsh_int(extent), rsh_int(dst), rsh_int(src), rsh_int(0)};
    axis[count] = next;
  }
  if (count > 0 && !map_is_nest(element, volume, axis, count))
    return false;
  out->count = out->axis_count = out->parts = 0;
  rsh_move whole = {.source = source, .src_offset = rsh_int(element[0])};
  rsh_moves_push(&c, out, &whole, whole.dst_offset);
  for (int32_t k = count - 1; c.status == RSH_ok && k >= 0; k--)
    rsh_moves_push_axis(&c, out, axis[k]);
  return c.status == RSH_ok;
}
