// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sequences of tensors that are only passed on: while a model is read, each is a list of its entries. Positions are
// then known.
//
//   SequenceConstruct(a, b), SequenceInsert(s, c, 0), SequenceAt(s, -1)    b
//   SplitToSequence(x: f32[2, N]), ConcatFromSequence(s)                   split, concat
//
// An optional is a sequence of one entry, or of none, that may itself be a sequence.
#include "frontend/onnx/onnx_internal.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_TENSORS = 4096 };

typedef VEC(Item *) Items;

struct Sequence {
  Items items;
  bool is_optional;
};

// ---- Inputs and outputs of nodes

static bool give(Visit *v, const Items *items, Item *out) {
  if (items->count > MOST_TENSORS || items->count > v->r->known_left)
    return onnx_error(v, "limit", "a sequence of %d tensors, or too many sequences; at most %d",
                      items->count, MOST_TENSORS);
  v->r->known_left -= items->count;
  struct Sequence *made = ARENA_NEW(v->r->arena, struct Sequence);
  *made = (struct Sequence){.items = *items};
  out->sequence = made;
  out->absent = "a sequence of tensors is supported only if nodes insert tensors and take them out";
  return true;
}

static const Items *sequence_of(Visit *v) {
  const Item *in = input_of(v, 0);
  if (in && in->sequence && !in->sequence->is_optional)
    return &in->sequence->items;
  onnx_error(v, "bad_arg", "input 0 of '%s' is not a sequence of tensors", v->op);
  return NULL;
}

// A position, counted from the end if negative; `last` is the largest, and the default.
static bool position_of(Visit *v, size_t input, int last, int count, int *out) {
  const Item *in = input_of(v, input);
  *out = last;
  if (in && (!in->known || in->known->count != 1 || !rsh_is_known(in->known->item[0])))
    return onnx_refuse_unknown(v, input);
  int64_t at = in ? in->known->item[0].n : last;
  if (at < -count || at > last)
    return onnx_error(v, "bad_index", "position %" PRId64 " of a sequence of %d", at, count);
  *out = (int)(at < 0 ? at + count : at);
  return true;
}

// ---- Operators

static bool construct(Visit *v, Item *out) {
  Items made = {0};
  for (size_t i = 0; i < v->node->n_input; i++) {
    if (!v->in[i] || v->in[i]->sequence)
      return onnx_error(v, "bad_arg", "input %zu is not a tensor", i);
    VEC_PUSH(v->r->arena, made, v->in[i]);
  }
  return give(v, &made, out);
}

static bool insert(Visit *v, Item *out) {
  const Items *from = sequence_of(v);
  Items made = {0};
  int at;
  if (!from || !input_of(v, 1) || v->in[1]->sequence)
    return from && onnx_error(v, "bad_arg", "input 1 is not a tensor");
  if (!position_of(v, 2, from->count, from->count, &at))
    return false;
  for (int i = 0; i <= from->count; i++) {
    if (i == at)
      VEC_PUSH(v->r->arena, made, v->in[1]);
    if (i < from->count)
      VEC_PUSH(v->r->arena, made, from->item[i]);
  }
  return give(v, &made, out);
}

static bool erase(Visit *v, Item *out) {
  const Items *from = sequence_of(v);
  Items made = {0};
  int at;
  if (!from || !position_of(v, 1, from->count - 1, from->count, &at))
    return false;
  for (int i = 0; i < from->count; i++)
    if (i != at)
      VEC_PUSH(v->r->arena, made, from->item[i]);
  return give(v, &made, out);
}

// Makes an entry the result.
static bool pass(Visit *v, Item *found, Item *out) {
  out->known = found->known;
  out->fraction = found->fraction;
  out->tensor = found->tensor;
  out->sequence = found->sequence;
  out->absent = found->absent;
  out->is_of_sizes = found->is_of_sizes;
  out->is_rounded = found->is_rounded;
  if (found->known || found->fraction || found->tensor || found->sequence)
    return true;
  out->value = step_same(v, item_value(v->r, found, v->span));
  return out->value != NULL;
}

static bool take(Visit *v, Item *out) {
  const Items *from = sequence_of(v);
  int at;
  if (!from || !input_of(v, 1))
    return from && onnx_error(v, "arity", "input 1 is left out");
  if (!position_of(v, 1, from->count - 1, from->count, &at))
    return false;
  return pass(v, from->item[at], out);
}

static bool length(Visit *v, Item *out) {
  const rsh_shape scalar = {0};
  const Items *from = sequence_of(v);
  Numbers *known = from ? numbers_new(v->r, RSH_I64, &scalar) : NULL;
  if (known)
    known->item[0] = rsh_int(from->count);
  out->known = known;
  return known != NULL;
}

