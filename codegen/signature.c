// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/signature.h"

static void push_sizes(Arena *arena, const Graph *graph, Signature *s) {
  for (int i = 0; i < graph->symbol.count; i++)
    if (!graph->symbol.item[i].of)
      VEC_PUSH(arena, s->parameter, ((Parameter){PARAMETER_SIZE, i}));
}

Signature signature_of(Arena *arena, const Graph *graph) {
  Signature s = {.returns_status = graph->symbol.count > 0};
  push_sizes(arena, graph, &s);
  for (int i = 0; i < graph->input_count; i++)
    VEC_PUSH(arena, s.parameter, ((Parameter){PARAMETER_INPUT, i}));
  for (int i = 0; i < graph->output_count; i++)
    VEC_PUSH(arena, s.parameter, ((Parameter){PARAMETER_OUTPUT, i}));
  return s;
}

Signature signature_of_shape(Arena *arena, const Graph *graph) {
  Signature s = {.returns_status = true};
  push_sizes(arena, graph, &s);
  for (int i = 0; i < graph->output_count; i++)
    VEC_PUSH(arena, s.parameter, ((Parameter){PARAMETER_DIMS, i}));
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

const char *parameter_name(Arena *arena, const Graph *graph, Parameter parameter) {
  switch (parameter.kind) {
  case PARAMETER_SIZE:
    // A `?` has no name.
    return graph->symbol.item[parameter.index].name
               ? graph->symbol.item[parameter.index].name
               : arena_printf(arena, "size_%d", parameter.index);
  case PARAMETER_INPUT:
    return graph->value.item[parameter.index]->name;
  case PARAMETER_OUTPUT:
    return graph->output[parameter.index].name;
  case PARAMETER_DIMS:
    return arena_printf(arena, "%s_dims", graph->output[parameter.index].name);
  }
  return "";
}
