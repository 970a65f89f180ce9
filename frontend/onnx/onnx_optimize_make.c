// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constant parameters of nodes, and nodes that replace others.
//
//   Squeeze(x), axes=[1] of opset 11; Squeeze(x, [1]) of opset 13      the list 1
#include "frontend/onnx/onnx_optimize_internal.h"

#include <string.h>

// ---- Lists

static int64_t entry_of(const Constant *c, size_t i) {
  int64_t wide = 0;
  int32_t narrow = 0;
  if (c->dtype == RSH_I64)
    memcpy(&wide, c->bytes + i * sizeof wide, sizeof wide);
  else
    memcpy(&narrow, c->bytes + i * sizeof narrow, sizeof narrow);
  return c->dtype == RSH_I64 ? wide : narrow;
}

static bool list_of_input(const Optimizer *o, const Onnx__NodeProto *node, size_t input,
                          IntList *out) {
  Var *var = optimize_var(o, node->input[input]);
  Constant c;
  if (!var || !optimize_constant(o, optimize_origin(var), sizeof out->item, &c) ||
      (c.dtype != RSH_I64 && c.dtype != RSH_I32) || c.shape.rank > 1)
    return false;
  size_t size = c.dtype == RSH_I64 ? sizeof(int64_t) : sizeof(int32_t);
  size_t count = optimize_constant_bytes(&c) / size;
  if (count > RSH_MAX_RANK)
    return false;
  out->count = (int32_t)count;
  out->is_scalar = c.shape.rank == 0;
  for (size_t i = 0; i < count; i++)
    out->item[i] = entry_of(&c, i);
  return true;
}

bool optimize_list(const Optimizer *o, const Onnx__NodeProto *node, const char *name, int input,
                   IntList *out) {
  const Onnx__AttributeProto *a = optimize_attribute(node, name);
  *out = (IntList){0};
  if (input >= 0 && (size_t)input < node->n_input && *node->input[input]) {
    out->is_given = true;
    return list_of_input(o, node, (size_t)input, out);
  }
  if (!a)
    return true;
  if (a->n_ints > RSH_MAX_RANK)
    return false;
  out->is_given = true;
  out->count = (int32_t)a->n_ints;
  for (size_t i = 0; i < a->n_ints; i++)
    out->item[i] = a->ints[i];
  return true;
}

// ---- Initializers

// In files before version 4 every initializer is also an input.
void optimize_put_input(const Optimizer *o, WireBytes *to, const char *name, rsh_dtype dtype,
                        const rsh_shape *dims) {
  WireDim dim[RSH_MAX_RANK];
  if (o->file->model->ir_version >= ONNX_OPEN_DEFAULTS)
    return;
  for (int32_t i = 0; i < dims->rank; i++)
    dim[i] = (WireDim){.size = dims->dim[i].n};
  wire_put_info(o->arena, to, GRAPH_INPUT, name, onnx_dtype_number(dtype), dim, dims->rank);
}

void optimize_put_initializer(Optimizer *o, const char *name, const Constant *c) {
  WireBytes tensor = {0};
  for (int32_t i = 0; i < c->shape.rank; i++)
    wire_put_number(o->arena, &tensor, TENSOR_DIMS, (uint64_t)c->shape.dim[i].n);
  wire_put_number(o->arena, &tensor, TENSOR_TYPE, (uint64_t)onnx_dtype_number(c->dtype));
  wire_put_text(o->arena, &tensor, TENSOR_NAME, name);
  wire_put_bytes(o->arena, &tensor, TENSOR_RAW_DATA, c->bytes, optimize_constant_bytes(c));
  wire_put_bytes(o->arena, &o->late, GRAPH_INITIALIZER, tensor.item, (size_t)tensor.count);
  optimize_put_input(o, &o->late, name, c->dtype, &c->shape);
}

const char *optimize_put_list(Optimizer *o, const char *base, const char *what,
                              const IntList *list) {
  const char *name = optimize_new_name(o, base, what);
  rsh_shape shape = {.rank = list->is_scalar ? 0 : 1, .dim = {rsh_int(list->count)}};
  WireBytes bytes = {0};
  for (int32_t i = 0; i < list->count; i++)
    for (int k = 0; k < 8; k++)
      VEC_PUSH(o->arena, bytes, (uint8_t)((uint64_t)list->item[i] >> 8 * k));
  optimize_put_initializer(o, name, &(Constant){RSH_I64, shape, bytes.item});
  return name;
}

// ---- Nodes

void optimize_replace(Optimizer *o, size_t index, const NewNode *made) {
  const Onnx__NodeProto *old = o->graph->node[index];
  NodeFate *fate = &o->node[index];
  WireBytes node = {0};
  WireField field;
  for (int i = 0; i < made->inputs; i++)
    wire_put_text(o->arena, &node, NODE_INPUT, made->input[i]);
  for (size_t i = 0; i < (made->output ? made->outputs : old->n_output); i++)
    wire_put_text(o->arena, &node, NODE_OUTPUT, made->output ? made->output[i] : old->output[i]);
  for (const uint8_t *at = o->wire[index].body; wire_next(&at, o->wire[index].end, &field);)
    if (field.number != NODE_INPUT && field.number != NODE_OUTPUT &&
        field.number != NODE_OPERATOR && field.number != NODE_ATTRIBUTE)
      wire_put_raw(o->arena, &node, field.begin, (size_t)(field.end - field.begin));
  wire_put_text(o->arena, &node, NODE_OPERATOR, made->op);
  wire_put_raw(o->arena, &node, made->attributes.item, (size_t)made->attributes.count);
  wire_put_bytes(o->arena, &fate->before, GRAPH_NODE, node.item, (size_t)node.count);
  fate->is_rewritten = true;
}
