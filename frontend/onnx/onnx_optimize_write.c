// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file of an optimized model. Fields of the graph are taken over as they stand, one after the other, but
// for those of nodes and values that changed: so what the schema does not know stays as well.
#include "frontend/onnx/onnx_optimize_internal.h"
#include "frontend/onnx/onnx_wire.h"

#include <string.h>

enum { // fields of the messages
  MODEL_GRAPH = 7,
  GRAPH_NODE = 1,
  GRAPH_INITIALIZER = 5,
  GRAPH_INPUT = 11,
  GRAPH_VALUE_INFO = 13,
  NODE_INPUT = 1,
  NODE_OUTPUT = 2,
  NODE_NAME = 3,
  NODE_OPERATOR = 4,
  NODE_ATTRIBUTE = 5,
  ATTRIBUTE_NAME = 1,
  ATTRIBUTE_INTS = 8,
  ATTRIBUTE_TYPE = 20,
  TENSOR_DIMS = 1,
  TENSOR_TYPE = 2,
  TENSOR_NAME = 8,
  TENSOR_RAW_DATA = 9,
  INFO_NAME = 1,
  INFO_TYPE = 2,
  TYPE_TENSOR = 1,
  TENSOR_ELEMENT = 1,
  TENSOR_SHAPE = 2,
  SHAPE_DIM = 1,
  DIM_VALUE = 1
};

typedef struct Target { // a target that is an initializer
  const char *name;
  const ReorderStep *step;
} Target;

typedef struct Writer {
  Optimizer *o;
  Arena *arena;
  const WireField *node; // of the file, by number
  VEC(OutputPart) part;  // of the graph
  size_t size;
  VEC(Target) target; // new ones
} Writer;

// ---- Parts

static void put_part(Writer *w, const void *bytes, size_t size) {
  OutputPart *last = w->part.count > 0 ? &w->part.item[w->part.count - 1] : NULL;
  w->size += size;
  if (last && (const uint8_t *)last->bytes + last->size == bytes)
    last->size += size;
  else if (size > 0)
    VEC_PUSH(w->arena, w->part, ((OutputPart){bytes, size}));
}

static void put_field(Writer *w, const WireField *field) {
  put_part(w, field->begin, (size_t)(field->end - field->begin));
}

// A field of a message that was made here.
static void put_message(Writer *w, uint32_t number, const WireBytes *body) {
  WireBytes field = {0};
  wire_put_bytes(w->arena, &field, number, body->item, (size_t)body->count);
  put_part(w, field.item, (size_t)field.count);
}

// ---- Names that are new

static const char *new_name(Writer *w, const char *base, const char *what) {
  const char *name = arena_printf(w->arena, "%s/%s", base, what);
  for (int number = 2; optimize_var(w->o, name); number++)
    name = arena_printf(w->arena, "%s/%s_%d", base, what, number);
  Var *var = ARENA_NEW(w->arena, Var);
  *var = (Var){.name = name, .maker = -1, .initializer = -1};
  HASH_ADD_KEYPTR(hh, w->o->vars, var->name, strlen(var->name), var);
  return name;
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
  Target target = {new_name(w, optimize_name(swap->var), "shape"), step};
  VEC_PUSH(w->arena, w->target, target);
  return target.name;
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
}

// In old files every initializer is an input as well.
static void put_input(Writer *w, const Target *target) {
  WireBytes dim = {0}, shape = {0}, tensor = {0}, type = {0}, info = {0};
  wire_put_number(w->arena, &dim, DIM_VALUE, (uint64_t)target->step->count);
  wire_put_bytes(w->arena, &shape, SHAPE_DIM, dim.item, (size_t)dim.count);
  wire_put_number(w->arena, &tensor, TENSOR_ELEMENT, ONNX__TENSOR_PROTO__DATA_TYPE__INT64);
  wire_put_bytes(w->arena, &tensor, TENSOR_SHAPE, shape.item, (size_t)shape.count);
  wire_put_bytes(w->arena, &type, TYPE_TENSOR, tensor.item, (size_t)tensor.count);
  wire_put_text(w->arena, &info, INFO_NAME, target->name);
  wire_put_bytes(w->arena, &info, INFO_TYPE, type.item, (size_t)type.count);
  put_message(w, GRAPH_INPUT, &info);
}

// ---- Nodes

static void put_ints(Writer *w, WireBytes *node, const char *name, const ReorderStep *step) {
  WireBytes attribute = {0};
  wire_put_text(w->arena, &attribute, ATTRIBUTE_NAME, name);
  for (int32_t i = 0; i < step->count; i++)
    wire_put_number(w->arena, &attribute, ATTRIBUTE_INTS, (uint64_t)step->list[i]);
  wire_put_number(w->arena, &attribute, ATTRIBUTE_TYPE,
                  ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS);
  wire_put_bytes(w->arena, node, NODE_ATTRIBUTE, attribute.item, (size_t)attribute.count);
}

// The node of the model whose place a step takes: of the same operator, if there is one left.
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

// One step. It keeps what its place has besides operands and attributes: a name, a domain, texts.
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
  for (const uint8_t *at = w->node[place].body; wire_next(&at, w->node[place].end, &field);) {
    bool is_new = field.number == NODE_INPUT || field.number == NODE_OUTPUT ||
                  field.number == NODE_OPERATOR || field.number == NODE_ATTRIBUTE;
    if (!is_new)
      wire_put_raw(w->arena, &node, field.begin, (size_t)(field.end - field.begin));
  }
  wire_put_text(w->arena, &node, NODE_OPERATOR, op);
  if (step && !has_input)
    put_ints(w, &node, step->is_transpose ? "perm" : "shape", step);
  put_message(w, GRAPH_NODE, &node);
}

