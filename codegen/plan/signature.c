// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/plan/signature.h"

static void add(Arena *arena, Signature *s, ParameterKind kind, int index) {
  VEC_PUSH(arena, s->parameter, ((Parameter){kind, index}));
}

// If tensors carry their shapes, sizes are not parameters.
static void add_sizes(Arena *arena, Signature *s, const Graph *graph) {
  for (int i = 0; i < graph->symbol.count && !graph_takes_tensors(graph); i++)
    if (symbol_is_parameter(&graph->symbol.item[i]))
      add(arena, s, PARAMETER_SIZE, i);
}

// Whether the dims follow from only the sizes.
static bool has_dims(const Graph *graph, const Value *value) {
  const rsh_shape *shape = value_dims(value);
  for (int i = 0; i < shape->rank; i++)
    if (rsh_is_unknown(shape->dim[i]) || graph_has_inner(graph, shape->dim[i]))
      return false;
  return shape->rank != RSH_RANK_UNKNOWN;
}

static void add_dims(Arena *arena, Signature *s, const Graph *graph, bool all) {
  for (int i = 0; i < graph->output_count; i++) {
    const Value *value = graph->output[i].value;
    if (!all && (has_dims(graph, value) || graph_takes_tensors(graph)))
      continue;
    add(arena, s, PARAMETER_DIMS, i);
    if (value_dims(value)->rank == RSH_RANK_UNKNOWN)
      add(arena, s, PARAMETER_RANK, i);
  }
}

static bool is_target(const Graph *graph, const Value *input) {
  for (int i = 0; i < graph->node.count; i++) {
    const Node *n = graph->node.item[i];
    for (int a = 0; n->data && a < RSH_MAX_ARGS; a++) {
      if (n->data[a].tensor == input)
        return true;
      for (int32_t k = 0; n->data[a].entry && k < n->call.arg[a].count; k++)
        if (n->data[a].entry[k] == input)
          return true;
    }
  }
  return false;
}

Signature signature_of_shape(Arena *arena, const Graph *graph) {
  Signature s = {.returns_status = true};
  add_sizes(arena, &s, graph);
  for (int i = 0; i < graph->input_count; i++)
    if (graph_takes_tensors(graph) || is_target(graph, graph->value.item[i]))
      add(arena, &s, PARAMETER_INPUT, i);
  add_dims(arena, &s, graph, true);
  return s;
}

Signature signature_of(Arena *arena, const Graph *graph, bool is_program) {
  Signature s = {.returns_status = graph->symbol.count > 0 || is_program || graph_picks(graph)};
  add_sizes(arena, &s, graph);
  for (int i = 0; i < graph->input_count; i++)
    if (!graph->value.item[i]->is_placed)
      add(arena, &s, PARAMETER_INPUT, i);
  for (int i = 0; i < graph->output_count; i++)
    add(arena, &s, PARAMETER_OUTPUT, i);
  if (is_program) {
    add_dims(arena, &s, graph, false);
    add(arena, &s, PARAMETER_PLAN, 0);
  }
  return s;
}

Signature signature_of_task_count(Arena *arena, const Signature *signature) {
  Signature s = {.returns_status = true};
  for (int i = 0; i < signature->parameter.count; i++)
    if (signature->parameter.item[i].kind == PARAMETER_SIZE)
      VEC_PUSH(arena, s.parameter, signature->parameter.item[i]);
  return s;
}

Signature signature_of_task(Arena *arena, const Signature *signature) {
  Signature s = {.returns_status = signature->returns_status};
  add(arena, &s, PARAMETER_SIZE, -1);
  for (int i = 0; i < signature->parameter.count; i++)
    VEC_PUSH(arena, s.parameter, signature->parameter.item[i]);
  return s;
}

int signature_find(const Signature *signature, ParameterKind kind, int index) {
  for (int i = 0; i < signature->parameter.count; i++)
    if (signature->parameter.item[i].kind == kind && signature->parameter.item[i].index == index)
      return i;
  return -1;
}

int signature_read_count(const Signature *signature) {
  int count = 0;
  while (count < signature->parameter.count &&
         signature->parameter.item[count].kind <= PARAMETER_INPUT)
    count++;
  return count;
}

bool parameter_is_pointer(ParameterKind kind) { return kind != PARAMETER_SIZE; }

bool parameter_is_tensor(const Graph *graph, ParameterKind kind) {
  return graph_takes_tensors(graph) && (kind == PARAMETER_INPUT || kind == PARAMETER_OUTPUT);
}

bool parameter_is_task(Parameter p) { return p.kind == PARAMETER_SIZE && p.index < 0; }

// The number of size parameters before this one.
static int sizes_before(const Graph *graph, int symbol) {
  int count = 0;
  for (int i = 0; i < symbol; i++)
    count += symbol_is_parameter(&graph->symbol.item[i]);
  return count;
}

const char *parameter_name(Arena *arena, const Graph *graph, Parameter parameter) {
  switch (parameter.kind) {
  case PARAMETER_SIZE:
    // A `?` has no name.
    return graph->symbol.item[parameter.index].name
               ? graph->symbol.item[parameter.index].name
               : arena_printf(arena, "size_%d", sizes_before(graph, parameter.index));
  case PARAMETER_INPUT:
    return graph->value.item[parameter.index]->name;
  case PARAMETER_OUTPUT:
    return graph->output[parameter.index].name;
  case PARAMETER_DIMS:
    return arena_printf(arena, "%s_dims", graph->output[parameter.index].name);
  case PARAMETER_RANK:
    return arena_printf(arena, "%s_rank", graph->output[parameter.index].name);
  case PARAMETER_PLAN:
    return "plan";
  case PARAMETER_SCRATCH:
    return "scratch";
  }
  return "";
}

void signature_add_scratch(Arena *arena, Signature *signature) {
  add(arena, signature, PARAMETER_SCRATCH, 0);
}
