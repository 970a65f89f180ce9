// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pattern as primitive steps, without steps that have no effect. Both sides are divided into
// pieces, tensors without sums; each piece of the right is computed from a piece of the left, then
// the pieces are joined:
//
//   x: f32[8, 96]    "n (q + k) -> (k + q) n", q=32
//     left   n q, n k      split axis 1 into 32 and 64
//     right  k n           from n k: transpose     q n  from n q: transpose
//                          concat k n and q n on axis 0
//
// One piece, "b (h d) -> 2 h b d", h=4:
//
//   x: f32[8, 64]    reshape [8, 4, 16]        one axis per part of the left
//                    transpose [1, 0, 2]       in the order of the right
//                    unsqueeze [0]             for axes that only the right has
//                    expand [2, 4, 8, 16]
//                    reshape                   the brackets of the right (none here)
#include "frontend/lower/lower_pattern.h"

#include <string.h>

enum { MAX_PIECES = 256 }; // of one side

// --- Pieces

// The axes of a piece as written: "n q".
static const char *piece_text(const Rearrange *r, const Piece *piece) {
  const char *text = "";
  const PatternItem *last = NULL;
  for (int i = 0; i < piece->count; i++) {
    const PatternItem *item = piece->part[i].item;
    if (last && item->begin == last->begin) // another axis of '...'
      continue;
    last = item;
    text = arena_printf(r->l->arena, "%s%s%.*s", text, *text ? " " : "",
                        (int)(item->end - item->begin), r->text + item->begin);
  }
  return *text ? text : "1";
}

static int ordinal_of(const Piece *piece, int64_t number) {
  int count = 0;
  for (int i = 0; i < piece->count; i++)
    count += piece->part[i].item->kind == PATTERN_NUMBER && piece->part[i].item->number == number;
  return count;
}

// Appends the axes of one item.
static bool add_parts(Rearrange *r, const PatternItem *item, int axis, Piece *piece) {
  Part part = {.item = item, .group = axis};
  if (item->kind == PATTERN_ELLIPSIS) {
    const Dots *dots = dots_find(r, item->name);
    if (!dots)
      return PATTERN_FAIL(r, item, "bad_pattern", "'%s...' appears only on the right", item->name);
    bool in_brackets = piece->tensor->group.item[item->group].in_brackets;
    for (; part.dot < dots->rank; part.dot++) {
      part.group = axis + (in_brackets ? 0 : part.dot);
      part.size = dots->dim[part.dot];
      piece->part[piece->count++] = part;
    }
    return true;
  }
  if (item->kind == PATTERN_NUMBER) {
    part.size = rsh_int(item->number);
    part.ordinal = ordinal_of(piece, item->number);
    if (item->number == 1)
      return true;
  } else {
    const Axis *named = axis_find(r, item->name);
    if (!named->has_size && strcmp(r->word, "layout") == 0)
      return PATTERN_FAIL(r, item, "bad_pattern",
                          "'%s' appears only on the right; a layout contains each element once",
                          item->name);
    if (!named->has_size) // an axis that only the right has: x is repeated
      return PATTERN_FAIL(
          r, item, "bad_pattern",
          "axis '%s' appears only on the right; give its size to repeat along it, such as %s=2",
          item->name, item->name);
    part.size = named->size;
    if (!named->is_left && rsh_is(part.size, 1)) // repeated only once
      return true;
  }
  piece->part[piece->count++] = part;
  return true;
}

// Makes the piece of term choice[g] of each group.
static bool piece_new(Rearrange *r, const PatternTensor *tensor, const int *choice, Piece *piece) {
  const Dots *dots =
      tensor->ellipsis < 0 ? NULL : dots_find(r, tensor->item.item[tensor->ellipsis].name);
  *piece = (Piece){.tensor = tensor};
  piece->part = ARENA_ARRAY(r->l->arena, Part, tensor->item.count + (dots ? dots->rank : 0));
  for (int i = 0; i < tensor->item.count; i++) {
    const PatternItem *item = &tensor->item.item[i];
    if (item->term == choice[item->group] &&
        !add_parts(r, item, group_axis(r, tensor, item->group), piece))
      return false;
  }
  return true;
}

