// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Subscripts: a slice, a squeeze of the axes that integers pick, and an unsqueeze for the axes that None adds.
//
//   x: f32[4, 5, 6]    x[1, ..., ::-1]
//     slice(x, starts=[1, 5], ends=[2, -7], axes=[0, 2], steps=[1, -1])    f32[1, 5, 6]
//     squeeze(axes=[0])                                                    f32[5, 6]
//
// None or newaxis is an axis of size 1 in the result: an unsqueeze at the end.
// An integer on an axis that may be too short is a gather of one entry, and so is an index whose entry cannot be
// expressed.
#include "frontend/lower/lower_internal.h"

#include <string.h>

typedef struct SliceArgs { // the arguments of the slice, as far as they are built
  rsh_num start[RSH_MAX_RANK], end[RSH_MAX_RANK], axis[RSH_MAX_RANK], step[RSH_MAX_RANK];
  Span span[RSH_MAX_RANK];
  int count;
  rsh_num squeezed[RSH_MAX_RANK];
  int squeezed_count;
  rsh_num added[RSH_MAX_RANK]; // axes of the result
  int added_count;
} SliceArgs;

static void slice_push(SliceArgs *args, int axis, rsh_num start, rsh_num end, rsh_num step,
                       Span span) {
  args->start[args->count] = start;
  args->end[args->count] = end;
  args->axis[args->count] = rsh_int(axis);
  args->step[args->count] = step;
  args->span[args->count++] = span;
}

// Picks entry i of an axis that may be too short; gather checks it.
static bool pick_index(Lower *l, const Subscript *item, int axis, rsh_num i, Value **x,
                       SliceArgs *args) {
  Binding *b = binding_new(l, RSH_OP_GATHER, "gather", item->span);
  binding_operand(l, b, *x, item->span);
  binding_list(l, b, 0, &i, 1);
  binding_int(l, b, 1, axis);
  Values values = binding_apply(l, b);
  if (values.count == 0)
    return false;
  *x = values.item[0];
  args->squeezed[args->squeezed_count++] = rsh_int(axis);
  return true;
}

// If symbols determine whether this holds of an index, adds a guard. False: it never holds.
static bool ask_inside(Lower *l, const Subscript *item, rsh_num left, ConditionKind kind,
                       rsh_num right) {
  const Guard inside = {
      .kind = kind, .left = left, .right = right, .status = RSH_bad_index, .span = item->span};
  return guard_add(l, inside);
}

// Whether index i is at least 0 if entry `from_end` exists: A-1 on an axis of size A, since 2*A-1 >= 0 implies A >= 1.
static bool counts_from_start(rsh_symbols *s, rsh_num i, rsh_num from_end) {
  rsh_supposed exists = rsh_suppose_nothing(s);
  rsh_num next;
  if (rsh_add(s, from_end, rsh_int(1), &next))
    rsh_suppose_positive(s, next, &exists);
  bool counts = rsh_at_most(s, rsh_int(0), i);
  rsh_forget_supposed(s, &exists);
  return counts;
}

// The entry of an axis of size d that index i is, if symbols determine it. It stays below 0 if it cannot be expressed.
//   x[B] of u8[A]         B, if B < A
//   x[A - 1]              A-1, if A-1 >= 0
//   x[-B], B >= 1         A-B, if A-B >= 0
//   x[B - 2]              edge(B-2, A), if A+B-2 >= 0 and edge(B-2, A) < A
// False: there is no such entry.
static bool find_entry(Lower *l, const Subscript *item, rsh_num d, rsh_num *i) {
  rsh_symbols *s = l->graph->symbols;
  const rsh_num zero = rsh_int(0);
  const Edge entry = {.at = *i, .size = d, .least = zero};
  rsh_num from_end;
  if (rsh_at_most(s, zero, *i))
    return ask_inside(l, item, *i, WHERE_LT, d);
  if (!rsh_add(s, d, *i, &from_end) ||
      !ask_inside(l, item, counts_from_start(s, *i, from_end) ? *i : from_end, WHERE_GE, zero))
    return false;
  if (rsh_sign(s, *i) == -1)
    *i = from_end;
  else if (!l->again && !l->known->finds_nothing && !l->has_no_edges && edge_new(l, entry, i))
    return ask_inside(l, item, *i, WHERE_LT, d);
  return true;
}

