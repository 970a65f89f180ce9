// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces an If with a known condition by its branch.
//
//   If(true) -> y, then: Relu(x) -> r, Neg(r) -> n      Relu(x) -> r, Neg(r) -> y
#include "frontend/onnx/onnx_optimize_internal.h"

#include <string.h>

static bool is_given_by_node(const Onnx__GraphProto *graph, const char *name) {
  for (size_t i = 0; i < graph->n_node; i++)
    for (size_t k = 0; k < graph->node[i]->n_output; k++)
      if (strcmp(graph->node[i]->output[k], name) == 0)
        return true;
  return false;
}

// Returns whether the branch has no more nodes than the If with both branches. A graph result that the branch only
// passes on costs an Identity.
static bool is_no_larger(const Optimizer *o, const Onnx__NodeProto *node,
                         const Onnx__GraphProto *branch) {
  size_t before = 1, after = branch->n_node;
  for (size_t i = 0; i < node->n_attribute; i++)
    before += node->attribute[i]->g ? node->attribute[i]->g->n_node : 0;
  for (size_t i = 0; i < node->n_output; i++) {
    const char *inner = branch->output[i]->name;
    const Var *var = optimize_var(o, node->output[i]);
    bool is_passed = !is_given_by_node(branch, inner);
    for (size_t k = 0; k < i; k++)
      is_passed = is_passed || strcmp(branch->output[k]->name, inner) == 0;
    after += var && var->is_result && is_passed;
  }
  return after <= before;
}

const Onnx__GraphProto *optimize_known_branch(const Optimizer *o, const Onnx__NodeProto *node) {
  Constant c;
  Var *condition = node->n_input == 1 ? optimize_var(o, node->input[0]) : NULL;
  if (!condition || !optimize_is_op(node, "If") ||
      !optimize_constant(o, optimize_origin(condition), 1, &c) || c.dtype != RSH_BOOL ||
      optimize_constant_bytes(&c) != 1)
    return NULL;
  const char *wanted = c.bytes[0] ? "then_branch" : "else_branch";
  const Onnx__AttributeProto *a = optimize_attribute(node, wanted);
  const Onnx__GraphProto *g = a ? a->g : NULL;
  bool is_plain = g && g->n_input == 0 && g->n_output == node->n_output &&
                  g->n_sparse_initializer == 0 && g->n_quantization_annotation == 0;
  return is_plain && is_no_larger(o, node, g) ? g : NULL;
}

typedef struct Renamed {
  const char *from, *to;
  UT_hash_handle hh;
} Renamed;

static const char *new_text(const Renamed *map, const char *name) {
  const Renamed *found = NULL;
  HASH_FIND_STR(map, name, found);
  return found ? found->to : name;
}

static void rename_to(Optimizer *o, Renamed **map, const char *from, const char *to) {
  Renamed *made = ARENA_NEW(o->arena, Renamed);
  *made = (Renamed){.from = from, .to = to};
  HASH_ADD_KEYPTR(hh, *map, made->from, strlen(made->from), made);
}

// For each field of a message: whether it is a name, or a message that contains names, down to the bodies of nodes.
typedef enum Message { NODE, ATTRIBUTE, GRAPH, TENSOR, NAMED, OTHER } Message;

static Message message_of(Message in, uint32_t field) {
  switch (in) {
  case NODE:
    return field == NODE_ATTRIBUTE ? ATTRIBUTE : OTHER;
  case ATTRIBUTE:
    return field == ATTRIBUTE_GRAPH || field == ATTRIBUTE_GRAPHS ? GRAPH : OTHER;
  case GRAPH:
    if (field == GRAPH_NODE)
      return NODE;
    return field == GRAPH_INITIALIZER                                                   ? TENSOR
           : field == GRAPH_INPUT || field == GRAPH_OUTPUT || field == GRAPH_VALUE_INFO ? NAMED
                                                                                        : OTHER;
  case TENSOR:
  case NAMED:
  case OTHER:
    break;
  }
  return OTHER;
}

