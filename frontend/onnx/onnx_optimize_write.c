// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the file of an optimized model. Fields of the graph are copied unchanged, in order, except for changed nodes
// and values, so fields unknown to the schema are kept too.
#include "frontend/onnx/onnx_optimize_internal.h"

#include <string.h>

typedef struct Target { // a target that is an initializer
  const char *name;
  const ReorderStep *step;
} Target;

typedef struct Writer {
  Optimizer *o;
  Arena *arena;
  GraphParts *to;
  VEC(Target) target; // new ones
} Writer;

// ---- Parts

static void put_part(Writer *w, const void *bytes, size_t size) {
  graph_parts_put(w->arena, w->to, bytes, size);
}

static void put_field(Writer *w, const WireField *field) {
  put_part(w, field->begin, (size_t)(field->end - field->begin));
}

// Writes a field with a new message.
static void put_message(Writer *w, uint32_t number, const WireBytes *body) {
  WireBytes field = {0};
  wire_put_bytes(w->arena, &field, number, body->item, (size_t)body->count);
  put_part(w, field.item, (size_t)field.count);
}

// ---- Targets

static bool same_list(const ReorderStep *a, const ReorderStep *b) {
  return a->count == b->count && memcmp(a->list, b->list, sizeof *a->list * (size_t)a->count) == 0;
}

static const char *target_name(Writer *w, const Swap *swap, int number) {
  const ReorderStep *step = &swap->steps.step[number];
  if (swap->given[number])
    return swap->given[number]->name;
  for (int i = 0; i < w->target.count; i++)
    if (same_list(w->target.item[i].step, step))
      return w->target.item[i].name;
  Target target = {optimize_new_name(w->o, optimize_name(swap->var), "shape"), step};
  VEC_PUSH(w->arena, w->target, target);
  return target.name;
}

static bool is_old(const Writer *w) { return w->o->file->model->ir_version < ONNX_OPEN_DEFAULTS; }

static void put_input(Writer *w, const char *name, rsh_dtype dtype, const rsh_shape *dims) {
  WireBytes input = {0};
  optimize_put_input(w->o, &input, name, dtype, dims);
  put_part(w, input.item, (size_t)input.count);
}

static void put_target(Writer *w, const Target *target) {
  WireBytes tensor = {0}, raw = {0};
  for (int32_t i = 0; i < target->step->count; i++)
    for (int k = 0; k < 8; k++)
      VEC_PUSH(w->arena, raw, (uint8_t)((uint64_t)target->step->list[i] >> 8 * k));
  wire_put_number(w->arena, &tensor, TENSOR_DIMS, (uint64_t)target->step->count);
  wire_put_number(w->arena, &tensor, TENSOR_TYPE, ONNX__TENSOR_PROTO__DATA_TYPE__INT64);
  wire_put_text(w->arena, &tensor, TENSOR_NAME, target->name);
  wire_put_bytes(w->arena, &tensor, TENSOR_RAW_DATA, raw.item, (size_t)raw.count);
  put_message(w, GRAPH_INITIALIZER, &tensor);
  rsh_shape shape = {.rank = 1, .dim = {rsh_int(target->step->count)}};
  put_input(w, target->name, RSH_I64, &shape);
}

// ---- Constants

// Adds its elements to the new file unchanged.
static void put_constant(Writer *w, const Var *var) {
  const Constant *c = var->constant;
  size_t size = optimize_constant_bytes(c);
  WireBytes tensor = {0}, head = {0};
  for (int32_t i = 0; i < c->shape.rank; i++)
    wire_put_number(w->arena, &tensor, TENSOR_DIMS, (uint64_t)c->shape.dim[i].n);
  wire_put_number(w->arena, &tensor, TENSOR_TYPE, (uint64_t)onnx_dtype_number(c->dtype));
  wire_put_text(w->arena, &tensor, TENSOR_NAME, var->name);
  wire_put_varint(w->arena, &tensor, TENSOR_RAW_DATA << 3 | WIRE_LENGTH);
  wire_put_varint(w->arena, &tensor, size);
  wire_put_varint(w->arena, &head, GRAPH_INITIALIZER << 3 | WIRE_LENGTH);
  wire_put_varint(w->arena, &head, (size_t)tensor.count + size);
  put_part(w, head.item, (size_t)head.count);
  put_part(w, tensor.item, (size_t)tensor.count);
  put_part(w, c->bytes, size);
  put_input(w, var->name, c->dtype, &c->shape);
}

