// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The axes of a pattern and their sizes. Each group on the left is an equation:
//
//   "b (h d), (q + k + k)"    h*d = size of axis 1 of the first tensor,  q + 2*k = size of the second
//
// A group with a single unknown determines its size; that may leave another group with a single unknown.
#include "frontend/lower/lower_pattern.h"

#include <string.h>

Span pattern_place(const Rearrange *r, uint32_t begin, uint32_t end) {
  Span span = r->text_span;
  if (span.end - span.begin != r->length + 2) // the text has escapes
    return span;
  return (Span){span.begin + 1 + begin, span.begin + 1 + end};
}

// --- Names

Axis *axis_find(Rearrange *r, const char *name) {
  for (int i = 0; i < r->axis.count; i++)
    if (strcmp(r->axis.item[i].name, name) == 0)
      return &r->axis.item[i];
  return NULL;
}

Dots *dots_find(Rearrange *r, const char *name) {
  for (int i = 0; i < r->dots.count; i++)
    if (strcmp(r->dots.item[i].name, name) == 0)
      return &r->dots.item[i];
  return NULL;
}

static bool collect_item(Rearrange *r, const PatternItem *item, bool is_left) {
  if (item->kind == PATTERN_NUMBER && item->number == 0)
    return PATTERN_FAIL(r, item, "bad_pattern",
                        is_left ? "an axis of size 0 needs a name" : "0 repetitions");
  if (item->kind != PATTERN_AXIS)
    return true;
  Axis *axis = axis_find(r, item->name);
  if (!axis) {
    Axis new_axis = {.name = item->name, .is_left = is_left};
    VEC_PUSH(r->l->arena, r->axis, new_axis);
    axis = &r->axis.item[r->axis.count - 1];
  }
  if (!item->has_number)
    return true;
  if (axis->has_size && !rsh_is(axis->size, item->number))
    return PATTERN_FAIL(r, item, "bad_pattern", "axis '%s' has two sizes: %s, and %lld here",
                        axis->name, size_label(r->l, axis->size), (long long)item->number);
  axis->has_size = true;
  axis->size = rsh_int(item->number);
  return true;
}

static bool collect_side(Rearrange *r, const PatternSide *side, bool is_left) {
  for (int t = 0; t < side->count; t++)
    for (int i = 0; i < side->tensor[t].item.count; i++)
      if (!collect_item(r, &side->tensor[t].item.item[i], is_left))
        return false;
  return true;
}

// Sets *times to the number of times that a tensor on the left repeats the groups before ..., as in (s ds)...; -1:
// still unknown.
static bool times_of(Rearrange *r, int t, int *times) {
  const PatternTensor *tensor = &r->pattern.left.tensor[t];
  int repeated = 0, rest = r->operand[t].shape->rank - tensor->group.count;
  for (int g = 0; g < tensor->group.count; g++)
    repeated += tensor->group.item[g].is_repeated;
  if (repeated == 0 || tensor->ellipsis >= 0)
    return true;
  rest += repeated;
  if (rest < 0 || rest % repeated != 0 || (*times >= 0 && *times != rest / repeated))
    return PATTERN_FAIL(r, tensor, "bad_pattern",
                        "%s has rank %d, which does not fit what is before '...'",
                        r->operand[t].label, r->operand[t].shape->rank);
  *times = rest / repeated;
  return true;
}

static bool repeat_groups(Rearrange *r) {
  PatternError error;
  int times = -1;
  for (int t = 0; t < r->operand_count && t < r->pattern.left.count; t++) {
    const Operand *operand = &r->operand[t];
    if (!operand->shape || (operand->shape->rank == RSH_RANK_UNKNOWN &&
                            !sizes_open(r->l, operand->value, operand->span)))
      return false; // an error was reported
    if (!times_of(r, t, &times))
      return false;
  }
  if (times < 0)
    return PATTERN_FAIL(r, &((PatternItem){.end = r->length}), "bad_pattern",
                        "the number of axes of '...' after a bracket cannot be determined");
  return pattern_repeat(r->l->arena, &r->pattern, times, &error) ||
         PATTERN_FAIL(r, &error, error.kind, "%s", error.message);
}

