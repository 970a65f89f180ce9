// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pad as several operators. By an element that is data: each end is the element, expanded, and joined to the tensor.
// By an amount that may be below 0, which only the call knows: what is below 0 crops, then the rest pads.
//
//   Pad x: f32[2, N], pads [0, 1, 0, 0], value v     concat of expand(v, [2, 1]) and x, axis=1
//   Pad x: f32[2, N], pads [0, 0, 0, 4 - N]          pads [0, 0, 0, min(4, N) - N], then [0, 0, 0, 4 - min(4, N)]
#include "frontend/onnx/onnx_internal.h"

#include <string.h>

enum { PADS = 1, VALUE, AXES };

static bool is_by_data(const Visit *v) {
  const Item *value = input_of(v, VALUE);
  return value && !value->tensor && !onnx_numbers(value);
}

static bool may_crop(const Visit *v, rsh_num pad) {
  const rsh_symbols *s = symbols_of(v);
  return !rsh_is_known(pad) && !rsh_is_unknown(pad) && !rsh_at_most(s, rsh_int(0), pad) &&
         !rsh_at_most(s, pad, rsh_int(0));
}

static bool any_may_crop(const Visit *v) {
  const Item *x = input_of(v, 0), *list = input_of(v, PADS), *axes = input_of(v, AXES);
  bool has_rank = x && (!x->value || x->value->shape.rank != RSH_RANK_UNKNOWN);
  if (!has_rank || !list || !list->known || (axes && !axes->known))
    return false;
  for (int32_t i = 0; i < list->known->count; i++)
    if (may_crop(v, list->known->item[i]))
      return true;
  return false;
}

bool pad_is_of_steps(const Visit *v) { return is_by_data(v) || any_may_crop(v); }

// The node itself, with other inputs.
static Value *pad_with(Visit *v, Value *x, Item **in) {
  Item **own = v->in;
  v->in = in;
  Binding *b = x ? node_bind(v, &v->r->data, RSH_OP_PAD, &x, 1) : NULL;
  v->in = own;
  Values made = b ? binding_apply(&v->r->data, b) : (Values){0};
  return made.count == 1 ? made.item[0] : NULL;
}

static Item **copy_inputs(const Visit *v) {
  Item **in = ARENA_ARRAY(v->r->arena, Item *, v->node->n_input);
  memcpy(in, v->in, v->node->n_input * sizeof *in);
  return in;
}

// Other modes than constant ignore the value.
static Value *pad_without_value(Visit *v) {
  Item **in = copy_inputs(v);
  in[VALUE] = NULL;
  return pad_with(v, item_value(v->r, v->in[0], v->span), in);
}

static Value *element(Visit *v, const Value *x) {
  Value *value = step_operand(v, VALUE);
  bool is_one = value && value->shape.rank <= 1;
  for (int32_t i = 0; is_one && i < value->shape.rank; i++)
    is_one = rsh_is(value->shape.dim[i], 1);
  if (value && (!is_one || value->dtype != x->dtype))
    return refused(onnx_error(v, "type_mismatch", "%s is %s; it must be one element of type %s",
                              input_label(v, VALUE),
                              type_text(v->r->arena, v->r->data.graph, value->dtype, &value->shape),
                              rsh_dtype_name(x->dtype)));
  return value;
}

// The pads of each axis: first all at the beginning, then all at the end. False: an error was reported.
static bool read_pads(Visit *v, const rsh_shape *shape, rsh_num *pads) {
  const Item *list = input_of(v, PADS), *axes = input_of(v, AXES);
  int32_t rank = shape->rank, count = axes && axes->known ? axes->known->count : rank;
  bool seen[RSH_MAX_RANK] = {false};
  if (!list || !list->known || (axes && !axes->known))
    return onnx_error(v, "unsupported",
                      "%s must be known when the model is compiled if the value is data",
                      input_label(v, list && list->known ? AXES : PADS));
  if (list->known->count != 2 * count)
    return onnx_error(v, "bad_length", "%s has %d entries for %d axes", input_label(v, PADS),
                      (int)list->known->count, (int)count);
  for (int32_t i = 0; i < 2 * rank; i++)
    pads[i] = rsh_int(0);
  for (int32_t i = 0; i < count; i++) {
    int32_t axis = i;
    bool is_axis = !axes || (rsh_is_known(axes->known->item[i]) &&
                             rsh_axis_index(axes->known->item[i].n, rank, &axis));
    if (!is_axis || seen[axis])
      return onnx_error(v, "bad_axis", "%s must name axes of rank %d, each once",
                        input_label(v, AXES), (int)rank);
    seen[axis] = true;
    pads[axis] = list->known->item[i];
    pads[rank + axis] = list->known->item[count + i];
  }
  return true;
}