bool pieces_add(Rearrange *r, const PatternTensor *tensor, bool is_left, Pieces *pieces) {
  int count = 1, choice[PATTERN_MAX_ITEMS] = {0}, groups = tensor->group.count;
  for (int g = 0; g < groups && count <= MAX_PIECES; g++)
    count *= tensor->group.item[g].terms;
  if (pieces->count + count > MAX_PIECES)
    return PATTERN_FAIL(r, tensor, "limit", "more than %d pieces on the %s of the pattern",
                        MAX_PIECES, is_left ? "left" : "right");
  for (int i = 0; i < count; i++) {
    Piece piece;
    if (!piece_new(r, tensor, choice, &piece))
      return false;
    VEC_PUSH(r->l->arena, *pieces, piece);
    for (int g = groups - 1; g >= 0 && ++choice[g] == tensor->group.item[g].terms; g--)
      choice[g] = 0;
  }
  return true;
}

// --- Matching of parts

static bool same_part(const Part *a, const Part *b) {
  if (a->item->kind != b->item->kind)
    return false;
  if (a->item->kind == PATTERN_NUMBER)
    return a->item->number == b->item->number && a->ordinal == b->ordinal;
  return a->dot == b->dot && strcmp(a->item->name, b->item->name) == 0;
}

static int part_find(const Piece *piece, const Part *part) {
  for (int i = 0; i < piece->count; i++)
    if (same_part(&piece->part[i], part))
      return i;
  return -1;
}

// A number that appears on both sides is an axis, so it cannot also be a repetition.
static bool check_number(Rearrange *r, const Piece *left, const Part *part) {
  const PatternItem *item = part->item;
  if (item->kind != PATTERN_NUMBER || ordinal_of(left, item->number) == 0)
    return true;
  return PATTERN_FAIL(
      r, item, "bad_pattern",
      "%lld appears more often on the right than on the left: give the axes names, such as a=%lld",
      (long long)item->number, (long long)item->number);
}

bool pieces_match(Rearrange *r, const Piece *left, const Piece *right, int *from) {
  for (int i = 0; i < right->count; i++) {
    from[i] = part_find(left, &right->part[i]);
    if (from[i] < 0 && !check_number(r, left, &right->part[i]))
      return false;
  }
  for (int i = 0; i < left->count; i++) {
    const PatternItem *item = left->part[i].item;
    if (part_find(right, &left->part[i]) < 0)
      return PATTERN_FAIL(r, item, "bad_pattern",
                          "'%.*s' is missing on the right; '%s' moves elements, it does not reduce",
                          (int)(item->end - item->begin), r->text + item->begin, r->word);
  }
  if (left->count > RSH_MAX_RANK || right->count > RSH_MAX_RANK)
    return PATTERN_FAIL(r, &((PatternItem){.end = r->length}), "rank_limit",
                        "%d axes inside the brackets; at most %d are supported",
                        left->count > right->count ? left->count : right->count, RSH_MAX_RANK);
  return true;
}

// --- Steps

static Value *reshape_to(Rearrange *r, Value *x, const rsh_num *dim, int rank) {
  bool same = rank == x->shape.rank;
  for (int i = 0; same && i < rank; i++)
    same = rsh_equal(dim[i], x->shape.dim[i]);
  return same ? x : rearrange_step(r, x, RSH_OP_RESHAPE, dim, rank);
}

static Value *open_brackets(Rearrange *r, Value *x, const Piece *piece) {
  rsh_num dim[RSH_MAX_RANK];
  for (int i = 0; i < piece->count; i++)
    dim[i] = piece->part[i].size;
  return reshape_to(r, x, dim, piece->count);
}