static bool has_dots(const PatternSide *side, const char *name) {
  for (int t = 0; t < side->count; t++)
    for (int i = 0; i < side->tensor[t].item.count; i++)
      if (side->tensor[t].item.item[i].kind == PATTERN_ELLIPSIS &&
          strcmp(side->tensor[t].item.item[i].name, name) == 0)
        return true;
  return false;
}

// '...' must not be dropped, even if it covers no axes.
static bool keeps_dots(Rearrange *r) {
  for (int t = 0; t < r->pattern.left.count; t++) {
    const PatternTensor *tensor = &r->pattern.left.tensor[t];
    const PatternItem *item = tensor->ellipsis >= 0 ? &tensor->item.item[tensor->ellipsis] : NULL;
    if (item && !has_dots(&r->pattern.right, item->name))
      return PATTERN_FAIL(
          r, item, "bad_pattern",
          "'%s...' is missing on the right; '%s' moves elements, it does not reduce", item->name,
          r->word);
  }
  return true;
}

bool pattern_open(Rearrange *r) {
  PatternError error;
  if (!pattern_parse(r->l->arena, r->text, r->length, &r->pattern, &error))
    return PATTERN_FAIL(r, &error, error.kind, "%s", error.message);
  if ((r->pattern.repeated.count > 0 && !repeat_groups(r)) || !keeps_dots(r))
    return false;
  return collect_side(r, &r->pattern.left, true) && collect_side(r, &r->pattern.right, false);
}

// --- Ranks

static bool has_open_dots(const PatternTensor *tensor) {
  return tensor->ellipsis >= 0 &&
         !tensor->group.item[tensor->item.item[tensor->ellipsis].group].in_brackets;
}

// The number of axes that the open '...' of a tensor adds to its group: -1 if it covers none.
static int dots_shift(Rearrange *r, const PatternTensor *tensor) {
  if (!has_open_dots(tensor))
    return 0;
  const Dots *dots = dots_find(r, tensor->item.item[tensor->ellipsis].name);
  return dots ? dots->rank - 1 : 0;
}

int group_axis(Rearrange *r, const PatternTensor *tensor, int group) {
  bool is_behind = has_open_dots(tensor) && group > tensor->item.item[tensor->ellipsis].group;
  return group + (is_behind ? dots_shift(r, tensor) : 0);
}

int tensor_rank(Rearrange *r, const PatternTensor *tensor) {
  return tensor->group.count + dots_shift(r, tensor);
}

static bool must_agree(Rearrange *r, rsh_num a, rsh_num b, uint32_t begin, uint32_t end) {
  return sizes_must_agree(r->l, a, b, RSH_bad_pattern, pattern_place(r, begin, end));
}

static bool same_dims(Rearrange *r, const Dots *a, const Dots *b, const PatternItem *item) {
  bool same = a->rank == b->rank;
  for (int i = 0; same && i < a->rank; i++)
    same = must_agree(r, a->dim[i], b->dim[i], item->begin, item->end);
  return same;
}

static const char *dims_text(const Rearrange *r, const Dots *dots) {
  rsh_shape shape = {.rank = dots->rank};
  memcpy(shape.dim, dots->dim, sizeof shape.dim);
  return shape_text(r->l->arena, r->l->graph, &shape);
}

// Sets what '...' of an operand covers; the same dots in several operands cover the same axes.
static bool open_dots(Rearrange *r, const PatternTensor *tensor, const Operand *operand) {
  const PatternItem *item = &tensor->item.item[tensor->ellipsis];
  Dots dots = {.name = item->name, .label = operand->label};
  dots.rank = operand->shape->rank - (tensor->group.count - 1);
  for (int i = 0; i < dots.rank; i++)
    dots.dim[i] = operand->shape->dim[item->group + i];
  const Dots *old = dots_find(r, item->name);
  if (old && !same_dims(r, old, &dots, item))
    return PATTERN_FAIL(r, item, "bad_pattern", "'%s...' is %s in %s and %s in %s", item->name,
                        dims_text(r, old), old->label, dims_text(r, &dots), dots.label);
  if (!old)
    VEC_PUSH(r->l->arena, r->dots, dots);
  return true;
}

