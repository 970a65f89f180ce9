// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators that pick elements by indices known at compile time become a gather along one axis of their
// concatenated operands:
//
//   Trilu x: f32[B, 2, 2]              x as [B, 4], and a 0: [B, 5]         gather [0, 1, 4, 3]
//   Where [true, false], x, y: f32[2]  x and y: [4]                         gather [0, 3]
//   ScatterND x: f32[3, N] at [[1]]    x and the updates: [4, N]            gather [0, 3, 2]
//
// Axes that do not affect the choice may have any size.
#include "frontend/onnx/onnx_internal.h"

#include "frontend/text/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- Inputs

// The numbers of an input, which must all be known. NULL: an error was reported.
static const Numbers *numbers(Visit *v, size_t input) {
  const Numbers *known = input_known(v, input);
  bool good = known != NULL;
  for (int32_t i = 0; good && i < known->count; i++)
    good = rsh_is_known(known->item[i]);
  if (!input_of(v, input))
    onnx_error(v, "arity", "input %zu is left out", input);
  else if (!good)
    onnx_refuse_unknown(v, input);
  return good ? known : NULL;
}

// The element count of axes `from` to `to` - 1, which must be known. Below 0: an error was reported.
static int64_t volume_of(Visit *v, const rsh_shape *shape, int32_t from, int32_t to, size_t input) {
  int64_t volume = 1;
  for (int32_t i = from; i < to; i++) {
    if (!rsh_is_known(shape->dim[i])) {
      onnx_error(
          v, "unsupported",
          "size %d of %s is not known when the model is compiled, and '%s' counts through it",
          (int)i, input_label(v, input), v->op);
      return -1;
    }
    volume = shape->dim[i].n == 0 ? 0
             : volume <= KNOWN_LIMIT
                 ? volume * (shape->dim[i].n <= KNOWN_LIMIT ? shape->dim[i].n : KNOWN_LIMIT + 1)
                 : volume;
  }
  if (volume <= KNOWN_LIMIT)
    return volume;
  onnx_error(v, "limit", "'%s' picks more than %d elements of %s", v->op, KNOWN_LIMIT,
             input_label(v, input));
  return -1;
}

// Merges axes `from` to `to` - 1 into one.
static rsh_shape merged(const rsh_shape *shape, int32_t from, int32_t to, int64_t volume) {
  rsh_shape made = {0};
  for (int32_t i = 0; i < from; i++)
    made.dim[made.rank++] = shape->dim[i];
  made.dim[made.rank++] = rsh_int(volume);
  for (int32_t i = to; i < shape->rank; i++)
    made.dim[made.rank++] = shape->dim[i];
  return made;
}

static rsh_num *count_up(Visit *v, int64_t count) {
  rsh_num *index = ARENA_ARRAY(v->r->arena, rsh_num, count);
  for (int64_t i = 0; i < count; i++)
    index[i] = rsh_int(i);
  return index;
}

// Makes an index of an axis nonnegative. False: it is out of range, which is reported.
static bool wrap(Visit *v, size_t input, int64_t index, int32_t axis, int64_t size, int64_t *out) {
  *out = index < 0 ? index + size : index;
  return (*out >= 0 && *out < size) ||
         onnx_error(v, "bad_index", "%s has index %" PRId64 "; axis %d of %s has size %" PRId64,
                    input_label(v, input), index, (int)axis, input_label(v, 0), size);
}

// Advances coordinates to the next row-major position.
static void next_place(int64_t *place, const rsh_shape *shape) {
  for (int32_t k = shape->rank - 1; k >= 0 && ++place[k] == shape->dim[k].n; k--)
    place[k] = 0;
}

// ---- Operators

// More than the size of an axis whose elements have addresses.
static const int64_t MOST_DIAGONAL = INT64_C(1) << 32;

static Value *pick_trilu(Visit *v) {
  Value *x = step_operand(v, 0);
  if (!x)
    return NULL;
  int32_t rank = x->shape.rank;
  if (rank < 2)
    return refused(onnx_error(v, "bad_rank", "%s has rank %d; 'Trilu' needs 2 at least",
                              input_label(v, 0), (int)rank));
  const Numbers *given = input_of(v, 1) ? numbers(v, 1) : NULL;
  if (input_of(v, 1) && !given)
    return NULL;
  if (given && given->count != 1)
    return refused(onnx_error(v, "bad_length", "%s must be one number", input_label(v, 1)));
  const rsh_num rows = x->shape.dim[rank - 2], columns = x->shape.dim[rank - 1];
  bool is_upper = attribute_int(v, "upper", 1) != 0;
  int64_t k = given ? given->item[0].n : 0, width = columns.n;
  k = k > MOST_DIAGONAL ? MOST_DIAGONAL : k < -MOST_DIAGONAL ? -MOST_DIAGONAL : k;
  if (!rsh_is_unknown(rows) && !rsh_is_unknown(columns) &&
      (!rsh_is_known(rows) || !rsh_is_known(columns)))
    return diagonals_triangle(v, x, rsh_int(k), is_upper);
  int64_t volume = volume_of(v, &x->shape, rank - 2, rank, 0);
  if (volume < 0)
    return NULL;
  rsh_num *index = count_up(v, volume);
  for (int64_t i = 0; i < volume; i++) {
    int64_t diagonal = i % width - i / width;
    if (is_upper ? diagonal < k : diagonal > k)
      index[i] = rsh_int(volume);
  }
  rsh_shape flat = merged(&x->shape, rank - 2, rank, volume), shape = x->shape;
  Value *made = step_pad(v, step_shape(v, x, &flat), rank - 2, rsh_int(0), rsh_int(1), NULL);
  made = step_gather(v, made, index, (int32_t)volume, rank - 2);
  return step_shape(v, made, &shape);
}