// Numbers stacked, or vectors of numbers joined, as targets are: a vector. NULL: they are data, or do not fit.
static const Numbers *join_known(Visit *v, const Items *from, bool stacks) {
  int32_t rank = stacks ? 0 : 1, count = 0;
  int64_t axis = attribute_int(v, "axis", 0);
  if (axis != 0 && axis != -1)
    return NULL;
  for (int i = 0; i < from->count; i++) {
    const Numbers *one = from->item[i]->known;
    if (!one || one->shape.rank != rank || one->dtype != from->item[0]->known->dtype ||
        one->count > KNOWN_LIMIT - count)
      return NULL;
    count += one->count;
  }
  const rsh_shape shape = {.rank = 1, .dim = {rsh_int(count)}};
  Numbers *made = numbers_new(v->r, from->item[0]->known->dtype, &shape);
  rsh_num *to = made ? made->item : NULL;
  for (int i = 0; made && i < from->count; i++)
    for (int32_t k = 0; k < from->item[i]->known->count; k++)
      *to++ = from->item[i]->known->item[k];
  return made;
}

static bool join(Visit *v, Item *out) {
  const Items *from = sequence_of(v);
  if (!from)
    return false;
  if (from->count == 0)
    return onnx_error(v, "arity", "a sequence without tensors cannot be joined");
  bool stacks = attribute_int(v, "new_axis", 0) != 0;
  int64_t axis = attribute_int(v, "axis", 0);
  const Numbers *first = from->item[0]->known;
  int32_t rank = first ? first->shape.rank + stacks : 0; // tensors check it as they are joined
  if (!attribute_of(v, "axis"))
    return onnx_error(v, "arity", "'%s' needs 'axis'", v->op);
  if (rank > 0 && (axis < -rank || axis >= rank))
    return onnx_error(v, "bad_axis", "'axis' is %" PRId64 "; the rank of the result is %d", axis,
                      (int)rank);
  out->known = join_known(v, from, stacks);
  if (out->known)
    return true;
  Value **value = ARENA_ARRAY(v->r->arena, Value *, from->count);
  for (int i = 0; i < from->count; i++)
    value[i] = item_value(v->r, from->item[i], v->span);
  out->value = step_join_all(v, value, from->count, stacks, axis);
  return out->value != NULL;
}

// The sizes of the parts. False: an error was reported.
static bool parts_of(Visit *v, rsh_num size, rsh_num **out, int *count) {
  const Item *split = input_of(v, 1);
  if (split && !split->known)
    return onnx_refuse_unknown(v, 1);
  if (split && split->known->shape.rank == 1) {
    *out = split->known->item;
    *count = split->known->count;
    return *count > 0 || onnx_error(v, "bad_parts", "there are no parts");
  }
  if (split && split->known->shape.rank != 0)
    return onnx_error(v, "bad_rank", "%s has rank %d; it is a scalar or a vector",
                      input_label(v, 1), (int)split->known->shape.rank);
  rsh_num each = split ? split->known->item[0] : rsh_int(1);
  if (!rsh_is_known(size) || !rsh_is_known(each))
    return onnx_error(v, "unsupported",
                      "the number of parts is not known when the model is "
                      "compiled");
  if (each.n < 1)
    return onnx_error(v, "bad_parts", "parts of %" PRId64, each.n);
  if (size.n < 1 || (size.n - 1) / each.n >= MOST_TENSORS)
    return onnx_error(v, "limit",
                      "%" PRId64 " in parts of %" PRId64 "; from 1 to %d parts are "
                      "supported",
                      size.n, each.n, MOST_TENSORS);
  *count = (int)((size.n - 1) / each.n) + 1;
  *out = ARENA_ARRAY(v->r->arena, rsh_num, *count);
  for (int i = 0; i < *count; i++)
    (*out)[i] = i < *count - 1 ? each : rsh_int(size.n - each.n * i);
  return true;
}

static Item *part_new(Visit *v, Items *to) {
  Item *item = ARENA_NEW(v->r->arena, Item);
  *item = (Item){.name = v->node->output[0], .span = v->span};
  VEC_PUSH(v->r->arena, *to, item);
  return item;
}

