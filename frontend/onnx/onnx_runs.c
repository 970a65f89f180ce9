// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators that read indices which count up: a Gather becomes slices, a ScatterND joined parts.
//
//   Gather(x, Range(2, S))               x[2:S]
//   ScatterND(x, Range(1, 3), y)         x[:1], y, x[3:]
#include "frontend/onnx/onnx_internal.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_PARTS = 64 };

// The elements of an axis that a ramp lists: `size` of them, from `first` to before `end`.
typedef struct Run {
  rsh_num first, size, end;
  int64_t stride; // above 0
  bool falls;     // the ramp lists the last one first
  int32_t along;  // the axis of the positions; below 0: all are `first`
  int32_t inner;  // if `along` counts blocks, the axis of the places in them; or -1
} Run;

// From the first and the stride of a ramp to the lowest and the highest element. Below 0, both count from the end.
static bool find_ends(rsh_symbols *s, rsh_num whole, Run *run) {
  rsh_num last;
  run->falls = run->stride < 0;
  if (!rsh_sub(s, run->size, rsh_int(1), &last) || !rsh_mul(s, last, rsh_int(run->stride), &last) ||
      !rsh_add(s, run->first, last, &last))
    return false;
  run->end = run->falls ? run->first : last;
  run->first = run->falls ? last : run->first;
  run->stride = run->falls ? -run->stride : run->stride;
  if (rsh_is_unknown(whole) || !rsh_add(s, run->end, rsh_int(1), &run->end))
    return false;
  if (!rsh_at_most(s, run->end, rsh_int(0)))
    return rsh_at_most(s, rsh_int(0), run->first);
  return rsh_add(s, whole, run->first, &run->first) && rsh_add(s, whole, run->end, &run->end);
}

// Finds the run of a ramp over the first `rank` axes of the positions. False: it is not a run.
static bool run_of(const Visit *v, const Positions *in, int32_t k, int32_t rank, rsh_num whole,
                   Run *run) {
  rsh_symbols *s = symbols_of(v);
  const Ramp *ramp = &in->ramp[k];
  int64_t block = 1;
  *run = (Run){.first = ramp->first, .size = rsh_int(1), .stride = 1, .along = -1, .inner = -1};
  for (int32_t i = 0; i < rank; i++) {
    const rsh_num size = in->shape.dim[i];
    if (rsh_is(size, 1) || ramp->stride[i] == 0)
      continue;
    bool is_inner = ramp->stride[i] == 1 && run->inner < 0 && rsh_is_known(size);
    if (is_inner) {
      run->inner = i;
      block = size.n;
    } else if (run->along < 0) {
      run->along = i;
    } else {
      return false;
    }
  }
  if (run->along < 0) { // one axis, which counts through known numbers
    run->along = run->inner;
    run->inner = -1;
    block = 1;
  }
  if (run->along >= 0 && run->inner >= 0 && ramp->stride[run->along] != block)
    return false;
  if (run->along >= 0 && run->inner < 0)
    run->stride = ramp->stride[run->along];
  return (run->along < 0 || rsh_mul(s, in->shape.dim[run->along], rsh_int(block), &run->size)) &&
         find_ends(s, whole, run);
}

// Requires a run to be inside its axis. False: it never is, which is reported.
static bool require_inside(Visit *v, const Run *run, rsh_num whole, int32_t axis) {
  Lower *l = &v->r->data;
  Guard guard = {.kind = WHERE_LE, .status = RSH_bad_index, .span = v->span};
  Guard above = guard;
  guard.left = rsh_int(0);
  guard.right = run->first;
  above.left = run->end;
  above.right = whole;
  // An index below 0 counts from the end: a survey, which checks no conditions, has to know that there is none.
  bool is_above = !v->r->surveyor || rsh_at_most(symbols_of(v), rsh_int(0), run->first);
  return (is_above && guard_add(l, guard) && guard_add(l, above)) ||
         onnx_error(v, "bad_index", "%s has indices %s to %s - 1; axis %d of %s has size %s",
                    input_label(v, 1), size_label(l, run->first), size_label(l, run->end),
                    (int)axis, input_label(v, 0), size_label(l, whole));
}