static Value *permute(Rearrange *r, Value *x, const int *from, int count) {
  rsh_num perm[RSH_MAX_RANK];
  int rank = 0;
  bool moves = false;
  for (int i = 0; i < count; i++)
    if (from[i] >= 0) {
      moves = moves || from[i] != rank;
      perm[rank++] = rsh_int(from[i]);
    }
  return moves ? rearrange_step(r, x, RSH_OP_TRANSPOSE, perm, rank) : x;
}

static Value *repeat(Rearrange *r, Value *x, const Piece *piece, const int *from) {
  rsh_num axis[RSH_MAX_RANK], dim[RSH_MAX_RANK];
  int count = 0;
  for (int i = 0; i < piece->count; i++) {
    dim[i] = piece->part[i].size;
    if (from[i] < 0)
      axis[count++] = rsh_int(i);
  }
  if (count == 0)
    return x;
  x = rearrange_step(r, x, RSH_OP_UNSQUEEZE, axis, count);
  return x ? rearrange_step(r, x, RSH_OP_EXPAND, dim, piece->count) : NULL;
}

bool piece_shape(Rearrange *r, const Piece *piece, rsh_shape *shape) {
  int rank = tensor_rank(r, piece->tensor);
  if (rank > RSH_MAX_RANK)
    return PATTERN_FAIL(r, piece->tensor, "rank_limit", "%d axes; at most %d are supported", rank,
                        RSH_MAX_RANK);
  shape->rank = rank;
  for (int i = 0; i < rank; i++)
    shape->dim[i] = rsh_int(1);
  for (int i = 0; i < piece->count; i++) {
    rsh_num *d = &shape->dim[piece->part[i].group];
    if (!rsh_mul(r->l->graph->symbols, *d, piece->part[i].size, d))
      return PATTERN_FAIL(r, piece->tensor, "overflow",
                          "the product of the sizes does not fit 64 bits");
  }
  return true;
}

static bool is_one_reshape(const int *from, int count) {
  for (int i = 0; i < count; i++)
    if (from[i] != i)
      return false;
  return true;
}

Value *piece_apply(Rearrange *r, const Piece *left, const Piece *right) {
  int from[PATTERN_MAX_ITEMS + RSH_MAX_RANK];
  rsh_shape shape;
  if (!pieces_match(r, left, right, from) || !piece_shape(r, right, &shape))
    return NULL;
  Value *x = left->value;
  if (!is_one_reshape(from, right->count)) {
    x = open_brackets(r, x, left);
    x = x ? permute(r, x, from, right->count) : NULL;
    x = x ? repeat(r, x, right, from) : NULL;
  }
  return x ? reshape_to(r, x, shape.dim, shape.rank) : NULL;
}

Value *piece_undo(Rearrange *r, const Piece *left, const Piece *right, Value *value) {
  int from[PATTERN_MAX_ITEMS + RSH_MAX_RANK], back[RSH_MAX_RANK];
  rsh_shape shape;
  if (!pieces_match(r, left, right, from) || !piece_shape(r, left, &shape))
    return NULL;
  for (int i = 0; i < right->count; i++)
    back[from[i]] = i;
  if (!is_one_reshape(from, right->count)) {
    value = open_brackets(r, value, right);
    value = value ? permute(r, value, back, right->count) : NULL;
  }
  return value ? reshape_to(r, value, shape.dim, shape.rank) : NULL;
}

// --- Sums

// The size of one term of a group.
static bool term_size(Rearrange *r, const PatternTensor *tensor, int group, int term,
                      rsh_num *size) {
  *size = rsh_int(1);
  for (int i = 0; i < tensor->item.count; i++) {
    const PatternItem *item = &tensor->item.item[i];
    if (item->group != group || item->term != term)
      continue;
    rsh_num factor =
        item->kind == PATTERN_AXIS ? axis_find(r, item->name)->size : rsh_int(item->number);
    if (!rsh_mul(r->l->graph->symbols, *size, factor, size))
      return PATTERN_FAIL(r, item, "overflow", "the product of the sizes does not fit 64 bits");
  }
  return true;
}

