// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types that a model declares: value_info and the outputs of its graphs.
#include "frontend/onnx/onnx_internal.h"

#include <string.h>

typedef struct Declared {
  const char *name;
  const Onnx__TypeProto *type;
  UT_hash_handle hh;
} Declared;

bool declared_symbol(const Graph *graph, const char *name, rsh_num *out) {
  for (int i = 0; i < graph->symbol.count; i++)
    if (graph->symbol.item[i].given && strcmp(graph->symbol.item[i].given, name) == 0) {
      *out = graph->symbol.item[i].num;
      return true;
    }
  return false;
}

rsh_num declared_size(Reader *r, const char *name) {
  rsh_num size;
  return name && declared_symbol(r->data.graph, name, &size)
             ? size
             : rsh_unknown(graph_symbols(&r->data), 0, INT64_MAX);
}

void onnx_declared_type(Reader *r, const Onnx__TypeProto *type, TensorType *out) {
  *out = (TensorType){RSH_DTYPE_NONE, {.rank = RSH_RANK_UNKNOWN}};
  if (!type || type->value_case != ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE)
    return;
  const Onnx__TensorShapeProto *shape = type->tensor_type->shape;
  rsh_num volume;
  out->dtype = onnx_dtype(type->tensor_type->elem_type);
  if (!shape || shape->n_dim > RSH_MAX_RANK)
    return;
  out->shape.rank = (int32_t)shape->n_dim;
  for (size_t i = 0; i < shape->n_dim; i++) {
    const Onnx__TensorShapeProto__Dimension *dim = shape->dim[i];
    out->shape.dim[i] =
        onnx_size_is_number(dim) ? rsh_int(dim->dim_value) : declared_size(r, onnx_size_name(dim));
  }
  if (rsh_volume(graph_symbols(&r->data), &out->shape, &volume) != RSH_ok)
    out->shape.rank = RSH_RANK_UNKNOWN;
}

static void declare(Reader *r, Frame *frame, const Onnx__ValueInfoProto *info) {
  Declared *found;
  HASH_FIND_STR(frame->declared, info->name, found);
  if (found || !*info->name)
    return;
  found = ARENA_NEW(r->arena, Declared);
  *found = (Declared){.name = info->name, .type = info->type};
  HASH_ADD_KEYPTR(hh, frame->declared, found->name, strlen(found->name), found);
}

// The types in OpenVINO IR are checked; those in a model of ONNX are hints, which only surveys use.
void declared_read(Reader *r, Frame *frame, const Onnx__GraphProto *graph) {
  for (size_t i = 0; (r->surveyor || r->file->is_openvino) && i < graph->n_value_info; i++)
    declare(r, frame, graph->value_info[i]);
  for (size_t i = 0; r->surveyor && i < graph->n_output; i++)
    declare(r, frame, graph->output[i]);
}

void declared_forget(Frame *frame) { HASH_CLEAR(hh, frame->declared); }

bool declared_has_shape(Reader *r, const Frame *frame, const char *name) {
  Declared *found;
  TensorType type;
  HASH_FIND_STR(frame->declared, name, found);
  if (!found)
    return false;
  onnx_declared_type(r, found->type, &type);
  return type.dtype != RSH_DTYPE_NONE && type.shape.rank != RSH_RANK_UNKNOWN;
}

static bool is_other(rsh_num a, rsh_num b) {
  return rsh_is_known(a) && rsh_is_known(b) && a.n != b.n;
}

static bool disagrees(const TensorType *a, const TensorType *b) {
  bool is_type = a->dtype != RSH_DTYPE_NONE && b->dtype != RSH_DTYPE_NONE && a->dtype != b->dtype;
  bool has_ranks = a->shape.rank != RSH_RANK_UNKNOWN && b->shape.rank != RSH_RANK_UNKNOWN;
  bool is_shape = has_ranks && a->shape.rank != b->shape.rank;
  for (int32_t i = 0; has_ranks && !is_shape && i < a->shape.rank; i++)
    is_shape = is_other(a->shape.dim[i], b->shape.dim[i]);
  return is_type || is_shape;
}

static const char *words_of(const Visit *v, const TensorType *type) {
  return type_text(v->r->arena, v->r->data.graph, type->dtype, &type->shape);
}

void declared_check(Visit *v, Item *result) {
  Declared *found;
  TensorType type, stated;
  HASH_FIND_STR(v->frame->declared, result->name, found);
  if (!found || result->is_poisoned || !(result->value || result->known))
    return;
  type = result->value ? (TensorType){result->value->dtype, result->value->shape}
                       : (TensorType){result->known->dtype, result->known->shape};
  onnx_declared_type(v->r, found->type, &stated);
  if (!disagrees(&type, &stated))
    return;
  onnx_error(v, type.dtype == stated.dtype ? "shape_mismatch" : "type_mismatch",
             "the file declares the result '%s' as %s, but it is %s", result->name,
             words_of(v, &stated), words_of(v, &type));
  result->is_poisoned = true;
}

const char *declared_refine(const Visit *v, size_t output, TensorType *type) {
  Declared *found;
  TensorType stated;
  const char *name = v->node->output[output];
  HASH_FIND_STR(v->frame->declared, name, found);
  if (!found)
    return NULL;
  onnx_declared_type(v->r, found->type, &stated);
  if (disagrees(type, &stated))
    return arena_printf(v->r->arena, "the model declares '%s' as %s, but it is %s", name,
                        words_of(v, &stated), words_of(v, type));
  if (type->dtype == RSH_DTYPE_NONE)
    type->dtype = stated.dtype;
  if (type->shape.rank == RSH_RANK_UNKNOWN)
    type->shape = stated.shape;
  for (int32_t i = 0; i < type->shape.rank && type->shape.rank == stated.shape.rank; i++)
    if (rsh_is_unknown(type->shape.dim[i]))
      type->shape.dim[i] = stated.shape.dim[i];
  return NULL;
}
