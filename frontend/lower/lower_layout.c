// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `layout` and `strides`: how inputs and results are stored. A layout is a rearrangement between the logical value of a
// name and the contents of memory; strides determine the positions of elements in memory.
//
//   x: f32[2, 32, 5, 5] layout "n (c 16) h w -> n c h w 16"
//     the input          f32[2, 2, 5, 5, 16]
//     what x means       transpose and reshape of it: the inverse, from right to left
//   -> y: f32[2, 32, 5, 5] layout "n c h w -> n h w c"
//     what y is stored as   rearrange(y, "n c h w -> n h w c")
#include "frontend/lower/lower_pattern.h"

#include <string.h>

// A layout of an input between its declaration and its first use.
struct Layout {
  Rearrange pattern;
  Pieces left, right; // one piece each
  Value *stored;
  Storage *storage;
  const char *text;
};

// --- Patterns

static bool one_tensor(Rearrange *r, const PatternSide *side) {
  if (side->count > 1)
    return PATTERN_FAIL(r, &side->tensor[1], "bad_pattern",
                        "a layout describes one tensor: there is one pattern on each side");
  for (int g = 0; g < side->tensor->group.count; g++)
    if (side->tensor->group.item[g].terms > 1)
      return PATTERN_FAIL(r, &side->tensor->group.item[g], "bad_pattern",
                          "a layout cannot have sums");
  return true;
}

// Every element is stored exactly once.
static bool nothing_new(Rearrange *r, const Piece *left, const Piece *right) {
  int from[2 * PATTERN_MAX_ITEMS];
  if (!pieces_match(r, left, right, from))
    return false;
  for (int i = 0; i < right->count; i++) {
    const PatternItem *item = right->part[i].item;
    if (from[i] < 0)
      return PATTERN_FAIL(r, item, "bad_pattern",
                          "'%.*s' appears only on the right; a layout contains each element once",
                          (int)(item->end - item->begin), r->text + item->begin);
  }
  return true;
}

// Parses the pattern for a tensor of this shape; a result also has a value. False: an error was reported.
static bool layout_open(Lower *l, const AstType *type, const char *label, const rsh_shape *shape,
                        Value *value, struct Layout *layout) {
  Rearrange *r = &layout->pattern;
  layout->text = type->layout;
  r->l = l;
  r->word = "layout";
  r->text = type->layout;
  r->length = (uint32_t)strlen(type->layout);
  r->span = r->callee_span = r->text_span = type->layout_span;
  r->operand = ARENA_NEW(l->arena, Operand);
  r->operand_count = 1;
  *r->operand = (Operand){.shape = shape, .label = label, .value = value, .span = r->span};
  return pattern_open(r) && one_tensor(r, &r->pattern.left) && one_tensor(r, &r->pattern.right) &&
         pattern_size(r) && pieces_add(r, r->pattern.left.tensor, true, &layout->left) &&
         pieces_add(r, r->pattern.right.tensor, false, &layout->right) &&
         nothing_new(r, layout->left.item, layout->right.item);
}

// --- Strides

static bool too_far(Lower *l, const Expr *e) {
  lower_error(l, e->span, "overflow", "the addresses do not fit 64 bits");
  return false;
}

static bool read_strides(Lower *l, const Expr *list, const rsh_shape *shape, rsh_num *stride) {
  if (list->list.count != shape->rank) {
    lower_error(l, list->span, "bad_strides", "%d stride%s, but memory has %d axes: %s",
                list->list.count, list->list.count == 1 ? "" : "s", shape->rank,
                shape_text(l->arena, l->graph, shape));
    return false;
  }
  for (int i = 0; i < shape->rank; i++) {
    const Expr *e = list->list.item[i];
    Problem p = {0};
    if (!int_expr(l, e, &stride[i], &p)) {
      problem_report(l, &p);
      return false;
    }
    rsh_symbols *s = l->graph->symbols;
    if (!rsh_at_most(s, rsh_int(0), stride[i]) && !rsh_at_most(s, stride[i], rsh_int(0))) {
      lower_error(l, e->span, "bad_strides", "whether %s is below 0 depends on the symbols",
                  size_label(l, stride[i]));
      return false;
    }
  }
  return true;
}

// Computes the offset of the first element from the lowest address, and the span to the highest.
static bool measure(Lower *l, const Expr *list, const rsh_shape *shape, Storage *storage) {
  rsh_symbols *s = l->graph->symbols;
  storage->offset = rsh_int(0);
  storage->span = rsh_int(1);
  for (int i = 0; i < shape->rank; i++) {
    rsh_num last, reach, size = storage->stride[i];
    bool is_negative = !rsh_at_most(s, rsh_int(0), size);
    if (rsh_is(shape->dim[i], 0)) {
      storage->offset = storage->span = rsh_int(0);
      return true;
    }
    if ((is_negative && !rsh_sub(s, rsh_int(0), size, &size)) ||
        !rsh_sub(s, shape->dim[i], rsh_int(1), &last) || !rsh_mul(s, last, size, &reach) ||
        !rsh_add(s, storage->span, reach, &storage->span) ||
        (is_negative && !rsh_add(s, storage->offset, reach, &storage->offset)))
      return too_far(l, list->list.item[i]);
  }
  return true;
}

