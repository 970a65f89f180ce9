// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parameters of a graph's C function, as data. The header, the object, the call of code in memory
// and `run` all iterate over this list, so a new kind of parameter is a row here and a case in each of them.
//
//   graph f(x: f32[B, S]) -> y: f32[S, B]     size B, size S, input x, output y; returns a status
#ifndef CODEGEN_SIGNATURE_H
#define CODEGEN_SIGNATURE_H

#include "frontend/graph/graph.h"

// In the order of a function's parameters. Sizes and inputs come first: internal functions of a
// module may have only these.
typedef enum ParameterKind {
  PARAMETER_SIZE,    // int64_t: the value of Graph.symbol[index]
  PARAMETER_INPUT,   // const T *: Graph.value[index]
  PARAMETER_OUTPUT,  // T *: Graph.output[index]
  PARAMETER_SCRATCH, // void *: Plan.scratch_bytes, if Plan.scratch_align is not 0
  PARAMETER_DIMS,    // int64_t *: where the sizes of Graph.output[index] are written
  // Of dynamic graphs:
  PARAMETER_RANK, // int32_t *: where its rank is written
  PARAMETER_PLAN, // void *: memory for the plan, which the next call reuses
} ParameterKind;

typedef struct Parameter {
  ParameterKind kind;
  int index;
} Parameter;

typedef struct Signature {
  VEC(Parameter) parameter;
  bool returns_status; // rsh_status as its int; else void
} Signature;

// `is_program`: the runtime executes the graph.
Signature signature_of(Arena *arena, const Graph *graph, bool is_program);
void signature_add_scratch(Arena *arena, Signature *signature);
// Of NAME_shape, which computes only the sizes of the outputs: the sizes, the inputs that target shapes are read
// from, then one array per output, followed by its rank if that is unknown.
Signature signature_of_shape(Arena *arena, const Graph *graph);

// Of NAME_tasks, which takes the sizes and returns the number of tasks.
Signature signature_of_task_count(Arena *arena, const Signature *signature);
// Of NAME_task: the task's number, an int32_t, comes first, as a size without a symbol.
Signature signature_of_task(Arena *arena, const Signature *signature);

// The index of a parameter in the list; -1: there is none.
int signature_find(const Signature *signature, ParameterKind kind, int index);

// The number of sizes and inputs, which are the first parameters.
int signature_read_count(const Signature *signature);

bool parameter_is_pointer(ParameterKind kind);
bool parameter_is_tensor(const Graph *graph, ParameterKind kind); // a DLTensor *
bool parameter_is_task(Parameter parameter);

// Its name in the graph's text, or one made from that.
const char *parameter_name(Arena *arena, const Graph *graph, Parameter parameter);

#endif