static bool axes_of_rank(Rearrange *r, const PatternTensor *tensor, const Operand *operand) {
  bool has_dots = tensor->ellipsis >= 0;
  int rank = operand->shape->rank, named = tensor->group.count - has_dots;
  if (has_dots && !has_open_dots(tensor))
    return PATTERN_FAIL(r, &tensor->item.item[tensor->ellipsis], "bad_pattern",
                        "'...' in brackets on the left: its number of axes cannot be determined");
  if (named != rank && (!has_dots || named > rank))
    return PATTERN_FAIL(
        r, tensor, "bad_pattern", "the pattern has %s%d %s on the left but %s has rank %d",
        has_dots ? "at least " : "", named, named == 1 ? "axis" : "axes", operand->label, rank);
  return !has_dots || open_dots(r, tensor, operand);
}

// --- Sizes

// A group as known + coef * unknown.
typedef struct Equation {
  const PatternTensor *tensor;
  const Operand *operand;
  const PatternGroup *group;
  int axis; // of the operand
  rsh_num known, coef;
  const PatternItem *unknown, *other; // other: a second name without a size
  bool is_divided;                    // a size was computed to satisfy the equation
} Equation;

static bool term_overflow(Rearrange *r, const PatternItem *item) {
  return PATTERN_FAIL(r, item, "overflow", "the product of the sizes does not fit 64 bits");
}

// Adds one term of the group to the equation.
static bool read_term(Rearrange *r, Equation *e, int group, int term) {
  rsh_symbols *s = r->l->graph->symbols;
  rsh_num product = rsh_int(1);
  const PatternItem *unknown = NULL, *last = NULL;
  for (int i = 0; i < e->tensor->item.count; i++) {
    const PatternItem *item = &e->tensor->item.item[i];
    if (item->group != group || item->term != term)
      continue;
    last = item;
    const Axis *axis = item->kind == PATTERN_AXIS ? axis_find(r, item->name) : NULL;
    e->is_divided = e->is_divided || (axis && axis->divided == e->group);
    if (axis && !axis->has_size) {
      const PatternItem *before = unknown ? unknown : e->unknown;
      if (unknown || (before && strcmp(before->name, item->name) != 0))
        e->other = item;
      if (!e->unknown)
        e->unknown = item;
      unknown = item;
    } else if (!rsh_mul(s, product, axis ? axis->size : rsh_int(item->number), &product)) {
      return term_overflow(r, item);
    }
  }
  rsh_num *sum = unknown ? &e->coef : &e->known;
  return rsh_add(s, *sum, product, sum) || term_overflow(r, last);
}

static bool read_group(Rearrange *r, int operand, int group, Equation *e) {
  const PatternTensor *tensor = &r->pattern.left.tensor[operand];
  *e = (Equation){.tensor = tensor,
                  .operand = &r->operand[operand],
                  .group = &tensor->group.item[group],
                  .axis = group_axis(r, tensor, group)};
  for (int term = 0; term < e->group->terms; term++)
    if (!read_term(r, e, group, term))
      return false;
  return true;
}

static bool not_divisible(Rearrange *r, const Equation *e, rsh_num whole, rsh_num rest) {
  if (e->group->terms == 1)
    return PATTERN_FAIL(r, e->group, "not_divisible",
                        "axis %d of %s has size %s, which is not a multiple of %s%s", e->axis,
                        e->operand->label, size_label(r->l, whole), size_label(r->l, e->coef),
                        strcmp(r->word, "layout") == 0 ? "; a layout does not pad" : "");
  return PATTERN_FAIL(
      r, e->group, "not_divisible",
      "axis %d of %s has size %s; this leaves %s for '%s', which is not a multiple of %s", e->axis,
      e->operand->label, size_label(r->l, whole), size_label(r->l, rest), e->unknown->name,
      size_label(r->l, e->coef));
}