// Positions that are not such runs have no form here.
static Value *no_form(Visit *v, const char *form) {
  onnx_error(v, "unsupported",
             onnx_numbers(v->in[1])
                 ? "%s has indices of an axis whose size is known only at run time: it must count "
                   "%s along that axis"
                 : "%s is computed from sizes known only at run time: it must count %s along an "
                   "axis, and sizes must not decide whether an index is below 0",
             input_label(v, 1), form);
  return NULL;
}

// With a stride other than 1, a slice to the end of the axis may have more elements than are listed.
static Value *pick(Visit *v, Value *x, const Run *run, int32_t axis) {
  rsh_num first = run->first, end = run->end, whole = x->shape.dim[axis];
  if (run->falls) {
    rsh_symbols *s = symbols_of(v);
    x = step_flip(v, x, axis);
    if (!rsh_sub(s, whole, run->end, &first) || !rsh_sub(s, whole, run->first, &end))
      return no_form(v, "up or down");
  }
  if (run->stride == 1)
    return step_slice(v, x, first, end, axis);
  return step_slice(v, step_every(v, x, first, run->stride, axis), rsh_int(0), run->size, axis);
}

// The shortest axis of known size along which the indices change, or -1.
static int32_t short_axis(const Positions *in) {
  int32_t found = -1;
  for (int32_t i = 0; i < in->shape.rank; i++) {
    rsh_num size = in->shape.dim[i];
    bool is_short = rsh_is_known(size) && size.n > 1 && size.n <= MOST_PARTS;
    if (is_short && in->ramp[0].stride[i] != 0 && (found < 0 || size.n < in->shape.dim[found].n))
      found = i;
  }
  return found;
}

static Value *gather_at(Visit *v, Value *x, const Positions *in, int32_t axis, int64_t parts);

// Windows that overlap, or have gaps: [0, 1, 2], [2, 3, 4], and so on. Each place of a window is gathered separately.
static Value *gather_parts(Visit *v, Value *x, const Positions *in, int32_t axis, int64_t parts) {
  int32_t along = short_axis(in);
  parts *= along < 0 ? 1 : in->shape.dim[along].n;
  if (along < 0 || parts > MOST_PARTS)
    return no_form(v, "up or down");
  Value *part[MOST_PARTS];
  Positions one = *in;
  one.shape.dim[along] = rsh_int(1);
  for (int64_t i = 0; i < in->shape.dim[along].n; i++) {
    part[i] = gather_at(v, x, &one, axis, parts);
    if (!part[i] || !rsh_add(symbols_of(v), one.ramp[0].first, rsh_int(in->ramp[0].stride[along]),
                             &one.ramp[0].first))
      return NULL;
  }
  return step_join_all(v, part, (int)in->shape.dim[along].n, false, axis + along);
}

// `parts`: of how many parts this is one.
static Value *gather_at(Visit *v, Value *x, const Positions *in, int32_t axis, int64_t parts) {
  int32_t rank = in->shape.rank;
  Run run;
  if (!run_of(v, in, 0, rank, x->shape.dim[axis], &run))
    return gather_parts(v, x, in, axis, parts);
  if (!require_inside(v, &run, x->shape.dim[axis], axis))
    return NULL;
  Value *made = pick(v, x, &run, axis);
  rsh_shape each = {.rank = x->shape.rank - 1 + rank}, shape;
  rsh_num perm[RSH_MAX_RANK];
  for (int32_t i = 0; i < each.rank; i++)
    perm[i] = rsh_int(i);
  for (int32_t i = 0; i < each.rank; i++)
    each.dim[i] = i < axis          ? x->shape.dim[i]
                  : i < axis + rank ? rsh_int(1)
                                    : x->shape.dim[i - rank + 1];
  shape = each;
  for (int32_t i = 0; i < rank; i++)
    shape.dim[axis + i] = in->shape.dim[i];
  int32_t first = axis + run.along, second = axis + run.inner;
  if (run.along >= 0)
    each.dim[first] = run.inner < 0 ? run.size : shape.dim[first];
  if (run.inner >= 0)
    each.dim[second] = shape.dim[second];
  if (run.inner >= 0 && second < first) { // the slice has the blocks before the places in them
    each.dim[second] = shape.dim[first];
    each.dim[first] = shape.dim[second];
    perm[second] = rsh_int(first);
    perm[first] = rsh_int(second);
  }
  made = step_transpose(v, step_shape(v, made, &each), perm, each.rank);
  return step_expand(v, made, &shape);
}