// A mask that compares numbers which count up to open sizes: parts along an axis, or triangles, as causal masks have.
static Value *where_by_positions(Visit *v, const Positions *mask) {
  Value *x = step_operand(v, 1), *y = x ? step_operand(v, 2) : NULL;
  rsh_shape shape = mask->shape;
  if (!y || !step_broadcast(v, &shape, &x->shape) || !step_broadcast(v, &shape, &y->shape))
    return NULL;
  return masks_choose(v, mask, &shape, step_expand(v, x, &shape), step_expand(v, y, &shape));
}

// A condition of sizes, for all elements: as many rows of x as there are, or none, and the rest of y.
static Value *where_by_sizes(Visit *v, const Numbers *condition) {
  Value *x = step_operand(v, 1), *y = x ? step_operand(v, 2) : NULL;
  rsh_shape shape = condition->shape;
  const rsh_shape one = {.rank = 1, .dim = {rsh_int(1)}};
  if (!y || !step_broadcast(v, &shape, &x->shape) || !step_broadcast(v, &shape, &y->shape))
    return NULL;
  const rsh_shape *rows = shape.rank > 0 ? &shape : &one;
  rsh_num from;
  if (!sizes_choose(v, condition->item[0], rows->dim[0], rsh_int(0), &from))
    return refused(onnx_error(
        v, "limit", "'%s' of too many sizes known only at run time, or of unknown ones", v->op));
  x = step_slice(v, step_expand(v, x, rows), rsh_int(0), from, 0);
  y = step_slice(v, step_expand(v, y, rows), from, rows->dim[0], 0);
  return step_shape(v, step_join(v, x, y, 0), &shape);
}

static Value *pick_where(Visit *v) {
  const Numbers *condition = input_known(v, 0);
  if (masks_are_read(v))
    return where_by_positions(v, v->in[0]->positions);
  if (condition && condition->dtype == RSH_BOOL && condition->count == 1 &&
      !rsh_is_known(condition->item[0]))
    return where_by_sizes(v, condition);
  const Numbers *mask = numbers(v, 0);
  Value *x = mask ? step_operand(v, 1) : NULL, *y = x ? step_operand(v, 2) : NULL;
  if (!y)
    return NULL;
  rsh_shape shape = mask->shape;
  if (!step_broadcast(v, &shape, &x->shape) || !step_broadcast(v, &shape, &y->shape))
    return NULL;
  int32_t lead = shape.rank - mask->shape.rank, from = shape.rank, to = 0;
  for (int32_t i = 0; i < mask->shape.rank; i++)
    if (!rsh_is(mask->shape.dim[i], 1)) {
      from = from < lead + i ? from : lead + i;
      to = lead + i + 1;
    }
  if (from >= to) // one choice for all
    return step_expand(v, mask->item[0].n != 0 ? x : y, &shape);
  int64_t volume = volume_of(v, &shape, from, to, 0);
  if (volume < 0)
    return NULL;
  rsh_shape flat = merged(&shape, from, to, volume), inner = {.rank = to - from};
  memcpy(inner.dim, shape.dim + from, (size_t)inner.rank * sizeof *inner.dim);
  rsh_shape own = {.rank = to - from}; // of the mask, on these axes
  for (int32_t i = from; i < to; i++)
    own.dim[i - from] = mask->shape.dim[i - lead];
  rsh_num *index = count_up(v, volume);
  for (int32_t i = 0; i < (int32_t)volume; i++)
    if (mask->item[onnx_broadcast_index(&own, &inner, i)].n == 0)
      index[i] = rsh_int(volume + i);
  x = step_shape(v, step_expand(v, x, &shape), &flat);
  y = step_shape(v, step_expand(v, y, &shape), &flat);
  Value *made = step_join(v, x, y, from);
  made = step_gather(v, made, index, (int32_t)volume, from);
  return step_shape(v, made, &shape);
}

