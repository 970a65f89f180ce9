// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of a model: its inputs, with their types, and its initializers.
#include "frontend/onnx/onnx_internal.h"

#include <string.h>

// ---- Parts of the model, for messages

Span place_add(Reader *r, const char *text) {
  Span span = {(uint32_t)r->places.count, 0};
  for (; *text && r->places.count < INT32_MAX / 4; text++)
    VEC_PUSH(r->arena, r->places, *text);
  span.end = (uint32_t)r->places.count;
  return span;
}

void set_source(Reader *r) {
  Source *source = ARENA_NEW(r->arena, Source);
  VEC_PUSH(r->arena, r->places, '\0');
  *source = (Source){.name = r->file->path,
                     .text = r->places.item,
                     .length = (uint32_t)r->places.count - 1,
                     .is_model = true};
  r->diag->source = source;
}

void structure_error(Reader *r, Span span, const char *kind, const char *format, const char *a) {
  diag_error(r->diag, span, kind, format, a);
  r->data.failed = true;
}

// ---- Names

Item *item_find(const Frame *frame, const char *name) {
  for (; frame; frame = frame->outer) {
    Item *item;
    HASH_FIND_STR(frame->items, name, item);
    if (item)
      return item;
  }
  return NULL;
}

Item *item_add(Reader *r, Frame *frame, const char *name, Span span) {
  Item *item;
  HASH_FIND_STR(frame->items, name, item);
  if (item) {
    structure_error(r, span, "redefined", "a value '%s' already exists", name);
    diag_note(r->diag, item->span, "it is defined here");
    return NULL;
  }
  item = ARENA_NEW(r->arena, Item);
  item->name = name;
  item->span = span;
  HASH_ADD_KEYPTR(hh, frame->items, item->name, strlen(item->name), item);
  return item;
}

// ---- Types of inputs

static bool is_symbol(const Graph *graph, const char *word) {
  for (int i = 0; i < graph->symbol.count; i++)
    if (graph->symbol.item[i].name && strcmp(graph->symbol.item[i].name, word) == 0)
      return true;
  return false;
}

// A number distinguishes names that map to the same identifier: "H/2" is H_2, and "H-2" is H_2_2.
static bool symbol_add(Reader *r, const char *given, const char *name, Span span, rsh_num *out) {
  Graph *graph = r->data.graph;
  if (given && declared_symbol(graph, given, out))
    return true;
  const char *base = graph_text_word(r->arena, name), *word = base;
  int at = graph->symbol.count; // edges may follow it
  for (int i = 2; is_symbol(graph, word); i++)
    word = arena_printf(r->arena, "%s_%d", base, i);
  if (!symbol_new(&r->data, word, span, out))
    return false;
  graph->symbol.item[at].given = given;
  return true;
}

// An unnamed or negative size is named after its input: "x_1".
static bool read_dim(Reader *r, const Onnx__TensorShapeProto__Dimension *dim, const char *input,
                     size_t axis, Span span, rsh_num *out) {
  if (onnx_size_is_number(dim)) {
    *out = rsh_int(dim->dim_value);
    return true;
  }
  const char *given = onnx_size_name(dim);
  if (r->surveyor && (r->visits > 0 || r->data.graph->symbol.count == RSH_MAX_SYMBOLS)) {
    *out = declared_size(r, given);
    return true;
  }
  const char *name = given ? given : arena_printf(r->arena, "%s_%zu", input, axis);
  return symbol_add(r, given, name, span, out);
}

static bool read_type(Reader *r, const Onnx__ValueInfoProto *info, Span span, rsh_dtype *dtype,
                      rsh_shape *shape) {
  const Onnx__TypeProto *type = info->type;
  Lower *l = &r->data;
  *shape = (rsh_shape){.rank = RSH_RANK_UNKNOWN};
  if (!type || type->value_case != ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE) {
    lower_error(l, span, "unsupported", "only tensors are supported");
    return false;
  }
  const Onnx__TypeProto__Tensor *tensor = type->tensor_type;
  *dtype = onnx_dtype(tensor->elem_type);
  if (*dtype == RSH_DTYPE_NONE) {
    lower_error(l, span, "unknown_type", "%s", onnx_dtype_words(r->arena, tensor->elem_type));
    return false;
  }
  if (!tensor->shape)
    return true;
  if (tensor->shape->n_dim > RSH_MAX_RANK) {
    lower_error(l, span, "rank_limit", "%zu axes; at most %d are supported", tensor->shape->n_dim,
                RSH_MAX_RANK);
    return false;
  }
  shape->rank = (int32_t)tensor->shape->n_dim;
  for (size_t i = 0; i < tensor->shape->n_dim; i++)
    if (!read_dim(r, tensor->shape->dim[i], text_or(info->name, "x"), i, span, &shape->dim[i]))
      return false;
  rsh_num volume;
  if (shape->rank == RSH_RANK_UNKNOWN ||
      rsh_volume(r->data.graph->symbols, shape, &volume) == RSH_ok)
    return true;
  lower_error(l, span, "overflow", "%s", overflow_text(r->arena, r->data.graph, shape));
  return false;
}

// An initializer with the name of an input is its default: the model is compiled with it, unless defaults are open.
static const char a_sparse_tensor[] = "sparse tensors are not supported";

static bool is_initializer(const Item *item) {
  return item && (item->tensor || item->absent == a_sparse_tensor);
}

void read_input(Reader *r, Frame *frame, const Onnx__ValueInfoProto *info) {
  const char *name = info->name;
  Item *item = item_find(frame, name);
  if (is_initializer(item) && !r->file->has_open_defaults)
    return;
  Span span = place_add(r, arena_printf(r->arena, "input '%s'", name));
  if (is_initializer(item))
    item->known = NULL, item->tensor = NULL, item->absent = NULL;
  else
    item = item_add(r, frame, name, span);
  rsh_dtype dtype;
  rsh_shape shape;
  if (!item)
    return;
  item->is_poisoned = true;
  if (!read_type(r, info, span, &dtype, &shape))
    return;
  item->is_poisoned = false;
  item->value = value_new(&r->data, dtype, &shape, span);
  item->value->name = name;
}

void read_initializers(Reader *r, Frame *frame, const Onnx__GraphProto *graph) {
  for (size_t i = 0; i < graph->n_initializer; i++) {
    const Onnx__TensorProto *tensor = graph->initializer[i];
    const char *name = tensor->name;
    Span span = place_add(r, r->file->is_openvino
                                 ? text_or(tensor->doc_string, "layer")
                                 : arena_printf(r->arena, "initializer %zu '%s'", i, name));
    Item *item = item_add(r, frame, name, span);
    if (!item)
      continue;
    item->tensor = tensor;
    item->known = onnx_tensor_known(r, tensor);
  }
  for (size_t i = 0; i < graph->n_sparse_initializer; i++) {
    const Onnx__TensorProto *values = graph->sparse_initializer[i]->values;
    Span span = place_add(r, arena_printf(r->arena, "sparse initializer %zu", i));
    Item *item = values ? item_add(r, frame, values->name, span) : NULL;
    if (item)
      item->absent = a_sparse_tensor;
  }
}