static Values split_value(Rearrange *r, Value *x, const PatternTensor *tensor, int group) {
  Binding *b = binding_new(r->l, RSH_OP_SPLIT, r->word, r->span);
  int terms = tensor->group.item[group].terms;
  rsh_num size[PATTERN_MAX_ITEMS];
  for (int i = 0; i < terms; i++)
    if (!term_size(r, tensor, group, i, &size[i]))
      return (Values){0};
  binding_operand(r->l, b, x, r->span);
  binding_int(r->l, b, 0, group_axis(r, tensor, group));
  binding_list(r->l, b, 2, size, terms);
  b->call.out_count = terms;
  b->callee_span = r->callee_span;
  return binding_apply(r->l, b);
}

// Sets the values of an operand's pieces, from `first` on, split after split.
static bool split_operand(Rearrange *r, Value *x, const PatternTensor *tensor, Piece *first) {
  VEC(Value *) values = {0};
  VEC_PUSH(r->l->arena, values, x);
  for (int g = 0; g < tensor->group.count; g++) {
    if (tensor->group.item[g].terms == 1)
      continue;
    VEC(Value *) pieces = {0};
    for (int i = 0; i < values.count; i++) {
      Values parts = split_value(r, values.item[i], tensor, g);
      if (parts.count == 0)
        return false;
      for (int k = 0; k < parts.count; k++)
        VEC_PUSH(r->l->arena, pieces, parts.item[k]);
    }
    values.item = pieces.item;
    values.count = pieces.count;
    values.capacity = pieces.capacity;
  }
  for (int i = 0; i < values.count; i++)
    first[i].value = values.item[i];
  return true;
}

// Joins the pieces of a tensor on the right, starting with the last sum.
static Value *join_pieces(Rearrange *r, Value **value, int count, const PatternTensor *tensor) {
  for (int g = tensor->group.count - 1; g >= 0; g--) {
    int terms = tensor->group.item[g].terms;
    if (terms == 1)
      continue;
    Span span[PATTERN_MAX_ITEMS];
    for (int i = 0; i < terms; i++)
      span[i] = r->span;
    count /= terms;
    for (int i = 0; i < count; i++) {
      Binding *b = binding_new(r->l, RSH_OP_CONCAT, r->word, r->span);
      binding_operands(r->l, b, value + (ptrdiff_t)i * terms, span, terms);
      binding_int(r->l, b, 0, group_axis(r, tensor, g));
      value[i] = rearrange_apply(r, b);
      if (!value[i])
        return NULL;
    }
  }
  return value[0];
}

// --- Matching of pieces

// The number of parts of the right that this piece of the left lacks, though some tensor of the left
// has them; -1 if the piece has parts that the right lacks.
static int parts_lacking(Rearrange *r, const Piece *left, const Piece *right) {
  int lacking = 0;
  for (int i = 0; i < left->count; i++)
    if (part_find(right, &left->part[i]) < 0)
      return -1;
  for (int i = 0; i < right->count; i++) {
    const PatternItem *item = right->part[i].item;
    bool is_new = item->kind == PATTERN_NUMBER ||
                  (item->kind == PATTERN_AXIS && !axis_find(r, item->name)->is_left);
    lacking += !is_new && part_find(left, &right->part[i]) < 0;
  }
  return lacking;
}

static const char *pieces_text(const Rearrange *r, const Pieces *pieces) {
  const char *text = "";
  for (int i = 0; i < pieces->count; i++)
    text =
        arena_printf(r->l->arena, "%s%s'%s'", text, i ? ", " : "", piece_text(r, &pieces->item[i]));
  return text;
}