static Value *pick_compress(Visit *v) {
  const Numbers *condition = numbers(v, 1);
  Value *x = condition ? step_operand(v, 0) : NULL;
  const Onnx__AttributeProto *given = attribute_of(v, "axis");
  int32_t axis = 0;
  if (!x)
    return NULL;
  if (condition->shape.rank != 1)
    return refused(onnx_error(v, "bad_rank", "%s must be a vector", input_label(v, 1)));
  if (given && !rsh_axis_index(given->i, x->shape.rank, &axis))
    return refused(onnx_error(v, "bad_axis", "'axis' is %" PRId64 "; the rank of %s is %d",
                              given->i, input_label(v, 0), (int)x->shape.rank));
  if (!given) {
    rsh_shape flat = {.rank = 1};
    if (rsh_volume(symbols_of(v), &x->shape, &flat.dim[0]) != RSH_ok)
      return refused(
          onnx_error(v, "overflow", "%s", overflow_text(v->r->arena, v->r->data.graph, &x->shape)));
    x = step_shape(v, x, &flat);
  }
  rsh_num *index = ARENA_ARRAY(v->r->arena, rsh_num, condition->count);
  int32_t count = 0;
  for (int32_t i = 0; i < condition->count; i++)
    if (condition->item[i].n != 0)
      index[count++] = rsh_int(i);
  return step_gather(v, x, index, count, axis);
}

// Builds the result of a scatter: `index` numbers the updates after the elements of x.
static Value *scatter(Visit *v, Value *x, Value *updates, const rsh_num *index, int32_t from,
                      int32_t to, int64_t volume, int64_t count) {
  rsh_shape shape = x->shape, flat = merged(&shape, from, to, volume);
  int32_t tail = updates->shape.rank - (shape.rank - to);
  rsh_shape more = merged(&updates->shape, from, tail, count);
  x = step_shape(v, x, &flat);
  updates = step_shape(v, updates, &more);
  Value *made = step_join(v, x, updates, from);
  made = step_gather(v, made, index, (int32_t)volume, from);
  return step_shape(v, made, &shape);
}

static bool is_plain_scatter(Visit *v) {
  const Onnx__AttributeProto *a = attribute_of(v, "reduction");
  bool is_none = !a || a->s.len == 0 || (a->s.len == 4 && memcmp(a->s.data, "none", 4) == 0);
  return is_none || onnx_error(v, "unsupported",
                               "'%s' with 'reduction' set does more than move elements", v->op);
}

// The sizes of x from axis `at` on, which the updates copy whole. False: reported.
static bool has_tail(Visit *v, const rsh_shape *x, int32_t at, const rsh_shape *updates,
                     size_t input) {
  int32_t lead = updates->rank - x->rank;
  for (int32_t i = at; i < x->rank; i++)
    if (!node_sizes_agree(v, updates->dim[lead + i], x->dim[i]))
      return onnx_error(v, "shape_mismatch", "size %d of %s is %s, but size %d of %s is %s",
                        (int)(lead + i), input_label(v, input),
                        size_label(&v->r->data, updates->dim[lead + i]), (int)i, input_label(v, 0),
                        size_label(&v->r->data, x->dim[i]));
  return true;
}

static Value *pick_scatter_nd(Visit *v) {
  if (!is_plain_scatter(v))
    return NULL;
  if (input_of(v, 1) && v->in[1]->positions)
    return positions_scatter(v);
  const Numbers *given = numbers(v, 1);
  Value *x = given ? step_operand(v, 0) : NULL, *updates = x ? step_operand(v, 2) : NULL;
  if (!updates)
    return NULL;
  int32_t outer = given->shape.rank - 1;
  if (outer < 0)
    return refused(
        onnx_error(v, "bad_rank", "%s has rank 0; its last axis lists indices", input_label(v, 1)));
  int64_t length = given->shape.dim[outer].n;
  if (length > x->shape.rank)
    return refused(onnx_error(v, "bad_rank",
                              "tuples of %" PRId64 " indices into %s, which has rank %d", length,
                              input_label(v, 0), (int)x->shape.rank));
  int32_t axes = (int32_t)length;
  if (updates->shape.rank != outer + x->shape.rank - axes)
    return refused(onnx_error(v, "bad_rank", "%s has rank %d; %d is needed", input_label(v, 2),
                              (int)updates->shape.rank, (int)(outer + x->shape.rank - axes)));
  for (int32_t i = 0; i < outer; i++)
    if (!node_sizes_agree(v, updates->shape.dim[i], given->shape.dim[i]))
      return refused(onnx_error(v, "shape_mismatch", "size %d of %s is not that of %s", (int)i,
                                input_label(v, 2), input_label(v, 1)));
  if (!has_tail(v, &x->shape, axes, &updates->shape, 2))
    return NULL;
  bool is_open = false;
  for (int32_t k = 0; k < axes; k++) {
    if (!node_indices_fit(v, given, k, axes, x->shape.dim[k], k))
      return NULL;
    is_open = is_open || !rsh_is_known(x->shape.dim[k]);
  }
  if (is_open && !v->r->surveyor)
    return positions_scatter(v);
  int64_t volume = volume_of(v, &x->shape, 0, axes, 0),
          tuples =
              volume < 0 ? -1 : volume_of(v, &given->shape, 0, outer, 1); // ONNX: the last wins
  if (tuples < 0)
    return NULL;
  rsh_num *index = count_up(v, volume);
  for (int64_t t = 0; t < tuples; t++) {
    int64_t address = 0, at;
    for (int32_t k = 0; k < axes; k++) {
      if (!wrap(v, 1, given->item[t * length + k].n, k, x->shape.dim[k].n, &at))
        return NULL;
      address = address * x->shape.dim[k].n + at;
    }
    index[address] = rsh_int(volume + t);
  }
  return scatter(v, x, updates, index, 0, axes, volume, tuples);
}