// Writes the tensor of a Constant, unchanged except for its name. It is not copied: its fields become parts of the
// new file.
static void put_lifted(Writer *w, const Var *var) {
  WireField field, attribute, tensor = {0};
  for (const uint8_t *at = w->o->wire[var->maker].body;
       wire_next(&at, w->o->wire[var->maker].end, &attribute);)
    if (attribute.number == NODE_ATTRIBUTE)
      for (const uint8_t *in = attribute.body; wire_next(&in, attribute.end, &field);)
        if (field.number == ATTRIBUTE_TENSOR)
          tensor = field;
  WireBytes head = {0}, name = {0};
  size_t size = 0;
  wire_put_text(w->arena, &name, TENSOR_NAME, var->name);
  for (const uint8_t *at = tensor.body; wire_next(&at, tensor.end, &field);)
    size += field.number == TENSOR_NAME ? 0 : (size_t)(field.end - field.begin);
  wire_put_varint(w->arena, &head, GRAPH_INITIALIZER << 3 | WIRE_LENGTH);
  wire_put_varint(w->arena, &head, size + (size_t)name.count);
  put_part(w, head.item, (size_t)head.count);
  for (const uint8_t *at = tensor.body; wire_next(&at, tensor.end, &field);)
    if (field.number != TENSOR_NAME)
      put_field(w, &field);
  put_part(w, name.item, (size_t)name.count);
  const char *why = NULL;
  rsh_dtype dtype;
  rsh_shape shape;
  if (onnx_tensor_type(var->tensor, w->arena, &dtype, &shape, &why))
    put_input(w, var->name, dtype, &shape);
}

static void put_constants(Writer *w) {
  Var *var, *next;
  HASH_ITER(hh, w->o->vars, var, next) {
    if (!var->is_wanted && !var->is_outer)
      continue;
    if (var->constant)
      put_constant(w, var);
    else if (var->is_lifted)
      put_lifted(w, var);
  }
}

// ---- Nodes

// The original node that a step replaces: one with the same operator, if one is left.
static int take_node(const Writer *w, const Swap *swap, const char *op, bool *taken) {
  int number = 0, any = -1, any_number = -1;
  for (const Var *var = swap->var; var != swap->var->near.from; var = var->before, number++) {
    bool same = strcmp(w->o->graph->node[var->maker]->op_type, op) == 0;
    if (taken[number] || (any >= 0 && !same))
      continue;
    any = var->maker;
    any_number = number;
    if (same)
      break;
  }
  taken[any_number] = true;
  return any;
}

// Writes one step. It keeps the replaced node's other fields than operands and attributes: a name, a domain, texts.
static void put_step(Writer *w, const Swap *swap, int number, int place, const char *from,
                     const char *to) {
  const ReorderStep *step = swap->steps.count > 0 ? &swap->steps.step[number] : NULL;
  const char *op = swap_operator(swap, number);
  bool has_input = step && !step->is_transpose && w->o->opset >= ONNX_RESHAPE_WITH_INPUT;
  WireBytes node = {0};
  WireField field;
  wire_put_text(w->arena, &node, NODE_INPUT, from);
  if (has_input)
    wire_put_text(w->arena, &node, NODE_INPUT, target_name(w, swap, number));
  wire_put_text(w->arena, &node, NODE_OUTPUT, to);
  for (const uint8_t *at = w->o->wire[place].body; wire_next(&at, w->o->wire[place].end, &field);) {
    bool is_new = field.number == NODE_INPUT || field.number == NODE_OUTPUT ||
                  field.number == NODE_OPERATOR || field.number == NODE_ATTRIBUTE;
    if (!is_new)
      wire_put_raw(w->arena, &node, field.begin, (size_t)(field.end - field.begin));
  }
  wire_put_text(w->arena, &node, NODE_OPERATOR, op);
  if (step && !has_input)
    optimize_put_ints(w->arena, &node, step->is_transpose ? "perm" : "shape", step->list,
                      step->count);
  put_message(w, GRAPH_NODE, &node);
}

