// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph as the tape that the runtime executes (runtime/program.h).
#ifndef CODEGEN_TAPE_H
#define CODEGEN_TAPE_H

#include "frontend/graph/graph.h"

// The names of the runtime's functions for an operator (rsh_operator).
typedef struct TapeOperator {
  rsh_op op;
  const char *rule, *fold, *element; // the latter two may be NULL
} TapeOperator;

// A dynamic graph has two functions: one that computes shapes, and one that runs it.
typedef struct Tape {
  VEC(int64_t) word;
  VEC(TapeOperator) operator; // each operator of the graph once, for the function that runs it
  // Parts of the runtime (rsh_program_parts): the names of its constants, or NULL.
  const char *tensors, *edges, *guards, *picks, *mover;
  VEC(rsh_step) function;          // element-wise functions that the program needs
  VEC(const Value *) constant;     // inputs of the program after those of the graph
  int64_t plan_bytes, shape_bytes; // of memory that calls need
} Tape;

const Tape *tape_of(Arena *arena, const Graph *graph);

#endif