// ScatterElements at known places of an axis, the same ones along all other axes:
//   x.scatter(1, [[0, 2]] expanded to [B, 2], u)
static Value *scatter_along(Visit *v, const Positions *in) {
  Value *x = step_operand(v, 0), *updates = x ? step_operand(v, 2) : NULL;
  int32_t axis;
  if (!updates || !is_plain_scatter(v))
    return NULL;
  bool fits = rsh_axis_index(attribute_int(v, "axis", 0), x->shape.rank, &axis) && !in->compared &&
              in->count == 1 && in->shape.rank == x->shape.rank &&
              updates->shape.rank == x->shape.rank && rsh_is_known(in->ramp[0].first) &&
              rsh_is_known(in->shape.dim[axis]) && rsh_is_known(x->shape.dim[axis]);
  for (int32_t i = 0; fits && i < x->shape.rank; i++)
    fits = !rsh_is_unknown(in->shape.dim[i]) &&
           rsh_equal(updates->shape.dim[i], in->shape.dim[i]) &&
           (i == axis || (rsh_equal(x->shape.dim[i], in->shape.dim[i]) &&
                          (rsh_is(in->shape.dim[i], 1) || in->ramp[0].stride[i] == 0)));
  if (!fits)
    return refused(onnx_error(
        v, "unsupported",
        "%s is computed from sizes known only at run time: it must list known places of the axis, "
        "the same all along the others, and have the sizes of %s there and those of %s",
        input_label(v, 1), input_label(v, 0), input_label(v, 2)));
  int64_t size = volume_of(v, &x->shape, axis, axis + 1, 0), count = in->shape.dim[axis].n, at;
  if (size < 0 || volume_of(v, &in->shape, axis, axis + 1, 1) < 0)
    return NULL;
  rsh_num *index = count_up(v, size);
  for (int64_t i = 0; i < count; i++) {
    if (!wrap(v, 1, in->ramp[0].first.n + i * in->ramp[0].stride[axis], axis, size, &at))
      return NULL;
    index[at] = rsh_int(size + i);
  }
  return step_gather(v, step_join(v, x, updates, axis), index, (int32_t)size, axis);
}

static Value *pick_scatter_elements(Visit *v) {
  if (input_of(v, 1) && v->in[1]->positions && !v->in[1]->known)
    return scatter_along(v, v->in[1]->positions);
  const Numbers *given = is_plain_scatter(v) ? numbers(v, 1) : NULL;
  Value *x = given ? step_operand(v, 0) : NULL, *updates = x ? step_operand(v, 2) : NULL;
  int32_t axis;
  if (!updates)
    return NULL;
  int32_t rank = x->shape.rank;
  int64_t written = attribute_int(v, "axis", 0);
  if (!rsh_axis_index(written, rank, &axis))
    return refused(onnx_error(v, "bad_axis", "'axis' is %" PRId64 "; the rank of %s is %d", written,
                              input_label(v, 0), (int)rank));
  bool fits = given->shape.rank == rank && updates->shape.rank == rank;
  for (int32_t i = 0; fits && i < rank; i++)
    fits =
        node_sizes_agree(v, updates->shape.dim[i], given->shape.dim[i]) &&
        (i == axis || node_size_fits(v, given->shape.dim[i], x->shape.dim[i], RSH_shape_mismatch));
  if (!fits)
    return refused(onnx_error(v, "shape_mismatch", "the sizes of %s, %s and %s do not fit",
                              input_label(v, 0), input_label(v, 1), input_label(v, 2)));
  int64_t volume = node_indices_fit(v, given, 0, 1, x->shape.dim[axis], axis)
                       ? volume_of(v, &x->shape, 0, rank, 0)
                       : -1;
  if (volume < 0)
    return NULL;
  rsh_num *index = count_up(v, volume);
  int64_t place[RSH_MAX_RANK] = {0};
  for (int32_t i = 0; i < given->count; i++) {
    int64_t address = 0, at;
    if (!wrap(v, 1, given->item[i].n, axis, x->shape.dim[axis].n, &at))
      return NULL;
    for (int32_t k = 0; k < rank; k++)
      address = address * x->shape.dim[k].n + (k == axis ? at : place[k]);
    index[address] = rsh_int(volume + i);
    next_place(place, &given->shape);
  }
  return scatter(v, x, updates, index, 0, rank, volume, given->count);
}

