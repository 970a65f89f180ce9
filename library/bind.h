// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values for the sizes that a graph leaves open, from the arrays that it is given.
//
//   graph f(x: f32[B, 3], w: f32[B, S])    x.npy is (2, 3), w.npy is (2, 5)    B = 2, S = 5
#ifndef LIBRARY_BIND_H
#define LIBRARY_BIND_H

#include "frontend/graph/graph.h"
#include "frontend/data/npy.h"

typedef struct Sizes {
  Arena *arena;
  const Graph *graph;
  const Npy *in;           // the arrays of its inputs
  const char *const *path; // and their files
  int64_t value[RSH_MAX_SYMBOLS];
  int input[RSH_MAX_SYMBOLS], axis[RSH_MAX_SYMBOLS]; // where it was found
  bool is_bound[RSH_MAX_SYMBOLS];
  const char *error; // NULL: none
} Sizes;

// Fills in value. False: arrays do not fit the inputs, contradict each other or break a condition
// of the graph, and `error` says how. Sizes that the nodes of a dynamic graph find out stay 0, and what those nodes
// ask is left to the program.
bool sizes_bind(Sizes *sizes);

// The type of an input, with what a file of it holds where that is not its elements in row-major order.
const char *file_type(Arena *arena, const Graph *graph, const Value *value);

// "B = 2, S = 5"
const char *sizes_text(const Sizes *sizes);

// The variant of the graph that does the work for these sizes; NULL: the graph itself does.
const Variant *sizes_variant(const Sizes *sizes);

// Whether a condition of the graph holds.
bool sizes_keep(const Sizes *sizes, const Guard *guard);

// A number of the graph, or of a variant. False: it does not fit 64 bits.
// Elements of a value's memory at strides: none where the value has none.
bool sizes_memory(const Sizes *sizes, const Graph *graph, const Value *value, int64_t *out);
bool sizes_eval(const Sizes *sizes, const Graph *graph, rsh_num n, int64_t *out);

#endif
