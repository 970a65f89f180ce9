// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The external files that a model refers to.
#include "frontend/onnx/onnx_file.h"

#include <string.h>

static void graph_locations(Arena *arena, const Onnx__GraphProto *graph, OnnxLocations *out);

static void tensor_locations(Arena *arena, const Onnx__TensorProto *tensor, OnnxLocations *out) {
  if (!tensor || tensor->data_location != ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL)
    return;
  for (size_t i = 0; i < tensor->n_external_data; i++) {
    const char *key = tensor->external_data[i]->key, *value = tensor->external_data[i]->value;
    if (strcmp(key, "location") != 0 || !*value)
      continue;
    bool is_known = false;
    for (int k = out->count; k-- > 0 && !is_known;) // usually the last one
      is_known = strcmp(out->item[k], value) == 0;
    if (!is_known)
      VEC_PUSH(arena, *out, value);
  }
}

static void sparse_locations(Arena *arena, const Onnx__SparseTensorProto *sparse,
                             OnnxLocations *out) {
  if (!sparse)
    return;
  tensor_locations(arena, sparse->values, out);
  tensor_locations(arena, sparse->indices, out);
}

static void attribute_locations(Arena *arena, Onnx__AttributeProto *const *attribute, size_t count,
                                OnnxLocations *out) {
  for (size_t i = 0; i < count; i++) {
    const Onnx__AttributeProto *a = attribute[i];
    tensor_locations(arena, a->t, out);
    sparse_locations(arena, a->sparse_tensor, out);
    graph_locations(arena, a->g, out);
    for (size_t k = 0; k < a->n_tensors; k++)
      tensor_locations(arena, a->tensors[k], out);
    for (size_t k = 0; k < a->n_sparse_tensors; k++)
      sparse_locations(arena, a->sparse_tensors[k], out);
    for (size_t k = 0; k < a->n_graphs; k++)
      graph_locations(arena, a->graphs[k], out);
  }
}

static void node_locations(Arena *arena, const Onnx__NodeProto *node, OnnxLocations *out) {
  attribute_locations(arena, node->attribute, node->n_attribute, out);
}

static void graph_locations(Arena *arena, const Onnx__GraphProto *graph, OnnxLocations *out) {
  if (!graph)
    return;
  for (size_t i = 0; i < graph->n_initializer; i++)
    tensor_locations(arena, graph->initializer[i], out);
  for (size_t i = 0; i < graph->n_sparse_initializer; i++)
    sparse_locations(arena, graph->sparse_initializer[i], out);
  for (size_t i = 0; i < graph->n_node; i++)
    node_locations(arena, graph->node[i], out);
}

void onnx_locations(Arena *arena, const OnnxFile *file, OnnxLocations *out) {
  graph_locations(arena, file->model->graph, out);
  for (size_t i = 0; i < file->model->n_functions; i++) {
    const OnnxFunction *f = &file->function[i];
    attribute_locations(arena, f->attribute, f->n_attribute, out);
    for (size_t k = 0; k < f->proto->n_node; k++)
      node_locations(arena, f->proto->node[k], out);
  }
}