// Requires that the updates are inside an axis of open size. False: they never are, which is reported.
static bool start_fits(Visit *v, const Value *x, const Value *updates, const Numbers *start,
                       int32_t axis, bool is_circular) {
  rsh_num size = x->shape.dim[axis], length = updates->shape.dim[axis];
  int64_t last = 0;
  for (int32_t i = 0; start && i < start->count; i++)
    last = start->item[i].n > last ? start->item[i].n : last;
  if (rsh_is_known(size) || !rsh_is_known(length) || length.n > KNOWN_LIMIT || last > KNOWN_LIMIT)
    return true; // checked later
  rsh_num least = rsh_int(is_circular ? last : last + length.n);
  if (!node_size_fits(v, length, size, RSH_shape_mismatch))
    return onnx_error(v, "shape_mismatch", "the sizes of %s and %s do not fit", input_label(v, 0),
                      input_label(v, 1));
  return has_tail(v, &x->shape, axis + 1, &updates->shape, 1) &&
         (node_size_fits(v, least, size, RSH_bad_index) ||
          onnx_error(v, "bad_index", "%s does not fit axis %d of %s", input_label(v, 1), (int)axis,
                     input_label(v, 0)));
}

// A cache in which a part is replaced, at a different position in each batch.
static Value *pick_tensor_scatter(Visit *v) {
  Value *x = step_operand(v, 0), *updates = x ? step_operand(v, 1) : NULL;
  const Numbers *start = updates && input_of(v, 2) ? numbers(v, 2) : NULL;
  const Onnx__AttributeProto *mode = attribute_of(v, "mode");
  bool is_circular = mode && mode->s.len == 8 && memcmp(mode->s.data, "circular", 8) == 0;
  int32_t axis;
  if (!updates || (input_of(v, 2) && !start))
    return NULL;
  if (!rsh_axis_index(attribute_int(v, "axis", -2), x->shape.rank, &axis) || axis == 0 ||
      updates->shape.rank != x->shape.rank)
    return refused(onnx_error(v, "bad_axis", "'axis' is not an axis after the first of %s and %s",
                              input_label(v, 0), input_label(v, 1)));
  int32_t from = start ? 0 : axis;
  if (!start_fits(v, x, updates, start, axis, is_circular))
    return NULL;
  int64_t volume = volume_of(v, &x->shape, from, axis + 1, 0),
          count = volume < 0 ? -1 : volume_of(v, &updates->shape, from, axis + 1, 1);
  if (count < 0)
    return NULL;
  int64_t size = x->shape.dim[axis].n, length = updates->shape.dim[axis].n;
  bool fits =
      length <= size &&
      (!start || (start->shape.rank == 1 && rsh_equal(start->shape.dim[0], x->shape.dim[0])));
  for (int32_t i = from; i < axis; i++)
    fits = fits && rsh_equal(x->shape.dim[i], updates->shape.dim[i]);
  if (!fits)
    return refused(onnx_error(v, "shape_mismatch", "the sizes of %s and %s do not fit",
                              input_label(v, 0), input_label(v, 1)));
  if (!has_tail(v, &x->shape, axis + 1, &updates->shape, 1))
    return NULL;
  rsh_num *index = count_up(v, volume);
  int64_t each = start && volume > 0 ? volume / size / start->count : 1;
  for (int64_t i = 0; i < volume; i++) {
    int64_t row = i / size, begin = start ? start->item[row / each].n : 0;
    if (begin < 0 || (!is_circular && begin > size - length) || begin > size)
      return refused(onnx_error(v, "bad_index",
                                "%s has index %" PRId64 "; axis %d of %s has size %" PRId64,
                                input_label(v, 2), begin, (int)axis, input_label(v, 0), size));
    int64_t at = i % size - begin;
    at += is_circular && at < 0 ? size : 0;
    if (at >= 0 && at < length)
      index[i] = rsh_int(volume + row * length + at);
  }
  return scatter(v, x, updates, index, from, axis + 1, volume, count);
}