static void put_swap(Writer *w, const Swap *swap) {
  const char *from = optimize_name(swap->from), *last = optimize_name(swap->var);
  int count = swap_nodes(swap), place[3];
  bool *taken = ARENA_ARRAY(w->arena, bool, swap->var->near.nodes);
  for (int i = count; i-- > 0;) // in the order of the run, from its end
    place[i] = take_node(w, swap, swap_operator(swap, i), taken);
  for (int i = 0; i < count; i++) {
    bool is_transpose = swap->steps.count > 0 && swap->steps.step[i].is_transpose;
    const char *to = i == count - 1
                         ? last
                         : optimize_new_name(w->o, last, is_transpose ? "transposed" : "reshaped");
    put_step(w, swap, i, place[i], from, to);
    from = to;
  }
}

static bool is_renamed(const Writer *w, char *const *name, size_t count, bool is_input) {
  for (size_t i = 0; i < count; i++) {
    Var *var = optimize_var(w->o, name[i]);
    if (var && ((!is_input && optimize_is_read_elsewhere(var)) ||
                strcmp(optimize_name(var), name[i]) != 0))
      return true;
  }
  return false;
}

// Writes a node that stays, with the current names of values.
static void put_node(Writer *w, size_t index) {
  const Onnx__NodeProto *proto = w->o->graph->node[index];
  const WireField *from = &w->o->wire[index];
  WireBytes node = {0};
  WireField field;
  size_t input = 0, output = 0;
  const NodeFate *fate = &w->o->node[index];
  if (!fate->dropped && !is_renamed(w, proto->input, proto->n_input, true) &&
      !is_renamed(w, proto->output, proto->n_output, false)) {
    put_field(w, from);
    return;
  }
  bool is_list = fate->dropped && strcmp(proto->op_type, "Concat") == 0; // else they are positional
  size_t last = proto->n_input;
  while (last > 0 && (optimize_is_dropped(fate, last - 1) || !*proto->input[last - 1]))
    last--;
  for (const uint8_t *at = from->body; wire_next(&at, from->end, &field);) {
    bool is_name =
        field.kind == WIRE_LENGTH && (field.number == NODE_INPUT || field.number == NODE_OUTPUT);
    bool is_input = is_name && field.number == NODE_INPUT;
    const char *name = !is_name ? "" : is_input ? proto->input[input++] : proto->output[output++];
    bool is_dropped = is_input && optimize_is_dropped(fate, input - 1);
    if (is_input && fate->dropped && (input > last || (is_dropped && is_list)))
      continue;
    Var *var = optimize_var(w->o, name);
    if (is_dropped)
      wire_put_text(w->arena, &node, NODE_INPUT, "");
    else if (var)
      wire_put_text(w->arena, &node, field.number,
                    is_input ? optimize_name(var) : optimize_output_name(w->o, var));
    else
      wire_put_raw(w->arena, &node, field.begin, (size_t)(field.end - field.begin));
  }
  put_message(w, GRAPH_NODE, &node);
}

static void put_branch(Writer *w, size_t index) {
  const Onnx__NodeProto *proto = w->o->graph->node[index];
  const WireField *from = &w->o->wire[index];
  size_t i = 0;
  WireField attribute, body;
  for (const uint8_t *at = from->body; wire_next(&at, from->end, &attribute);) {
    if (attribute.number != NODE_ATTRIBUTE || proto->attribute[i++]->g != w->o->node[index].branch)
      continue;
    for (const uint8_t *in = attribute.body; wire_next(&in, attribute.end, &body);)
      if (body.number == ATTRIBUTE_GRAPH) {
        WireBytes fields = optimize_branch_fields(w->o, index, &body);
        put_part(w, fields.item, (size_t)fields.count);
      }
  }
}

// ---- The graph

// An initializer that was only read by removed nodes.
static bool is_unused(const Var *var) {
  return var && var->initializer >= 0 && var->was_read && !var->is_outer && !var->is_wanted;
}

// Returns whether a declared value still exists.
static bool has_value(const Writer *w, const char *name) {
  const Var *var = optimize_var(w->o, name);
  if (!var || var->maker < 0)
    return !is_unused(var);
  const NodeFate *maker = &w->o->node[var->maker];
  return !var->same && !var->renamed && !var->constant && !maker->is_gone &&
         (!maker->is_rewritten || var->is_made);
}