// The indices of one place in tuples.
static Positions place_of(const Positions *in, int32_t k) {
  Positions one = *in;
  one.count = 1;
  one.shape.dim[one.shape.rank - 1] = rsh_int(1);
  one.ramp[0] = in->ramp[k];
  return one;
}

// Indices that count up, and tuples of these.
static Value *gather_tuples(Visit *v, Value *x, const Positions *in, int32_t axis) {
  Value *part[RSH_MAX_RANK];
  if (x->shape.rank - 1 + in->shape.rank > RSH_MAX_RANK || positions_have_blocks(in))
    return no_form(v, "up or down");
  if (in->count == 1)
    return gather_at(v, x, in, axis, 1);
  for (int32_t k = 0; k < in->count; k++) {
    const Positions one = place_of(in, k);
    part[k] = gather_at(v, x, &one, axis, in->count);
    if (!part[k])
      return NULL;
  }
  return step_join_all(v, part, in->count, false, axis + in->shape.rank - 1);
}

// Applies the operators that the indices went through to what is gathered.
static Value *gather_rearranged(Visit *v, Value *x, const Positions *in, int32_t axis) {
  int32_t rank = in->shape.rank, more = rank - 1;
  rsh_shape shape = {.rank = x->shape.rank + more};
  rsh_num perm[RSH_MAX_RANK];
  if (!positions_are_rearranged(in))
    return gather_tuples(v, x, in, axis);
  Value *made = gather_rearranged(v, x, in->part[0], axis);
  if (in->compared == JOINED)
    return made
               ? step_join(v, made, gather_rearranged(v, x, in->part[1], axis), axis + in->order[0])
               : NULL;
  if (made && shape.rank > RSH_MAX_RANK)
    return no_form(v, "up or down");
  for (int32_t i = 0; made && i < shape.rank; i++) {
    bool is_index = i >= axis && i < axis + rank;
    shape.dim[i] = is_index   ? in->shape.dim[i - axis]
                   : i < axis ? x->shape.dim[i]
                              : x->shape.dim[i - more];
    perm[i] = rsh_int(is_index ? axis + in->order[i - axis] : i);
  }
  return in->compared == RESHAPED ? step_shape(v, made, &shape)
                                  : step_transpose(v, made, perm, shape.rank);
}

static Value *gather(Visit *v) {
  const Positions *in = v->in[1]->positions;
  Value *x = step_operand(v, 0);
  int32_t axis;
  int64_t written = attribute_int(v, "axis", 0);
  if (!x)
    return NULL;
  if (!rsh_axis_index(written, x->shape.rank, &axis)) {
    onnx_error(v, "bad_axis", "'axis' is %" PRId64 "; the rank of %s is %d", written,
               input_label(v, 0), (int)x->shape.rank);
    return NULL;
  }
  if (rsh_is_unknown(x->shape.dim[axis])) {
    onnx_error(
        v, "unsupported",
        "%s is computed from sizes known only at run time, and axis %d of %s has a size that "
        "only the call can compute: it must be a formula of the input's sizes",
        input_label(v, 1), (int)axis, input_label(v, 0));
    return NULL;
  }
  return gather_rearranged(v, x, in, axis);
}

static Value *join_parts(Visit *v, Value *const *part, int count, int32_t axis) {
  return count == 1 ? part[0] : step_join_all(v, part, count, false, axis);
}