static Value *pick_one_hot(Visit *v) {
  const Numbers *given = numbers(v, 0), *depth = given ? numbers(v, 1) : NULL;
  Value *values = depth ? step_operand(v, 2) : NULL;
  int32_t axis;
  if (!values)
    return NULL;
  int64_t written = attribute_int(v, "axis", -1);
  rsh_shape shape = given->shape;
  if (depth->count != 1 || depth->item[0].n < 0)
    return refused(
        onnx_error(v, "bad_length", "%s must be one number, not below 0", input_label(v, 1)));
  if (shape.rank == RSH_MAX_RANK || !rsh_axis_index(written, shape.rank + 1, &axis))
    return refused(onnx_error(v, "bad_axis", "'axis' is %" PRId64 "; the rank of %s is %d", written,
                              input_label(v, 0), (int)shape.rank));
  int64_t size = depth->item[0].n, inner = 1;
  memmove(shape.dim + axis + 1, shape.dim + axis, (size_t)(shape.rank - axis) * sizeof *shape.dim);
  shape.dim[axis] = rsh_int(size);
  shape.rank++;
  for (int32_t i = axis + 1; i < shape.rank; i++)
    inner *= shape.dim[i].n;
  int64_t volume = volume_of(v, &shape, 0, shape.rank, 0);
  if (volume < 0)
    return NULL;
  rsh_num *index = ARENA_ARRAY(v->r->arena, rsh_num, volume);
  for (int64_t i = 0; i < volume; i++) {
    int64_t hot = given->item[i / inner / size * inner + i % inner].n;
    index[i] = rsh_int((hot < 0 ? hot + size : hot) == i / inner % size);
  }
  return step_shape(v, step_gather(v, values, index, (int32_t)volume, 0), &shape);
}

// ---- Col2Im

typedef struct Window { // along one axis of the image
  int64_t size, block, dilation, stride, begin, end, steps;
} Window;

static int64_t entry_of(const Onnx__AttributeProto *a, size_t i, int64_t fallback) {
  return a && i < a->n_ints ? a->ints[i] : fallback;
}

static bool read_windows(Visit *v, const Numbers *image, const Numbers *block, Window *w) {
  const Onnx__AttributeProto *dilations = attribute_of(v, "dilations"),
                             *pads = attribute_of(v, "pads"), *strides = attribute_of(v, "strides");
  for (int32_t i = 0; i < image->count; i++) {
    w[i] = (Window){image->item[i].n,
                    block->item[i].n,
                    entry_of(dilations, (size_t)i, 1),
                    entry_of(strides, (size_t)i, 1),
                    entry_of(pads, (size_t)i, 0),
                    entry_of(pads, (size_t)(image->count + i), 0),
                    0};
    bool is_small = w[i].size >= 0 && w[i].size <= KNOWN_LIMIT && w[i].block > 0 &&
                    w[i].block <= KNOWN_LIMIT && w[i].dilation > 0 &&
                    w[i].dilation <= KNOWN_LIMIT && w[i].stride > 0 && w[i].begin >= 0 &&
                    w[i].begin <= KNOWN_LIMIT && w[i].end >= 0 && w[i].end <= KNOWN_LIMIT;
    int64_t room =
        is_small ? w[i].size + w[i].begin + w[i].end - w[i].dilation * (w[i].block - 1) - 1 : -1;
    w[i].steps = room < 0 ? 0 : room / w[i].stride + 1;
    if (!is_small)
      return onnx_error(v, "bad_attr",
                        "the sizes, strides, dilations and pads of axis %d do not fit", (int)i);
  }
  return true;
}

// The address in the image of a column element, axis by axis. Below 0: it is in the border.
static int64_t image_place(const Window *w, int32_t axes, int64_t in_block, int64_t step) {
  int64_t address = 0, stride = 1;
  for (int32_t k = axes - 1; k >= 0; k--) {
    int64_t at =
        step % w[k].steps * w[k].stride + in_block % w[k].block * w[k].dilation - w[k].begin;
    step /= w[k].steps;
    in_block /= w[k].block;
    if (at < 0 || at >= w[k].size)
      return -1;
    address += at * stride;
    stride *= w[k].size;
  }
  return address;
}