// The pattern position that identifies a piece in its tensor: a term of a sum, or the tensor itself.
static PatternItem piece_place(const Piece *piece) {
  const PatternTensor *tensor = piece->tensor;
  PatternItem place = {.begin = tensor->begin, .end = tensor->end};
  bool found = false;
  for (int i = 0; i < piece->count; i++) {
    const PatternItem *item = piece->part[i].item;
    if (tensor->group.item[item->group].terms == 1)
      continue;
    if (!found)
      place.begin = item->begin;
    place.end = item->end;
    found = true;
  }
  return place;
}

// For each piece of the right, finds the piece of the left: the first with the same axes, else the
// first whose axes are a subset. Each is used once.
static bool match_pieces(Rearrange *r, Pieces *left, Pieces *right, Piece **from) {
  if (left->count == 1 && right->count == 1) { // a mismatch is reported for the axis
    from[0] = &left->item[0];
    return true;
  }
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < right->count; i++)
      for (int k = 0; k < left->count && !from[i]; k++) {
        int lacking =
            left->item[k].is_used ? -1 : parts_lacking(r, &left->item[k], &right->item[i]);
        if (lacking == 0 || (lacking > 0 && pass == 1)) {
          from[i] = &left->item[k];
          from[i]->is_used = true;
        }
      }
  for (int i = 0; i < right->count; i++) {
    PatternItem place = piece_place(&right->item[i]);
    if (!from[i])
      return PATTERN_FAIL(
          r, &place, "bad_pattern",
          "nothing is left for '%s': the left has %s, and each can be used only once",
          piece_text(r, &right->item[i]), pieces_text(r, left));
  }
  for (int k = 0; k < left->count; k++) {
    PatternItem place = piece_place(&left->item[k]);
    if (!left->item[k].is_used)
      return PATTERN_FAIL(r, &place, "bad_pattern",
                          "'%s' on the left is missing on the right, which has %s",
                          piece_text(r, &left->item[k]), pieces_text(r, right));
  }
  return true;
}

// --- Whole patterns

static bool add_all(Rearrange *r, const PatternSide *side, bool is_left, Pieces *pieces) {
  for (int t = 0; t < side->count; t++)
    if (!pieces_add(r, &side->tensor[t], is_left, pieces))
      return false;
  return true;
}

static bool split_all(Rearrange *r, Pieces *left) {
  const PatternTensor *tensor = NULL;
  for (int i = 0, operand = 0; i < left->count; i++) {
    if (left->item[i].tensor == tensor)
      continue;
    tensor = left->item[i].tensor;
    if (!split_operand(r, r->operand[operand++].value, tensor, &left->item[i]))
      return false;
  }
  return true;
}

Values pieces_apply(Rearrange *r) {
  Values results = {0};
  Pieces left = {0}, right = {0};
  const PatternSide *side = &r->pattern.right;
  if (!add_all(r, &r->pattern.left, true, &left) || !add_all(r, side, false, &right))
    return results;
  Piece **from = ARENA_ARRAY(r->l->arena, Piece *, right.count);
  Value **value = ARENA_ARRAY(r->l->arena, Value *, right.count);
  if (!match_pieces(r, &left, &right, from) || !split_all(r, &left))
    return results;
  for (int i = 0; i < right.count; i++) {
    value[i] = piece_apply(r, from[i], &right.item[i]);
    if (!value[i])
      return results;
  }
  Value **result = ARENA_ARRAY(r->l->arena, Value *, side->count);
  for (int t = 0, at = 0; t < side->count; t++) {
    int count = 0;
    while (at + count < right.count && right.item[at + count].tensor == &side->tensor[t])
      count++;
    result[t] = join_pieces(r, value + at, count, &side->tensor[t]);
    if (!result[t])
      return results;
    at += count;
  }
  return (Values){result, side->count};
}