// With the size of an axis split in two, or merged with the next one.
static rsh_shape split_axis(const rsh_shape *shape, int32_t axis, rsh_num outer, rsh_num inner) {
  rsh_shape made = *shape;
  memmove(made.dim + axis + 1, made.dim + axis, (size_t)(shape->rank - axis) * sizeof *made.dim);
  made.dim[axis] = outer;
  made.dim[axis + 1] = inner;
  made.rank++;
  return made;
}

// Replaces every `stride`-th element: as columns, the first one of which is new.
//
//   a b c d e, from 1 in steps of 2     a   b c      a   B c
//                                           d e          D e
//
// The axis is padded, so that the last row is complete.
static Value *replace_column(Visit *v, Value *x, Value *column, const Run *run, int32_t axis) {
  rsh_symbols *s = symbols_of(v);
  const rsh_num zero = rsh_int(0), stride = rsh_int(run->stride);
  rsh_num whole = x->shape.dim[axis], length, end, padded;
  if (x->shape.rank == RSH_MAX_RANK || !rsh_mul(s, run->size, stride, &length) ||
      !rsh_add(s, run->first, length, &end) ||
      !rsh_add(s, whole, rsh_int(run->stride - 1), &padded))
    return no_form(v, "up");
  Value *wide = step_pad(v, x, axis, zero, rsh_int(run->stride - 1), NULL),
        *middle = step_slice(v, wide, run->first, end, axis), *part[3];
  int count = 0;
  if (!middle || !column)
    return NULL;
  const rsh_shape flat = middle->shape, rows = split_axis(&flat, axis, run->size, stride),
                  one = split_axis(&column->shape, axis, run->size, rsh_int(1));
  middle = step_slice(v, step_shape(v, middle, &rows), rsh_int(1), stride, axis + 1);
  column = step_shape(v, column, &one);
  if (!middle || !column)
    return NULL;
  if (!rsh_is(run->first, 0))
    part[count++] = step_slice(v, wide, zero, run->first, axis);
  part[count++] = step_shape(v, step_join(v, column, middle, axis + 1), &flat);
  if (!rsh_equal(end, padded))
    part[count++] = step_slice(v, wide, end, padded, axis);
  return step_slice(v, join_parts(v, part, count, axis), zero, whole, axis);
}

// Replaces the elements in the runs of axes `axis` to `axes` - 1.
static Value *replace(Visit *v, Value *x, Value *updates, const Run *run, int32_t axis,
                      int32_t axes) {
  Value *part[3];
  int count = 0;
  if (axis == axes || !x)
    return x ? updates : NULL;
  const Run *here = &run[axis];
  rsh_num whole = x->shape.dim[axis];
  bool is_last = axis + 1 == axes;
  Value *inner = is_last ? x : pick(v, x, here, axis);
  inner = replace(v, inner, updates, run, axis + 1, axes);
  if (here->stride > 1)
    return replace_column(v, x, inner, here, axis);
  if (!rsh_is(here->first, 0))
    part[count++] = step_slice(v, x, rsh_int(0), here->first, axis);
  part[count++] = inner;
  if (!rsh_equal(here->end, whole))
    part[count++] = step_slice(v, x, here->end, whole, axis);
  return join_parts(v, part, count, axis);
}

// The tuples of ScatterND. NULL: they are not positions.
static const Positions *tuples_of(Visit *v) {
  const Item *item = v->in[1];
  if (item->positions) {
    const rsh_shape *shape = &item->positions->shape;
    bool is_tuple =
        item->positions->count > 1 || (shape->rank > 0 && rsh_is(shape->dim[shape->rank - 1], 1));
    return is_tuple && !item->positions->compared && !positions_have_blocks(item->positions)
               ? item->positions
               : NULL;
  }
  Positions *made = positions_new(v, item->known->dtype, &item->known->shape);
  rsh_shape each = made->shape;
  int64_t length = each.rank > 0 ? each.dim[--each.rank].n : 0;
  made->count = length <= RSH_MAX_RANK ? (int32_t)length : 0;
  for (int32_t k = 0; k < made->count; k++)
    if (!positions_ramp(v, item->known, &each, k, made->count, &made->ramp[k]))
      return NULL;
  return made->count > 0 ? made : NULL;
}