// Reports an invalid number in a subscript; for a tensor also an operator that accepts one.
static bool report_number(Lower *l, const Expr *e, Problem *p, const char *other) {
  const Name *name = e->kind == EXPR_NAME ? name_find(l, e->name) : NULL;
  if (name && name->kind != NAME_SYMBOL)
    p->message = arena_printf(l->arena, "%s; write %s", p->message, other);
  problem_report(l, p);
  return false;
}

// x[i]: the axis of size d from i to i + 1. Negative i counts from the end.
static bool slice_index(Lower *l, const Subscript *item, int axis, Value **x, SliceArgs *args) {
  rsh_symbols *s = l->graph->symbols;
  rsh_num d = (*x)->shape.dim[axis], i, end;
  Problem p = {0};
  if (item->start->kind == EXPR_LIST) {
    lower_error(l, item->span, "bad_arg",
                "a subscript is an integer or a range; write gather(x, [0, 1]) for a list");
    return false;
  }
  if (!int_expr(l, item->start, &i, &p))
    return report_number(l, item->start, &p, "gather(x, indices) for indices that are a tensor");
  bool fits = true;
  rsh_num index = i;
  if (rsh_sign(s, i) == -1)
    fits = rsh_add(s, d, i, &i);
  fits = fits && rsh_add(s, i, rsh_int(1), &end);
  bool is_seen = fits && rsh_at_most(s, rsh_int(0), i) && rsh_at_most(s, end, d);
  if (fits && !is_seen && !rsh_is_known(d) && rsh_is_known(index))
    return pick_index(l, item, axis, index, x, args);
  if (!rsh_is_known(index) && (rsh_is_unknown(index) || rsh_is_unknown(d)))
    return pick_index(l, item, axis, index, x, args);
  bool is_inside = fits && rsh_sign(s, i) != -1 && !rsh_at_most(s, d, i);
  if (is_inside && !is_seen && !rsh_is_known(index)) {
    i = index;
    is_inside = find_entry(l, item, d, &i) && rsh_add(s, i, rsh_int(1), &end);
    if (is_inside && !l->again && !rsh_at_most(s, rsh_int(0), i))
      return pick_index(l, item, axis, index, x, args);
  }
  if (!is_inside) {
    lower_error(l, item->span, "bad_index", "index %s is outside axis %d of %s, of size %s%s",
                size_label(l, index), axis, value_label(l, *x), size_label(l, d),
                indices_allowed(l, d));
    return false;
  }
  slice_push(args, axis, i, end, rsh_int(1), item->span);
  args->squeezed[args->squeezed_count++] = rsh_int(axis);
  return true;
}

static bool subscript_int(Lower *l, const Expr *e, rsh_num missing, rsh_num *out) {
  Problem p = {0};
  *out = missing;
  return !e || int_expr(l, e, out, &p) ||
         report_number(l, e, &p, "slice(x, starts, ends) for bounds that are tensors");
}

// x[start:stop:step]. Omitted bounds cover the whole axis: 0 and d, or backwards d-1 and -d-1, which is before
// element 0. If the axis may be empty, they are the extreme integers.
static bool slice_range(Lower *l, const Subscript *item, int axis, const Value *x,
                        SliceArgs *args) {
  rsh_symbols *s = l->graph->symbols;
  rsh_num d = x->shape.dim[axis], start = rsh_int(0), end = d, step;
  if (!item->start && !item->stop && !item->step)
    return true;
  if (!subscript_int(l, item->step, rsh_int(1), &step))
    return false;
  bool is_back = rsh_sign(s, step) == -1;
  if (is_back && !rsh_at_most(s, rsh_int(1), d)) { // d-1 may not be an element
    start = rsh_int(INT64_MAX);
    end = rsh_int(INT64_MIN);
  } else if (is_back && !(rsh_sub(s, d, rsh_int(1), &start) && rsh_sub(s, rsh_int(-1), d, &end))) {
    lower_error(l, item->span, "overflow", "this does not fit 64 bits");
    return false;
  }
  if (!subscript_int(l, item->start, start, &start) || !subscript_int(l, item->stop, end, &end))
    return false;
  slice_push(args, axis, start, end, step, item->span);
  return true;
}

static bool is_new_axis(const Lower *l, const Subscript *item) {
  const Expr *e = item->kind == SUBSCRIPT_INDEX ? item->start : NULL;
  return e && e->kind == EXPR_NAME && !name_find(l, e->name) &&
         (strcmp(e->name, "None") == 0 || strcmp(e->name, "newaxis") == 0);
}