// A vector of numbers, such as a shape, in parts. False: the sizes of the parts do not fit.
static bool split_known(Visit *v, const Numbers *from, const rsh_num *size, int count, bool drops,
                        Items *to) {
  int64_t at = 0;
  for (int i = 0; i < count; i++) {
    rsh_shape shape = {.rank = drops ? 0 : 1, .dim = {size[i]}};
    if (!rsh_is_known(size[i]) || size[i].n < 0 || size[i].n > from->count - at)
      return false;
    Numbers *part = numbers_new(v->r, from->dtype, &shape);
    if (!part)
      return false;
    for (int32_t k = 0; k < part->count; k++)
      part->item[k] = from->item[at++];
    part_new(v, to)->known = part;
  }
  return at == from->count;
}

static bool split(Visit *v, Item *out) {
  const Numbers *known = input_known(v, 0);
  bool is_vector = known && known->shape.rank == 1;
  Value *x = is_vector ? NULL : step_operand(v, 0);
  Items made = {0};
  rsh_num *size = NULL;
  int count = 0;
  if (!is_vector && !x)
    return false;
  const rsh_shape *shape = is_vector ? &known->shape : &x->shape;
  int64_t axis = attribute_int(v, "axis", 0);
  bool drops = attribute_int(v, "keepdims", 1) == 0 && !input_of(v, 1);
  if (axis < -shape->rank || axis >= shape->rank)
    return onnx_error(v, "bad_axis", "'axis' is %" PRId64 "; the rank of %s is %d", axis,
                      input_label(v, 0), (int)shape->rank);
  axis += axis < 0 ? shape->rank : 0;
  if (!parts_of(v, shape->dim[axis], &size, &count))
    return false;
  if (is_vector && split_known(v, known, size, count, drops, &made))
    return give(v, &made, out);
  made = (Items){0};
  x = x ? x : step_operand(v, 0); // which reports what does not fit
  if (!x)
    return false;
  Values part = step_split(v, x, size, count, (int32_t)axis);
  for (int i = 0; i < part.count; i++) {
    Value *value = drops ? step_squeeze(v, part.item[i], (int32_t)axis) : part.item[i];
    if (!value)
      return false;
    part_new(v, &made)->value = value;
  }
  return part.count > 0 && give(v, &made, out);
}

// ---- Optionals

// The entries of an optional; NULL: it is another value.
static const Items *optional_of(const Visit *v) {
  const Item *in = input_of(v, 0);
  return in && in->sequence && in->sequence->is_optional ? &in->sequence->items : NULL;
}

static bool wrap(Visit *v, Item *out) {
  Items made = {0};
  if (input_of(v, 0))
    VEC_PUSH(v->r->arena, made, v->in[0]);
  if (!give(v, &made, out))
    return false;
  struct Sequence *optional = ARENA_NEW(v->r->arena, struct Sequence);
  *optional = (struct Sequence){.items = made, .is_optional = true};
  out->sequence = optional;
  out->absent = "an optional is supported only if nodes make it and take its element";
  return true;
}

// Since opset 18, any value is an optional that has an element.
static bool has_element(Visit *v, Item *out) {
  const rsh_shape scalar = {0};
  const Items *optional = optional_of(v);
  Numbers *known = numbers_new(v->r, RSH_BOOL, &scalar);
  if (known)
    known->item[0] = rsh_int(optional ? optional->count > 0 : input_of(v, 0) != NULL);
  out->known = known;
  return known != NULL;
}

static bool unwrap(Visit *v, Item *out) {
  const Items *optional = optional_of(v);
  Item *found = !optional ? input_of(v, 0) : optional->count > 0 ? optional->item[0] : NULL;
  return found ? pass(v, found, out)
               : onnx_error(v, "bad_arg", "input 0 of '%s' has no element", v->op);
}

// ---- All operators

static bool empty(Visit *v, Item *out) { return give(v, &(Items){0}, out); }

static const struct {
  const char *op;
  bool (*apply)(Visit *v, Item *out);
} operators[] = {
    {"ConcatFromSequence", join},
    {"SequenceAt", take},
    {"SequenceConstruct", construct},
    {"SequenceEmpty", empty},
    {"SequenceErase", erase},
    {"SequenceInsert", insert},
    {"SequenceLength", length},
    {"SplitToSequence", split},
    {"Optional", wrap},
    {"OptionalGetElement", unwrap},
    {"OptionalHasElement", has_element},
};

static bool (*apply_of(const char *op))(Visit *, Item *) {
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (strcmp(operators[i].op, op) == 0)
      return operators[i].apply;
  return NULL;
}

bool sequence_is_op(const char *op) { return apply_of(op) != NULL; }

bool sequence_is_made(const char *op) {
  bool (*apply)(Visit *, Item *) = apply_of(op);
  return apply && apply != take && apply != join && apply != length && apply != wrap &&
         apply != unwrap && apply != has_element;
}

bool sequence_apply(Visit *v, Item *out) { return apply_of(v->op)(v, out); }