// A result's elements must not overlap: each stride must exceed the reach of the axes inside it.
static bool are_apart(Lower *l, const Expr *list, const rsh_shape *shape, const rsh_num *stride) {
  rsh_symbols *s = l->graph->symbols;
  int order[RSH_MAX_RANK], count = 0; // outermost first
  rsh_num size[RSH_MAX_RANK], reach = rsh_int(0);
  for (int i = 0; i < shape->rank; i++) {
    if (rsh_is(shape->dim[i], 0))
      return true;
    if (rsh_is(shape->dim[i], 1))
      continue;
    size[i] = stride[i];
    if (!rsh_at_most(s, rsh_int(0), stride[i]) && !rsh_sub(s, rsh_int(0), stride[i], &size[i]))
      return too_far(l, list->list.item[i]);
    int at = count++;
    for (rsh_num inner; at > 0; at--) { // the axis with the larger stride is outside
      inner = size[order[at - 1]];
      if (rsh_equal(size[i], inner) || !rsh_at_most(s, inner, size[i]))
        break;
      order[at] = order[at - 1];
    }
    order[at] = i;
  }
  for (int i = count - 1; i >= 0; i--) {
    int axis = order[i];
    rsh_num least, last, step;
    if (!rsh_add(s, reach, rsh_int(1), &least) ||
        !rsh_sub(s, shape->dim[axis], rsh_int(1), &last) || !rsh_mul(s, last, size[axis], &step))
      return too_far(l, list->list.item[axis]);
    if (!rsh_at_most(s, least, size[axis])) {
      lower_error(l, list->list.item[axis]->span, "bad_strides",
                  "elements of the result would overlap: the axes inside this one take %s%s",
                  size_label(l, least),
                  rsh_is_known(least) && rsh_is_known(size[axis])
                      ? ""
                      : arena_printf(l->arena, ", and no condition after 'where' keeps that to %s",
                                     size_label(l, size[axis])));
      return false;
    }
    if (!rsh_add(s, reach, step, &reach))
      return too_far(l, list->list.item[axis]);
  }
  return true;
}

// A result without elements cannot overlap.
static bool check_apart(Lower *l, const Expr *list, const rsh_shape *shape, const rsh_num *stride) {
  rsh_symbols *s = l->graph->symbols;
  rsh_supposed elements = rsh_suppose_nothing(s);
  for (int i = 0; s && i < shape->rank; i++)
    rsh_suppose_positive(s, shape->dim[i], &elements);
  bool good = are_apart(l, list, shape, stride);
  if (s)
    rsh_forget_supposed(s, &elements);
  return good;
}

// False: an error was reported. The graph for the runtime (Graph.plain) knows too little to show that no elements
// overlap, and has the strides of one that does.
static bool take_strides(Lower *l, const AstType *type, const rsh_shape *shape, bool is_result,
                         Storage *storage) {
  if (!type->strides)
    return true;
  rsh_num *stride = ARENA_ARRAY(l->arena, rsh_num, shape->rank);
  if (!read_strides(l, type->strides, shape, stride) ||
      (is_result && !l->known->finds_nothing && !check_apart(l, type->strides, shape, stride)))
    return false;
  storage->stride = stride;
  return measure(l, type->strides, shape, storage);
}

// --- Inputs and results

static void mark_steps(Lower *l, int first) {
  for (int i = first; i < l->graph->node.count; i++)
    l->graph->node.item[i]->is_layout = true;
}

// A layout or strides need a known rank.
static bool has_rank(Lower *l, const AstType *type, const rsh_shape *shape) {
  if ((!type->layout && !type->strides) || shape->rank != RSH_RANK_UNKNOWN)
    return true;
  lower_error(l, type->span, "unsupported",
              "a layout or strides need a rank that is known when compiling");
  return false;
}

uint32_t lower_align(Lower *l, const AstType *type, rsh_dtype dtype) {
  enum { MOST = 4096 };
  int64_t bits = rsh_dtype_bits(dtype);
  if (rsh_dtype_is_complex(dtype)) // pairs
    bits /= 2;
  if (!type->align)
    return 0;
  if (type->align > MOST || (type->align & (type->align - 1)) != 0) {
    lower_error(l, type->align_span, "bad_align", "an alignment is a power of two up to %d bytes",
                MOST);
    return 0;
  }
  if (type->align * 8 < bits) {
    lower_error(l, type->align_span, "bad_align", "an alignment of %s is at least %d bytes",
                rsh_dtype_name(dtype), (int)(bits / 8));
    return 0;
  }
  return (uint32_t)type->align;
}