static void put_swap(Writer *w, const Swap *swap) {
  const char *from = optimize_name(swap->from), *last = optimize_name(swap->var);
  int count = swap_nodes(swap), place[3];
  bool *taken = ARENA_ARRAY(w->arena, bool, swap->var->near.nodes);
  for (int i = count; i-- > 0;) // as they stand in the run, from its end
    place[i] = take_node(w, swap, swap_operator(swap, i), taken);
  for (int i = 0; i < count; i++) {
    bool is_transpose = swap->steps.count > 0 && swap->steps.step[i].is_transpose;
    const char *to =
        i == count - 1 ? last : new_name(w, last, is_transpose ? "transposed" : "reshaped");
    put_step(w, swap, i, place[i], from, to);
    from = to;
  }
}

static bool is_renamed(const Writer *w, char *const *name, size_t count) {
  for (size_t i = 0; i < count; i++) {
    Var *var = optimize_var(w->o, name[i]);
    if (var && strcmp(optimize_name(var), name[i]) != 0)
      return true;
  }
  return false;
}

// A node that stays, with the names that values have now.
static void put_node(Writer *w, size_t index) {
  const Onnx__NodeProto *proto = w->o->graph->node[index];
  const WireField *from = &w->node[index];
  WireBytes node = {0};
  WireField field;
  size_t input = 0, output = 0;
  if (!is_renamed(w, proto->input, proto->n_input) &&
      !is_renamed(w, proto->output, proto->n_output)) {
    put_field(w, from);
    return;
  }
  for (const uint8_t *at = from->body; wire_next(&at, from->end, &field);) {
    bool is_name =
        field.kind == WIRE_LENGTH && (field.number == NODE_INPUT || field.number == NODE_OUTPUT);
    const char *name = !is_name                     ? ""
                       : field.number == NODE_INPUT ? proto->input[input++]
                                                    : proto->output[output++];
    Var *var = optimize_var(w->o, name);
    if (var)
      wire_put_text(w->arena, &node, field.number, optimize_name(var));
    else
      wire_put_raw(w->arena, &node, field.begin, (size_t)(field.end - field.begin));
  }
  put_message(w, GRAPH_NODE, &node);
}

// ---- The graph

// An initializer that only nodes read which are gone.
static bool is_unused(const Var *var) {
  return var && var->initializer >= 0 && var->readers > 0 && !var->is_outer && !var->is_wanted;
}

static bool is_old(const Writer *w) { return w->o->file->model->ir_version < ONNX_OPEN_DEFAULTS; }

// Whether a declared value is still there.
static bool has_value(const Writer *w, const char *name) {
  const Var *var = optimize_var(w->o, name);
  if (!var || var->maker < 0)
    return !var || !is_unused(var);
  return !var->same && !var->renamed && !w->o->node[var->maker].is_gone;
}

static void put_graph(Writer *w, const WireField *from) {
  const Onnx__GraphProto *graph = w->o->graph;
  size_t node = 0, initializer = 0, input = 0, info = 0;
  WireField field;
  for (const uint8_t *at = from->body; wire_next(&at, from->end, &field);) {
    bool is_kept = true;
    if (field.number == GRAPH_NODE) {
      const NodeFate *fate = &w->o->node[node];
      is_kept = false;
      if (!fate->is_gone && fate->swap)
        put_swap(w, fate->swap);
      else if (!fate->is_gone)
        put_node(w, node);
      node++;
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
  for (int i = 0; i < w->target.count; i++)
    put_target(w, &w->target.item[i]);
  for (int i = 0; i < w->target.count && is_old(w); i++)
    put_input(w, &w->target.item[i]);
}

static bool find_graph(const OnnxFile *file, WireField *out) {
  const uint8_t *at = file->bytes, *end = file->bytes + file->size;
  WireField field;
  int count = 0;
  while (wire_next(&at, end, &field))
    if (field.number == MODEL_GRAPH) {
      *out = field;
      count++;
    }
  return count == 1;
}

static const WireField *node_fields(const Optimizer *o, const WireField *graph) {
  WireField *node = ARENA_ARRAY(o->arena, WireField, o->graph->n_node), field;
  size_t count = 0;
  for (const uint8_t *at = graph->body; wire_next(&at, graph->end, &field);)
    if (field.number == GRAPH_NODE && count < o->graph->n_node)
      node[count++] = field;
  return node;
}

bool optimize_write(Optimizer *o, Optimized *out, Diag *diag) {
  const uint8_t *bytes = o->file->bytes;
  WireField graph = {0};
  if (!find_graph(o->file, &graph)) {
    diag_error_file(diag, "unsupported", "its graph is written in several pieces");
    return false;
  }
  Writer w = {.o = o, .arena = o->arena, .node = node_fields(o, &graph)};
  put_graph(&w, &graph);
  WireBytes head = {0};
  wire_put_varint(o->arena, &head, MODEL_GRAPH << 3 | WIRE_LENGTH);
  wire_put_varint(o->arena, &head, w.size);
  VEC_PUSH(o->arena, out->part, ((OutputPart){bytes, (size_t)(graph.begin - bytes)}));
  VEC_PUSH(o->arena, out->part, ((OutputPart){head.item, (size_t)head.count}));
  for (int i = 0; i < w.part.count; i++)
    VEC_PUSH(o->arena, out->part, w.part.item[i]);
  const uint8_t *end = bytes + o->file->size;
  VEC_PUSH(o->arena, out->part, ((OutputPart){graph.end, (size_t)(end - graph.end)}));
  return true;
}
