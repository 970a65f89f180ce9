// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the file of a part: the fields of the model's file unchanged, except for nodes, weights and values of other
// steps; tensors that cross become inputs and outputs.
#include "frontend/onnx/onnx_split_internal.h"

#include <string.h>

typedef struct Writer {
  Split *s;
  const SplitSteps *steps;
  SplitStep *step;
  bool *has_node;  // its nodes, and the constants that they read
  bool *is_listed; // by tensor: an output that was met
  GraphParts to;
  WireField *node; // fields of the nodes
} Writer;

static void put_field(Writer *w, const WireField *field) {
  graph_parts_put(w->s->arena, &w->to, field->begin, (size_t)(field->end - field->begin));
}

// ---- Contents

static void choose_nodes(Writer *w, int level) {
  const Split *s = w->s;
  for (size_t i = s->graph->n_node; i-- > 0;) {
    const SplitNode *node = &s->node[s->order[i]];
    bool *has = &w->has_node[s->order[i]];
    *has = *has ||
           (node->is_live && !node->is_constant && !split_leaves(node) && node->level == level);
    for (int k = 0; *has && k < node->reads.count; k++) {
      int maker = node->reads.item[k]->maker;
      if (maker >= 0 && s->node[maker].is_constant)
        w->has_node[maker] = true;
    }
  }
}

static bool is_read(const Writer *w, const SplitName *name) {
  for (size_t i = 0; i < w->s->graph->n_node; i++)
    for (int k = 0; w->has_node[i] && k < w->s->node[i].reads.count; k++)
      if (w->s->node[i].reads.item[k] == name)
        return true;
  return false;
}

// Returns whether a declaration has everything that the type of a tensor needs; other types need nothing more.
static bool states_type(const Onnx__ValueInfoProto *info) {
  const Onnx__TypeProto *type = info->type;
  return type && (type->value_case != ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE ||
                  (type->tensor_type->elem_type != 0 && type->tensor_type->shape));
}

// Returns whether an output of the model keeps its declaration.
static bool is_declared(const Split *s, const SplitTensor *tensor) {
  for (size_t i = 0; i < s->graph->n_output; i++)
    if (strcmp(s->graph->output[i]->name, tensor->name) == 0)
      return states_type(s->graph->output[i]) || !tensor->shape;
  return false;
}

// Returns whether an input of the model, a value or a weight is copied unchanged; names not in the graph stay.
static bool is_kept(const Writer *w, uint32_t field, const char *text) {
  const SplitName *name = split_name(w->s, text);
  if (!name)
    return false;
  if (field == GRAPH_OUTPUT || field == GRAPH_VALUE_INFO)
    return name->maker >= 0 && w->has_node[name->maker] &&
           (field == GRAPH_OUTPUT) == name->is_output;
  return name->maker < 0 && is_read(w, name);
}

// ---- Tensors that cross

static void put_info(Writer *w, uint32_t field, const SplitTensor *tensor) {
  const Graph *graph = w->s->survey->graph;
  WireBytes bytes = {0};
  WireDim dim[RSH_MAX_RANK];
  for (int32_t i = 0; i < tensor->shape->rank; i++) {
    rsh_num size = tensor->shape->dim[i];
    dim[i] = (WireDim){rsh_is_known(size) ? size.n : -1, NULL};
    for (int k = 0; k < graph->symbol.count && dim[i].size < 0; k++) {
      const Symbol *symbol = &graph->symbol.item[k];
      if (symbol->name && !symbol->is_edge && rsh_equal(symbol->num, size))
        dim[i].name = symbol->given ? symbol->given : symbol->name;
    }
  }
  wire_put_info(w->s->arena, &bytes, field, tensor->name, onnx_dtype_number(tensor->dtype), dim,
                tensor->shape->rank);
  graph_parts_put(w->s->arena, &w->to, bytes.item, (size_t)bytes.count);
}

static void put_crossing(Writer *w) {
  for (int i = 0; i < w->step->in.count; i++)
    if (w->step->in.item[i] >= w->steps->input_count)
      put_info(w, GRAPH_INPUT, &w->steps->tensor.item[w->step->in.item[i]]);
  for (int i = 0; i < w->step->out.count; i++) {
    const SplitTensor *tensor = &w->steps->tensor.item[w->step->out.item[i]];
    if (!is_declared(w->s, tensor))
      put_info(w, GRAPH_OUTPUT, tensor);
  }
}

// The output of the step with this name, or NULL.
static const SplitTensor *tensor_named(const Writer *w, const char *text) {
  for (int i = 0; i < w->step->out.count; i++)
    if (strcmp(w->steps->tensor.item[w->step->out.item[i]].name, text) == 0)
      return &w->steps->tensor.item[w->step->out.item[i]];
  return NULL;
}

// Returns whether the declaration of an output is copied: once, even if the model lists it twice.
static bool keeps_output(Writer *w, const char *name) {
  if (!is_kept(w, GRAPH_OUTPUT, name))
    return false;
  const SplitTensor *tensor = tensor_named(w, name);
  bool *is_listed = &w->is_listed[tensor - w->steps->tensor.item];
  bool keeps = is_declared(w->s, tensor) && !*is_listed;
  *is_listed = true;
  return keeps;
}

static void put_graph(Writer *w) {
  const Split *s = w->s;
  const Onnx__GraphProto *graph = s->graph;
  size_t node = 0, initializer = 0, input = 0, output = 0, info = 0;
  WireField field;
  for (const uint8_t *at = s->wire.body; wire_next(&at, s->wire.end, &field);) {
    bool kept = true;
    if (field.number == GRAPH_NODE) {
      kept = false;
      for (size_t i = 0; node == 0 && i < graph->n_node; i++)
        if (w->has_node[s->order[i]])
          put_field(w, &w->node[s->order[i]]);
      node++;
    } else if (field.number == GRAPH_INITIALIZER) {
      kept = is_kept(w, field.number, graph->initializer[initializer++]->name);
    } else if (field.number == GRAPH_INPUT) {
      kept = is_kept(w, field.number, graph->input[input++]->name);
    } else if (field.number == GRAPH_OUTPUT) {
      kept = keeps_output(w, graph->output[output++]->name);
    } else if (field.number == GRAPH_VALUE_INFO) {
      const char *name = graph->value_info[info++]->name;
      kept = is_kept(w, field.number, name) && !tensor_named(w, name);
    }
    if (kept)
      put_field(w, &field);
  }
  put_crossing(w);
}

void split_write(Split *s, const SplitSteps *steps, SplitStep *step, int level) {
  Writer w = {.s = s, .steps = steps, .step = step};
  w.has_node = ARENA_ARRAY(s->arena, bool, s->graph->n_node + 1);
  w.is_listed = ARENA_ARRAY(s->arena, bool, steps->tensor.count + 1);
  w.node = onnx_node_fields(s->arena, s->graph, &s->wire);
  choose_nodes(&w, level);
  put_graph(&w);
  step->part = onnx_with_graph(s->arena, s->file, &s->wire, &w.to);
}
