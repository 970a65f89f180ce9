// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parameters of a graph's C function, as data. The header, the object, the call of code in memory
// and `run` all walk this list, so a new kind of parameter is a row here and a case in each of them.
//
//   graph f(x: f32[B, S]) -> y: f32[S, B]     size B, size S, input x, output y; returns a status
#ifndef CODEGEN_SIGNATURE_H
#define CODEGEN_SIGNATURE_H

#include "frontend/graph/graph.h"

// In the order in which a function has them. Sizes and inputs come first also for the internal
// functions of a module, which leave out the rest.
typedef enum ParameterKind {
  PARAMETER_SIZE,    // int64_t: the size that Graph.symbol[index] stands for
  PARAMETER_INPUT,   // const T *: Graph.value[index]
  PARAMETER_OUTPUT,  // T *: Graph.output[index]
  PARAMETER_SCRATCH, // void *: Plan.scratch_bytes, where Plan.scratch_align is not 0
  PARAMETER_DIMS,    // int64_t *: where the sizes of Graph.output[index] are written
  // Of dynamic graphs:
  PARAMETER_RANK, // int32_t *: where its rank goes
  PARAMETER_PLAN, // void *: what the last call found out
} ParameterKind;

typedef struct Parameter {
  ParameterKind kind;
  int index;
} Parameter;

typedef struct Signature {
  VEC(Parameter) parameter;
  bool returns_status; // rsh_status as its int; else void
} Signature;

// `is_program`: the runtime carries the graph out.
Signature signature_of(Arena *arena, const Graph *graph, bool is_program);
void signature_add_scratch(Arena *arena, Signature *signature);
// Of NAME_shape, which gives the sizes of the outputs alone: the sizes, the inputs that targets are read
// from, then one array an output, each followed by its rank where that is not known.
Signature signature_of_shape(Arena *arena, const Graph *graph);

// Of NAME_tasks, which counts tasks: the sizes. It returns that number.
Signature signature_of_task_count(Arena *arena, const Signature *signature);
// Of NAME_task: the number of a task goes before all others, as a size without a symbol; it is an int32_t.
Signature signature_of_task(Arena *arena, const Signature *signature);

// The place of a parameter in the list; -1 when there is none.
int signature_find(const Signature *signature, ParameterKind kind, int index);

// How many of the first parameters are sizes and inputs.
int signature_read_count(const Signature *signature);

bool parameter_is_pointer(ParameterKind kind);
bool parameter_is_task(Parameter parameter);

// The name that the graph's text gives it.
const char *parameter_name(Arena *arena, const Graph *graph, Parameter parameter);

#endif