// Takes the amounts below 0 out of the pads. False: only the call knows them, and there is no room for edges.
//   4 - N       4 - min(4, N), and min(4, N) - N below 0
static bool split_pads(const Visit *v, int32_t count, rsh_num *pads, rsh_num *below) {
  rsh_symbols *s = symbols_of(v);
  for (int32_t i = 0; i < count; i++) {
    rsh_num above;
    below[i] = rsh_int(0);
    if (rsh_at_most(s, rsh_int(0), pads[i]))
      continue;
    if (!sizes_above_0(v, pads[i], &above) || !rsh_sub(s, pads[i], above, &below[i]))
      return false;
    pads[i] = above;
  }
  return true;
}

static Value *crop(Visit *v, Value *x, const rsh_num *below) {
  for (int32_t i = 0; i < 2 * x->shape.rank; i++)
    if (!rsh_is(below[i], 0))
      return step_crop(v, x, below);
  return x;
}

static Value *extend(Visit *v, Value *x, Value *value, int32_t axis, rsh_num by, bool at_end) {
  if (!x || rsh_is(by, 0))
    return x;
  rsh_shape shape = x->shape;
  shape.dim[axis] = by;
  Value *filler = step_expand(v, value, &shape);
  return at_end ? step_join(v, x, filler, axis) : step_join(v, filler, x, axis);
}

static Value *crop_then_pad(Visit *v) {
  rsh_num pads[2 * RSH_MAX_RANK], below[2 * RSH_MAX_RANK];
  Value *x = item_value(v->r, v->in[0], v->span);
  if (!x || !read_pads(v, &x->shape, pads))
    return NULL;
  int32_t count = 2 * x->shape.rank;
  if (!split_pads(v, count, pads, below))
    return pad_with(v, x, v->in);
  Item **in = copy_inputs(v), *list = ARENA_NEW(v->r->arena, Item);
  Numbers *known = numbers_vector(v->r, count);
  if (!known)
    return pad_with(v, x, v->in);
  for (int32_t i = 0; i < count; i++)
    known->item[i] = pads[i];
  *list = (Item){.name = v->in[PADS]->name, .span = v->in[PADS]->span, .known = known};
  in[PADS] = list;
  if (v->node->n_input > AXES)
    in[AXES] = NULL;
  return pad_with(v, crop(v, x, below), in);
}

Value *pad_apply(Visit *v) {
  if (!is_by_data(v))
    return crop_then_pad(v);
  const Onnx__AttributeProto *mode = attribute_of(v, "mode");
  static const char constant[] = "constant";
  rsh_num pads[2 * RSH_MAX_RANK], below[2 * RSH_MAX_RANK];
  if (mode &&
      !(mode->s.len == strlen(constant) && memcmp(mode->s.data, constant, strlen(constant)) == 0))
    return pad_without_value(v);
  Value *x = step_operand(v, 0), *value = x ? element(v, x) : NULL;
  if (!value || !node_has_attributes(v) || !read_pads(v, &x->shape, pads))
    return NULL;
  int32_t rank = x->shape.rank;
  for (int32_t i = 0; i < rank; i++)
    if (rsh_is_unknown(x->shape.dim[i]))
      return refused(onnx_error(v, "unsupported",
                                "%s has sizes known only at run time, and the "
                                "value is data",
                                input_label(v, 0)));
  if (!split_pads(v, 2 * rank, pads, below))
    return refused(onnx_error(v, "unsupported",
                              "%s may be below 0, which only the call knows, and the value is data",
                              input_label(v, PADS)));
  x = crop(v, x, below);
  for (int32_t i = 0; i < rank; i++)
    x = extend(v, extend(v, x, value, i, pads[i], false), value, i, pads[rank + i], true);
  return x;
}