// Sets the size to rest / coef: a number, under a condition if necessary, or a size that the program computes.
static bool divide(Rearrange *r, const Equation *e, rsh_num whole, rsh_num rest, Axis *axis) {
  rsh_symbols *s = r->l->graph->symbols;
  Guard not_zero = {
      .kind = WHERE_GE, .status = RSH_ambiguous_infer, .left = e->coef, .right = rsh_int(1)};
  not_zero.span = pattern_place(r, e->group->begin, e->group->end);
  if (rsh_is(e->coef, 0) || (!rsh_is_known(e->coef) && !guard_add(r->l, not_zero)))
    return PATTERN_FAIL(r, e->unknown, "ambiguous_infer",
                        "the size of '%s' cannot be inferred: the other sizes multiply to 0",
                        e->unknown->name);
  if (rsh_div(s, rest, e->coef, &axis->size))
    return true;
  Guard whole_number = {
      .kind = WHERE_EQ, .status = RSH_not_divisible, .left = rest, .remainder_of = e->coef};
  whole_number.span = not_zero.span;
  if (s && rsh_sign(s, e->coef) == 1 && guard_need(r->l, whole_number, false))
    return true;
  if (!s || guard_verdict(s, &whole_number) == NEVER)
    return not_divisible(r, e, whole, rest);
  if (!e->operand->value)
    return PATTERN_FAIL(r, e->group, "not_divisible",
                        "axis %d of %s has size %s, which may not be a multiple of %s; the memory "
                        "of an input must be known at entry",
                        e->axis, e->operand->label, size_label(r->l, whole),
                        size_label(r->l, e->coef));
  axis->divided = e->group;
  return axis_quotient(r, e->operand, e->axis, e->known, e->coef, &axis->size);
}

// Solves a group for its one unknown.
static bool solve_axes(Rearrange *r, const Equation *e) {
  rsh_num whole = e->operand->shape->dim[e->axis], rest;
  if (!rsh_sub(r->l->graph->symbols, whole, e->known, &rest))
    return PATTERN_FAIL(r, e->group, "overflow", "the sizes do not fit 64 bits");
  // S - 64 elements: a guard checks at entry that this is not negative.
  Guard guard = {.kind = WHERE_GE, .status = RSH_bad_parts, .left = rest, .right = rsh_int(0)};
  guard.span = pattern_place(r, e->group->begin, e->group->end);
  if (!rsh_at_most(r->l->graph->symbols, rsh_int(0), rest) && !guard_add(r->l, guard))
    return PATTERN_FAIL(r, e->group, "bad_parts",
                        "axis %d of %s has size %s, but the other parts of the pattern take %s",
                        e->axis, e->operand->label, size_label(r->l, whole),
                        size_label(r->l, e->known));
  Axis *axis = axis_find(r, e->unknown->name);
  axis->has_size = true;
  return divide(r, e, whole, rest, axis);
}

// Solves or checks the size of a group, in source order. A group with two unknowns waits for later groups until the
// `last` pass.
static bool size_group(Rearrange *r, const Equation *e, bool last) {
  if (e->unknown && !e->other)
    return solve_axes(r, e);
  if (e->unknown)
    return !last || PATTERN_FAIL(r, e->other, "bad_pattern",
                                 "the sizes of '%s' and '%s' are both open; give one, such as %s=2",
                                 e->unknown->name, e->other->name, e->other->name);
  rsh_num whole = e->operand->shape->dim[e->axis];
  if (e->is_divided || must_agree(r, whole, e->known, e->group->begin, e->group->end))
    return true;
  return PATTERN_FAIL(r, e->group, "bad_pattern",
                      "axis %d of %s has size %s, but the pattern says %s", e->axis,
                      e->operand->label, size_label(r->l, whole), size_label(r->l, e->known));
}

static int count_sizes(const Rearrange *r) {
  int count = 0;
  for (int i = 0; i < r->axis.count; i++)
    count += r->axis.item[i].has_size;
  return count;
}

static bool size_groups(Rearrange *r, bool last) {
  for (int t = 0; t < r->operand_count; t++) {
    const PatternTensor *tensor = &r->pattern.left.tensor[t];
    int dots = tensor->ellipsis < 0 ? -1 : tensor->item.item[tensor->ellipsis].group;
    for (int g = 0; g < tensor->group.count; g++) {
      Equation e;
      if (g != dots && (!read_group(r, t, g, &e) || !size_group(r, &e, last)))
        return false;
    }
  }
  return true;
}

bool pattern_size(Rearrange *r) {
  for (int t = 0; t < r->operand_count; t++)
    if (!axes_of_rank(r, &r->pattern.left.tensor[t], &r->operand[t]))
      return false;
  for (int before = -1; before < count_sizes(r);) {
    before = count_sizes(r);
    if (!size_groups(r, false))
      return false;
  }
  return size_groups(r, true);
}