static void put_fate(Writer *w, size_t node) {
  const NodeFate *fate = &w->o->node[node];
  if (fate->is_rewritten)
    put_part(w, fate->before.item, (size_t)fate->before.count);
  else if (!fate->is_gone && fate->swap)
    put_swap(w, fate->swap);
  else if (!fate->is_gone && fate->branch)
    put_branch(w, node);
  else if (!fate->is_gone)
    put_node(w, node);
}

static bool is_in_order(const Optimizer *o) {
  for (size_t i = 0; i < o->graph->n_node; i++)
    if (o->order[i] != i)
      return false;
  return true;
}

// Nodes keep their positions; if these were not in topological order, all are written at the first one.
static void put_nodes(Writer *w, size_t node, bool in_order) {
  if (in_order)
    put_fate(w, node);
  for (size_t i = 0; node == 0 && !in_order && i < w->o->graph->n_node; i++)
    put_fate(w, w->o->order[i]);
}

static void put_graph(Writer *w, const WireField *from) {
  const Onnx__GraphProto *graph = w->o->graph;
  bool in_order = is_in_order(w->o);
  size_t node = 0, initializer = 0, input = 0, info = 0;
  WireField field;
  for (const uint8_t *at = from->body; wire_next(&at, from->end, &field);) {
    bool is_kept = true;
    if (field.number == GRAPH_NODE) {
      is_kept = false;
      put_nodes(w, node++, in_order);
    } else if (field.number == GRAPH_INITIALIZER) {
      is_kept = !is_unused(optimize_var(w->o, graph->initializer[initializer++]->name));
    } else if (field.number == GRAPH_INPUT) {
      const char *name = graph->input[input++]->name;
      is_kept = !is_old(w) || !is_unused(optimize_var(w->o, name));
    } else if (field.number == GRAPH_VALUE_INFO) {
      is_kept = has_value(w, graph->value_info[info++]->name);
    }
    if (is_kept)
      put_field(w, &field);
  }
  put_part(w, w->o->late.item, (size_t)w->o->late.count);
  put_constants(w);
  for (int i = 0; i < w->target.count; i++)
    put_target(w, &w->target.item[i]);
}

void optimize_write(Optimizer *o, const WireField *graph, GraphParts *out) {
  Writer w = {.o = o, .arena = o->arena, .to = out};
  put_graph(&w, graph);
}

// ---- Bodies

static void put_parts(Arena *arena, WireBytes *to, uint32_t field, const GraphParts *graph) {
  wire_put_varint(arena, to, field << 3 | WIRE_LENGTH);
  wire_put_varint(arena, to, graph->size);
  for (int i = 0; i < graph->part.count; i++)
    wire_put_raw(arena, to, graph->part.item[i].bytes, graph->part.item[i].size);
}

WireField optimize_bodies(Optimizer *o, size_t index, OptimizeBody *body) {
  const Onnx__NodeProto *proto = o->graph->node[index];
  const WireField *from = &o->wire[index];
  WireBytes node = {0}, whole = {0};
  WireField field, in;
  size_t number = 0;
  for (const uint8_t *at = from->body; wire_next(&at, from->end, &field);) {
    const Onnx__AttributeProto *a =
        field.number == NODE_ATTRIBUTE ? proto->attribute[number++] : NULL;
    if (!a || (!a->g && a->n_graphs == 0)) {
      wire_put_raw(o->arena, &node, field.begin, (size_t)(field.end - field.begin));
      continue;
    }
    WireBytes attribute = {0};
    size_t graphs = 0;
    for (const uint8_t *part = field.body; wire_next(&part, field.end, &in);) {
      if (in.number == ATTRIBUTE_GRAPH || in.number == ATTRIBUTE_GRAPHS) {
        GraphParts made = {0};
        body(o, in.number == ATTRIBUTE_GRAPH ? a->g : a->graphs[graphs++], &in, &made);
        put_parts(o->arena, &attribute, in.number, &made);
      } else {
        wire_put_raw(o->arena, &attribute, in.begin, (size_t)(in.end - in.begin));
      }
    }
    wire_put_bytes(o->arena, &node, NODE_ATTRIBUTE, attribute.item, (size_t)attribute.count);
  }
  wire_put_bytes(o->arena, &whole, GRAPH_NODE, node.item, (size_t)node.count);
  const uint8_t *at = whole.item;
  (void)wire_next(&at, whole.item + whole.count, &field);
  return field;
}