static bool is_name(Message in, uint32_t field) {
  return (in == NODE && (field == NODE_INPUT || field == NODE_OUTPUT)) ||
         (in == TENSOR && field == TENSOR_NAME) || (in == NAMED && field == INFO_NAME);
}

static WireBytes renamed(const Optimizer *o, const Renamed *map, Message kind,
                         const WireField *from) {
  WireBytes out = {0};
  WireField field;
  for (const uint8_t *at = from->body; wire_next(&at, from->end, &field);) {
    bool is_text = field.kind == WIRE_LENGTH;
    Message inner = is_text ? message_of(kind, field.number) : OTHER;
    if (is_text && is_name(kind, field.number)) {
      size_t length = (size_t)(field.end - field.body);
      const char *name = arena_text(o->arena, (const char *)field.body, length);
      wire_put_text(o->arena, &out, field.number, new_text(map, name));
    } else if (inner == OTHER) {
      wire_put_raw(o->arena, &out, field.begin, (size_t)(field.end - field.begin));
    } else {
      WireBytes body = renamed(o, map, inner, &field);
      wire_put_bytes(o->arena, &out, field.number, body.item, (size_t)body.count);
    }
  }
  return out;
}

static void rename_own(Optimizer *o, Renamed **map, const char *name) {
  const Renamed *found = NULL;
  if (!*name || optimize_is_unique(o, name))
    return;
  HASH_FIND_STR(*map, name, found);
  if (!found)
    rename_to(o, map, name, optimize_new_name(o, name, "branch"));
}

static void put_identity(Optimizer *o, WireBytes *out, const char *from, const char *to) {
  WireBytes node = {0};
  wire_put_text(o->arena, &node, NODE_INPUT, from);
  wire_put_text(o->arena, &node, NODE_OUTPUT, to);
  wire_put_text(o->arena, &node, NODE_OPERATOR, "Identity");
  wire_put_bytes(o->arena, out, GRAPH_NODE, node.item, (size_t)node.count);
}

WireBytes optimize_branch_fields(Optimizer *o, size_t index, const WireField *graph) {
  const Onnx__NodeProto *node = o->graph->node[index];
  const Onnx__GraphProto *branch = o->node[index].branch;
  bool *is_done = ARENA_ARRAY(o->arena, bool, node->n_output + 1);
  Renamed *map = NULL;
  WireBytes out = {0};
  WireField field;
  for (size_t i = 0; i < node->n_output; i++) {
    const Renamed *found = NULL;
    const char *inner = branch->output[i]->name;
    HASH_FIND_STR(map, inner, found);
    is_done[i] = !*node->output[i] || (!found && is_given_by_node(branch, inner));
    if (is_done[i] && *node->output[i])
      rename_to(o, &map, inner, optimize_output_name(o, optimize_var(o, node->output[i])));
  }
  for (size_t i = 0; i < branch->n_initializer; i++)
    rename_own(o, &map, branch->initializer[i]->name);
  for (size_t i = 0; i < branch->n_node; i++)
    for (size_t k = 0; k < branch->node[i]->n_output; k++)
      rename_own(o, &map, branch->node[i]->output[k]);
  for (const uint8_t *at = graph->body; wire_next(&at, graph->end, &field);) {
    if (field.number != GRAPH_NODE && field.number != GRAPH_INITIALIZER)
      continue;
    WireBytes body = renamed(o, map, message_of(GRAPH, field.number), &field);
    wire_put_bytes(o->arena, &out, field.number, body.item, (size_t)body.count);
  }
  for (size_t i = 0; i < node->n_output; i++)
    if (!is_done[i])
      put_identity(o, &out, new_text(map, branch->output[i]->name),
                   optimize_output_name(o, optimize_var(o, node->output[i])));
  HASH_CLEAR(hh, map);
  return out;
}
