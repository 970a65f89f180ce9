// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph as the tape that the runtime carries out (runtime/program.h).
#ifndef CODEGEN_TAPE_H
#define CODEGEN_TAPE_H

#include "frontend/graph/graph.h"

// An activation that the program needs a function for.
typedef struct TapeRow {
  rsh_op op;
  rsh_dtype dtype;
} TapeRow;

typedef struct Tape {
  VEC(int64_t) word;
  VEC(TapeRow) row;
  VEC(const Value *) constant;     // inputs of the program behind those of the graph
  int64_t plan_bytes, shape_bytes; // of memory that calls need
} Tape;

const Tape *tape_of(Arena *arena, const Graph *graph);

#endif