// `placed`: its memory is part of a result's, whose declaration describes it.
static void take_placed(Lower *l, const AstType *type, Value *value) {
  value->is_placed = type->is_placed;
  value->placed_span = type->placed_span;
  if (type->is_placed && (type->layout || type->strides || type->align))
    lower_error(
        l, type->placed_span, "not_placed",
        "an input that is placed in a result has no separate memory, so '%s' does not apply",
        type->layout    ? "layout"
        : type->strides ? "strides"
                        : "align");
}

Value *layout_input(Lower *l, const AstValue *input, rsh_dtype dtype, const rsh_shape *shape) {
  const AstType *type = &input->type;
  rsh_shape stored = *shape;
  struct Layout *layout = type->layout ? ARENA_NEW(l->arena, struct Layout) : NULL;
  if (!has_rank(l, type, shape))
    return NULL;
  const char *label =
      arena_printf(l->arena, "'%s' (%s)", input->name, type_text(l->arena, l->graph, dtype, shape));
  if (layout && (!layout_open(l, type, label, shape, NULL, layout) ||
                 !piece_shape(&layout->pattern, layout->right.item, &stored)))
    return NULL;
  Storage *storage = ARENA_NEW(l->arena, Storage);
  if (!take_strides(l, type, &stored, false, storage))
    return NULL;
  Value *value = value_new(l, dtype, &stored, input->span);
  value->name = input->name;
  value->align = lower_align(l, type, dtype);
  take_placed(l, type, value);
  if (layout || storage->stride)
    value->storage = storage;
  if (layout) {
    layout->stored = value;
    layout->storage = storage;
    VEC_PUSH(l->arena, l->layouts, layout);
  }
  return value;
}

void layout_names(Lower *l) {
  for (int i = 0; i < l->layouts.count; i++) {
    struct Layout *layout = l->layouts.item[i];
    Value *stored = layout->stored;
    int steps = l->graph->node.count;
    Value *value = piece_undo(&layout->pattern, layout->left.item, layout->right.item, stored);
    mark_steps(l, steps);
    name_find(l, stored->name)->value = value;
    if (value == stored && !layout->storage->stride)
      stored->storage = NULL;
    if (!value || value == stored)
      continue;
    value->name = stored->name;
    value->span = stored->span;
    value->lod = stored->lod; // the offsets apply to the logical value
    value->lod_lost = NULL;
    layout->storage->logical = value;
    layout->storage->layout = layout->text;
  }
}

// Declared sizes that only the call can check. It rejects others before it writes, so memory has the declared ones, in
// the order of its axes.
static void take_declared(Lower *l, const AstType *type, const rsh_shape *resolved,
                          const rsh_shape *named, rsh_shape *out) {
  const rsh_shape stored = *out;
  for (int i = 0; i < resolved->rank && i < type->dim_count; i++) {
    Problem p = {0};
    rsh_num size;
    if (!rsh_is_unknown(resolved->dim[i]) || type->dim[i]->kind == EXPR_UNKNOWN ||
        !int_expr(l, type->dim[i], &size, &p))
      continue;
    for (int k = 0; k < stored.rank; k++)
      if (rsh_equal(stored.dim[k], named->dim[i]))
        out->dim[k] = size;
  }
}

Value *layout_result(Lower *l, const AstValue *result, Value *value) {
  const AstType *type = &result->type;
  Value *stored = value;
  int steps = l->graph->node.count;
  struct Layout layout = {.text = NULL};
  if (!has_rank(l, type, &value->shape))
    return NULL;
  rsh_shape resolved = value->shape;
  if ((type->layout || type->strides) &&
      !sizes_open(l, value, type->layout ? type->layout_span : type->span))
    return NULL;
  if (type->layout) {
    if (!layout_open(l, type, value_label(l, value), &value->shape, value, &layout))
      return NULL;
    layout.left.item->value = value;
    stored = piece_apply(&layout.pattern, layout.left.item, layout.right.item);
  }
  Storage *storage = ARENA_NEW(l->arena, Storage);
  rsh_shape sizes = stored ? stored->shape : value->shape;
  take_declared(l, type, &resolved, &value->shape, &sizes);
  if (!stored || !take_strides(l, type, &sizes, true, storage))
    return NULL;
  if (stored == value && storage->stride) // statements continue with the value, not with its memory
    stored = apply_identity(l, value, result->type.span);
  if (!stored || stored == value)
    return stored;
  mark_steps(l, steps);
  storage->logical = value;
  storage->layout = layout.text;
  stored->name = result->name;
  stored->span = value->span;
  stored->lod = value->lod;
  stored->storage = storage;
  return stored;
}