// If no elements of the columns overlap, each element of the image is one of them, or 0.
static Value *pick_col2im(Visit *v) {
  const Numbers *image = numbers(v, 1), *block = image ? numbers(v, 2) : NULL;
  Value *x = block ? step_operand(v, 0) : NULL;
  Window w[RSH_MAX_RANK];
  if (!x)
    return NULL;
  int32_t axes = image->count;
  if (x->shape.rank != 3 || image->shape.rank != 1 || axes < 1 || axes + 2 > RSH_MAX_RANK ||
      block->count != axes)
    return refused(onnx_error(v, "bad_rank", "%s must have rank 3, and %s and %s the same length",
                              input_label(v, 0), input_label(v, 1), input_label(v, 2)));
  if (!read_windows(v, image, block, w))
    return NULL;
  rsh_shape inner = {.rank = axes}, each = {.rank = axes}, steps = {.rank = axes},
            shape = {.rank = axes + 2};
  for (int32_t i = 0; i < axes; i++) {
    inner.dim[i] = shape.dim[i + 2] = image->item[i];
    each.dim[i] = block->item[i];
    steps.dim[i] = rsh_int(w[i].steps);
  }
  int64_t volume = volume_of(v, &inner, 0, axes, 1),
          in_block = volume < 0 ? -1 : volume_of(v, &each, 0, axes, 2),
          count = in_block < 0 ? -1 : volume_of(v, &steps, 0, axes, 0);
  if (count < 0)
    return NULL;
  if (count * in_block > KNOWN_LIMIT || !rsh_is(x->shape.dim[2], count) ||
      !rsh_div(symbols_of(v), x->shape.dim[1], rsh_int(in_block), &shape.dim[1]))
    return refused(onnx_error(v, "shape_mismatch",
                              "%s must have [N, C*%" PRId64 ", %" PRId64 "] elements",
                              input_label(v, 0), in_block, count));
  rsh_num *index = ARENA_ARRAY(v->r->arena, rsh_num, volume);
  for (int64_t i = 0; i < volume; i++)
    index[i] = rsh_int(count * in_block);
  for (int64_t i = 0; i < count * in_block; i++) {
    int64_t at = image_place(w, axes, i / count, i % count);
    if (at < 0)
      continue;
    if (index[at].n != count * in_block)
      return refused(onnx_error(v, "unsupported", "'Col2Im' adds elements where its blocks meet"));
    index[at] = rsh_int(i);
  }
  shape.dim[0] = x->shape.dim[0];
  rsh_shape flat = {.rank = 3, .dim = {shape.dim[0], shape.dim[1], rsh_int(count * in_block)}};
  Value *made = step_pad(v, step_shape(v, x, &flat), 2, rsh_int(0), rsh_int(1), NULL);
  made = step_gather(v, made, index, (int32_t)volume, 2);
  return step_shape(v, made, &shape);
}

// ---- Einsum

enum { ELLIPSIS = 128, LABELS = 256 }; // labels: letters, and one for each axis of an ellipsis

// "i...j" for a tensor of rank 4 is i, ELLIPSIS, ELLIPSIS + 1, j. Below 0: it is invalid.
static int32_t read_labels(const char *text, size_t length, int32_t ellipsis, int *label) {
  int32_t count = 0;
  for (size_t i = 0; i < length; i++) {
    bool is_dots = i + 2 < length && strncmp(text + i, "...", 3) == 0;
    int32_t more = is_dots ? ellipsis : text[i] == ' ' ? 0 : 1;
    if (count + more > RSH_MAX_RANK || (!is_dots && text[i] != ' ' && !is_letter(text[i])))
      return -1;
    for (int32_t k = 0; k < more; k++)
      label[count++] = is_dots ? ELLIPSIS + k : text[i];
    i += is_dots ? 2 : 0;
  }
  return count;
}

// Finds the first axis whose label occurs again, and the other axis.
static bool find_twice(const int *label, int32_t rank, int32_t *first, int32_t *second) {
  for (*first = 0; *first < rank; ++*first)
    for (*second = *first + 1; *second < rank; ++*second)
      if (label[*first] == label[*second])
        return true;
  return false;
}

// Replaces axes `first` and `second` by one, the last: their diagonal.
static Value *take_diagonal(Visit *v, Value *x, int *label, int32_t first, int32_t second) {
  int32_t rank = x->shape.rank, count = 0;
  rsh_num perm[RSH_MAX_RANK], size = x->shape.dim[first];
  int doubled = label[first];
  for (int32_t i = 0; i < rank; i++)
    if (i != first && i != second) {
      label[count] = label[i];
      perm[count++] = rsh_int(i);
    }
  label[count] = doubled;
  perm[rank - 2] = rsh_int(first);
  perm[rank - 1] = rsh_int(second);
  if (!rsh_equal(size, x->shape.dim[second]))
    return refused(onnx_error(v, "shape_mismatch", "axes %d and %d of %s differ in size",
                              (int)first, (int)second, input_label(v, 0)));
  x = step_transpose(v, x, perm, rank);
  int64_t volume = x ? volume_of(v, &x->shape, rank - 2, rank, 0) : -1;
  if (volume < 0)
    return NULL;
  rsh_num *index = ARENA_ARRAY(v->r->arena, rsh_num, size.n);
  for (int64_t i = 0; i < size.n; i++)
    index[i] = rsh_int(i * (size.n + 1));
  rsh_shape flat = merged(&x->shape, rank - 2, rank, volume);
  return step_gather(v, step_shape(v, x, &flat), index, (int32_t)size.n, rank - 2);
}

