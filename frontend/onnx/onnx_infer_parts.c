// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers of shape rules: inputs, attributes, arithmetic on sizes that may be open.
#include "frontend/onnx/onnx_infer.h"

#include <string.h>

// ---- Inputs

bool infer_has(const Infer *f, size_t input) { return input_of(f->v, input) != NULL; }

bool infer_type(const Visit *v, size_t input, TensorType *out) {
  const char *why = NULL;
  const Item *item = input_of(v, input);
  if (!item)
    return false;
  if (item->value)
    *out = (TensorType){item->value->dtype, item->value->shape};
  else if (item->known)
    *out = (TensorType){item->known->dtype, item->known->shape};
  else if (item->has_dtype)
    *out = (TensorType){item->dtype, {.rank = RSH_RANK_UNKNOWN}};
  else
    return item->tensor &&
           onnx_tensor_type(item->tensor, v->r->arena, &out->dtype, &out->shape, &why);
  return true;
}

bool infer_in(const Infer *f, size_t input, rsh_shape *out) {
  TensorType type;
  if (!infer_type(f->v, input, &type))
    return false;
  *out = type.shape;
  return out->rank != RSH_RANK_UNKNOWN;
}

bool infer_ranked(const Infer *f, size_t input, int32_t least, int32_t most, rsh_shape *out) {
  return infer_in(f, input, out) && out->rank >= least && out->rank <= most;
}

rsh_num infer_size(const Infer *f, size_t input, int32_t axis) {
  rsh_shape in;
  return infer_ranked(f, input, axis + 1, RSH_MAX_RANK, &in) ? in.dim[axis] : infer_open(f);
}

bool infer_length(const Infer *f, size_t input, int32_t *out) {
  rsh_shape shape;
  if (!infer_ranked(f, input, 1, 1, &shape) || !rsh_is_known(shape.dim[0]) ||
      shape.dim[0].n > RSH_MAX_RANK)
    return false;
  *out = (int32_t)shape.dim[0].n;
  return true;
}

const Numbers *infer_known(const Infer *f, size_t input) {
  return infer_has(f, input) ? f->v->in[input]->known : NULL;
}

bool infer_int(const Infer *f, size_t input, rsh_num *out) {
  const Numbers *known = infer_known(f, input);
  if (!known || known->count != 1)
    return false;
  *out = known->item[0];
  return true;
}

rsh_num infer_item(const Infer *f, const Numbers *known, int32_t i) {
  return known && i < known->count ? known->item[i] : infer_open(f);
}

// ---- Attributes

const char *infer_word(const Infer *f, const char *attribute) {
  const Onnx__AttributeProto *a = attribute_of(f->v, attribute);
  return a ? arena_text(f->v->r->arena, (const char *)a->s.data, a->s.len) : "";
}

int64_t infer_entry(const Infer *f, const char *list, size_t i, int64_t fallback) {
  const Onnx__AttributeProto *a = attribute_of(f->v, list);
  return a && i < a->n_ints ? a->ints[i] : fallback;
}

bool infer_number(const Infer *f, size_t input, const char *attribute, int32_t i, rsh_num *out) {
  const Onnx__AttributeProto *a = attribute_of(f->v, attribute);
  const Numbers *known = infer_known(f, input);
  if (known ? i >= known->count : !a || (size_t)i >= a->n_ints)
    return false;
  *out = known ? known->item[i] : rsh_int(a->ints[i]);
  return true;
}

bool infer_listed(const Infer *f, size_t input, const char *attribute, int32_t i, int64_t *out) {
  rsh_num n;
  if (!infer_number(f, input, attribute, i, &n) || !rsh_is_known(n))
    return false;
  *out = n.n;
  return true;
}

bool infer_axes(const Infer *f, size_t input, const char *attribute, int32_t rank, uint32_t *set,
                bool *given) {
  const Onnx__AttributeProto *a = attribute_of(f->v, attribute);
  bool is_input = infer_has(f, input);
  const Numbers *known = infer_known(f, input);
  size_t count = is_input ? (known ? (size_t)known->count : 0) : a ? a->n_ints : 0;
  *set = 0;
  *given = is_input || a;
  if (is_input && !known)
    return false;
  for (size_t i = 0; i < count; i++) {
    int32_t axis;
    rsh_num n = is_input ? known->item[i] : rsh_int(a->ints[i]);
    if (!rsh_is_known(n) || !rsh_axis_index(n.n, rank, &axis))
      return false;
    *set |= UINT32_C(1) << axis;
  }
  return true;
}

bool infer_axis_of(const Infer *f, size_t input, const char *attribute, bool given, int32_t i,
                   int32_t rank, int32_t *axis) {
  int64_t written = i;
  return (!given || infer_listed(f, input, attribute, i, &written)) &&
         rsh_axis_index(written, rank, axis);
}

// ---- Sizes

rsh_num infer_open(const Infer *f) {
  return rsh_unknown(graph_symbols(&f->v->r->data), 0, INT64_MAX);
}

rsh_num infer_sum(const Infer *f, rsh_num a, rsh_num b) {
  rsh_num out;
  return rsh_add(graph_symbols(&f->v->r->data), a, b, &out) ? out : infer_open(f);
}

rsh_num infer_product(const Infer *f, rsh_num a, rsh_num b) {
  rsh_num out;
  return rsh_mul(graph_symbols(&f->v->r->data), a, b, &out) ? out : infer_open(f);
}

rsh_num infer_floor(const Infer *f, rsh_num a, int64_t by) {
  rsh_num out;
  if (by < 1)
    return infer_open(f);
  if (rsh_is_known(a))
    return rsh_int(a.n / by - (a.n % by < 0));
  return sizes_quotient(f->v, a, rsh_int(by), &out) ? out : infer_open(f);
}

rsh_num infer_ceiling(const Infer *f, rsh_num a, int64_t by) {
  return infer_floor(f, infer_sum(f, a, rsh_int(by - 1)), by);
}

rsh_num infer_same_size(rsh_num a, rsh_num b) {
  return rsh_is_known(a) || rsh_is_unknown(b) ? a : b;
}

void infer_append(rsh_shape *shape, rsh_num dim) {
  if (shape->rank == RSH_RANK_UNKNOWN || shape->rank >= RSH_MAX_RANK)
    shape->rank = RSH_RANK_UNKNOWN;
  else
    shape->dim[shape->rank++] = dim;
}

void infer_all_open(const Infer *f, rsh_shape *shape, int32_t rank) {
  *shape = (rsh_shape){0};
  for (int32_t i = 0; i < rank; i++)
    infer_append(shape, infer_open(f));
}