// Finds the runs, which must be along different axes of the updates, in order, and those must list each place once.
static bool find_runs(const Visit *v, const Positions *in, const Value *x, const Value *updates,
                      Run *run) {
  int32_t outer = in->shape.rank - 1, next = 0;
  if (in->count > x->shape.rank || updates->shape.rank != outer + x->shape.rank - in->count)
    return false;
  for (int32_t i = 0; i < outer; i++)
    if (rsh_is_unknown(updates->shape.dim[i]) || rsh_is_unknown(in->shape.dim[i]))
      return false;
  for (int32_t k = 0; k < in->count; k++) {
    if (!run_of(v, in, k, outer, x->shape.dim[k], &run[k]) || run[k].inner >= 0 || run[k].falls)
      return false;
    for (; run[k].along >= 0 && next < run[k].along; next++)
      if (!rsh_is(in->shape.dim[next], 1))
        return false;
    if (run[k].along >= 0 && next++ != run[k].along)
      return false;
  }
  for (; next < outer; next++)
    if (!rsh_is(in->shape.dim[next], 1))
      return false;
  return true;
}

// Requires size `at` of the updates to be `size`, a size of input number `input`. False: it never is; reported.
static bool require_size(Visit *v, const Value *updates, int32_t at, rsh_num size, size_t input) {
  return sizes_must_agree(&v->r->data, updates->shape.dim[at], size, RSH_shape_mismatch, v->span) ||
         onnx_error(v, "shape_mismatch", "size %d of %s is not that of %s", (int)at,
                    input_label(v, 2), input_label(v, input));
}

Value *positions_scatter(Visit *v) {
  const Positions *in = tuples_of(v);
  Value *x = step_operand(v, 0), *updates = x ? step_operand(v, 2) : NULL;
  Run run[RSH_MAX_RANK];
  if (!updates || !sizes_open(&v->r->data, updates, v->span))
    return NULL;
  if (!in || !find_runs(v, in, x, updates, run))
    return no_form(v, "up");
  int32_t outer = in->shape.rank - 1;
  for (int32_t i = 0; i < updates->shape.rank; i++) {
    int32_t axis = i - outer + in->count; // of x, from the last axis of the indices on
    if (!require_size(v, updates, i, i < outer ? in->shape.dim[i] : x->shape.dim[axis],
                      i < outer ? 1 : 0))
      return NULL;
  }
  rsh_shape shape = x->shape;
  for (int32_t k = 0; k < in->count; k++) {
    if (!require_inside(v, &run[k], x->shape.dim[k], k))
      return NULL;
    shape.dim[k] = run[k].size;
  }
  return replace(v, x, step_shape(v, updates, &shape), run, 0, in->count);
}

// A gather of positions that are a tensor as well has another form if they are not a run.
bool positions_are_read(const Visit *v) {
  const Item *item = input_of(v, 1);
  const Positions *in = item ? item->positions : NULL;
  Run run;
  if (!in || (in->compared && !positions_are_rearranged(in)))
    return false;
  if (positions_are_rearranged(in))
    return strcmp(v->op, "Gather") == 0 && !item->value;
  if (strcmp(v->op, "ScatterND") == 0)
    return true;
  if (strcmp(v->op, "ScatterElements") == 0 || strcmp(v->op, "Scatter") == 0)
    return !item->known;
  if (strcmp(v->op, "Gather") != 0)
    return false;
  return !item->value ||
         (!positions_have_blocks(in) && run_of(v, in, 0, in->shape.rank, rsh_int(0), &run) &&
          rsh_at_most(symbols_of(v), rsh_int(0), run.first));
}

Value *positions_gather(Visit *v) {
  int nodes = v->r->data.graph->node.count;
  return step_result(v, gather(v), nodes);
}