// A single tensor without sums: reordered axes, and diagonals.
static Value *pick_einsum(Visit *v) {
  const Onnx__AttributeProto *a = attribute_of(v, "equation");
  const char *text = a ? arena_text(v->r->arena, (const char *)a->s.data, a->s.len) : "";
  const char *arrow = strstr(text, "->");
  Value *x = v->node->n_input == 1 ? step_operand(v, 0) : NULL;
  if (!x)
    return refused(
        v->node->n_input == 1 ||
        onnx_error(v, "unsupported", "'Einsum' of several tensors does more than move elements"));
  size_t length = arrow ? (size_t)(arrow - text) : strlen(text);
  int label[RSH_MAX_RANK], wanted[RSH_MAX_RANK];
  int32_t plain = read_labels(text, length, 0, label),
          ellipsis = plain < 0 ? 0 : x->shape.rank - plain;
  int32_t rank = ellipsis < 0 ? -1 : read_labels(text, length, ellipsis, label), count = -1, first,
          second;
  if (arrow && rank == x->shape.rank)
    count = read_labels(arrow + 2, strlen(arrow + 2), ellipsis, wanted);
  for (int i = 0; !arrow && rank == x->shape.rank && i < LABELS; i++) {
    int at = (i + ELLIPSIS) % LABELS,
        times = 0; // the ellipsis, and letters that occur once, sorted
    for (int32_t k = 0; k < rank; k++)
      times += label[k] == at;
    count = count < 0 ? 0 : count;
    if (times == 1)
      wanted[count++] = at;
  }
  if (count < 0)
    return refused(onnx_error(v, "bad_attr", "equation '%s' does not fit %s, which has rank %d",
                              text, input_label(v, 0), (int)x->shape.rank));
  while (find_twice(label, rank, &first, &second)) {
    x = take_diagonal(v, x, label, first, second);
    if (!x)
      return NULL;
    rank--;
  }
  rsh_num perm[RSH_MAX_RANK];
  bool is_whole = count == rank;
  for (int32_t i = 0; is_whole && i < count; i++) {
    int32_t k = 0;
    while (k < rank && label[k] != wanted[i])
      k++;
    perm[i] = rsh_int(k);
    is_whole = k < rank;
    label[k < rank ? k : 0] = k < rank ? -1 : label[0]; // each once
  }
  if (!is_whole)
    return refused(onnx_error(v, "unsupported", "'Einsum' with equation '%s' adds elements", text));
  return step_transpose(v, x, perm, rank);
}

// ---- The table

typedef Value *Pick(Visit *v);

// `known`: the input that selects elements and must be known, otherwise the operator computes; -1: attributes and
// sizes select. `is_one`: whether its attributes allow it; NULL: any do.
static const struct {
  const char *op;
  Pick *pick;
  int known;
  bool (*is_one)(const Visit *v);
} picks[] = {
    {"Trilu", pick_trilu, -1, NULL},
    {"Where", pick_where, 0, NULL},
    {"Compress", pick_compress, 1, NULL},
    {"ScatterND", pick_scatter_nd, 1, NULL},
    {"ScatterElements", pick_scatter_elements, 1, NULL},
    {"Scatter", pick_scatter_elements, 1, NULL},
    {"TensorScatter", pick_tensor_scatter, -1, NULL},
    {"OneHot", pick_one_hot, 0, NULL},
    {"Col2Im", pick_col2im, -1, NULL},
    {"Einsum", pick_einsum, -1, NULL},
    {"Pad", pad_apply, -1, pad_is_of_steps},
    {"Resize", resize_pick, -1, resize_is_nearest},
    {"Upsample", resize_pick, -1, resize_is_nearest},
};
enum { PICKS = sizeof picks / sizeof *picks };

static int find_pick(const Visit *v) {
  for (int i = 0; i < PICKS; i++)
    if (strcmp(picks[i].op, v->op) == 0)
      return i;
  return -1;
}

bool pick_is_named(const Visit *v) { return find_pick(v) >= 0; }

bool pick_is_one(const Visit *v) {
  int i = find_pick(v);
  return i >= 0 && (!picks[i].is_one || picks[i].is_one(v)) &&
         (picks[i].known < 0 || input_known(v, (size_t)picks[i].known));
}

int pick_by_data(const Visit *v) {
  int i = find_pick(v);
  bool is_data = i >= 0 && picks[i].known >= 0 && (size_t)picks[i].known < v->node->n_input &&
                 !input_known(v, (size_t)picks[i].known);
  return is_data ? picks[i].known : -1;
}

Value *pick_apply(Visit *v) {
  int nodes = v->r->data.graph->node.count;
  return step_result(v, picks[find_pick(v)].pick(v), nodes);
}
