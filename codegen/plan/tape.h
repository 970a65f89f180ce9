// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph as the tape that the runtime carries out (runtime/program.h).
#ifndef CODEGEN_TAPE_H
#define CODEGEN_TAPE_H

#include "frontend/graph/graph.h"

typedef struct Tape {
  VEC(int64_t) word;
  VEC(rsh_step) function;          // of one element, that the program needs
  VEC(const Value *) constant;     // inputs of the program behind those of the graph
  int64_t plan_bytes, shape_bytes; // of memory that calls need
} Tape;

const Tape *tape_of(Arena *arena, const Graph *graph);

#endif