// Counts the axes that the subscripts name, and finds the '...' (-1: none). False: an error was reported.
static bool count_axes(Lower *l, const Expr *e, const Value *x, int *axes, int *ellipsis) {
  *axes = 0;
  *ellipsis = -1;
  for (int i = 0; i < e->index.count; i++) {
    const Subscript *item = &e->index.item[i];
    if (is_new_axis(l, item)) {
      continue;
    } else if (item->kind != SUBSCRIPT_ELLIPSIS) {
      ++*axes;
    } else if (*ellipsis >= 0) {
      lower_error(l, item->span, "bad_arg", "subscripts can have only one '...'");
      return false;
    } else {
      *ellipsis = i;
    }
  }
  if (*axes <= x->shape.rank)
    return true;
  lower_error(l, e->span, "bad_rank", "%s but %s has rank %d",
              arena_count(l->arena, *axes, "subscript"), value_label(l, x), (int)x->shape.rank);
  return false;
}

// Adds a new axis after `axis` axes of the tensor.
static bool add_axis(Lower *l, const Subscript *item, int axis, SliceArgs *args) {
  if (args->added_count == RSH_MAX_RANK) {
    lower_error(l, item->span, "rank_limit", "more than %d new axes", RSH_MAX_RANK);
    return false;
  }
  args->added[args->added_count] = rsh_int(axis - args->squeezed_count + args->added_count);
  args->added_count++;
  return true;
}

static bool read_subscripts(Lower *l, const Expr *e, Value **x, SliceArgs *args) {
  int axes, ellipsis, axis = 0;
  if (e->index.count == 0) { // a tensor called f32: f32[]
    lower_error(l, e->span, "bad_arg", "%s has no subscripts between '[' and ']'",
                value_label(l, *x));
    return false;
  }
  if (!count_axes(l, e, *x, &axes, &ellipsis))
    return false;
  for (int i = 0; i < e->index.count; i++) {
    const Subscript *item = &e->index.item[i];
    bool good = true;
    if (is_new_axis(l, item))
      good = add_axis(l, item, axis, args);
    else if (item->kind == SUBSCRIPT_ELLIPSIS)
      axis += (*x)->shape.rank - axes;
    else if (item->kind == SUBSCRIPT_INDEX)
      good = slice_index(l, item, axis++, x, args);
    else
      good = slice_range(l, item, axis++, *x, args);
    if (!good)
      return false;
  }
  return true;
}

static void give_list(Lower *l, Binding *b, int arg, const rsh_num *list, const SliceArgs *args) {
  Span *entry = ARENA_ARRAY(l->arena, Span, args->count);
  for (int i = 0; i < args->count; i++)
    entry[i] = args->span[i];
  binding_list(l, b, arg, list, args->count);
  b->arg[arg].given = true;
  b->arg[arg].entry = entry;
}

static Values slice(Lower *l, const Expr *e, Value *x, const SliceArgs *args) {
  Binding *b = binding_new(l, RSH_OP_SLICE, "slice", e->span);
  binding_operand(l, b, x, e->index.subject->span);
  give_list(l, b, RSH_SLICE_STARTS, args->start, args);
  give_list(l, b, RSH_SLICE_ENDS, args->end, args);
  give_list(l, b, RSH_SLICE_AXES, args->axis, args);
  give_list(l, b, RSH_SLICE_STEPS, args->step, args);
  return binding_apply(l, b);
}

static Values with_list(Lower *l, const Expr *e, rsh_op op, const char *name, Values values,
                        const rsh_num *axes, int count) {
  Binding *b = binding_new(l, op, name, e->span);
  binding_operand(l, b, values.item[0], e->span);
  binding_list(l, b, 0, axes, count);
  return binding_apply(l, b);
}

Values lower_index(Lower *l, const Expr *e) {
  Values values = {0};
  SliceArgs args = {.count = 0};
  Value *x = lower_value(l, e->index.subject);
  if (!x || !sizes_open(l, x, e->index.subject->span) || !read_subscripts(l, e, &x, &args))
    return values;
  values.item = ARENA_NEW(l->arena, Value *);
  values.item[values.count++] = x;
  if (args.count > 0)
    values = slice(l, e, x, &args);
  if (args.squeezed_count > 0 && values.count > 0)
    values = with_list(l, e, RSH_OP_SQUEEZE, "squeeze", values, args.squeezed, args.squeezed_count);
  if (args.added_count > 0 && values.count > 0)
    values = with_list(l, e, RSH_OP_UNSQUEEZE, "unsqueeze", values, args.added, args.added_count);
  return values;
}
