// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binds the open sizes of a graph to values, from the shapes of input arrays.
//
//   graph f(x: f32[B, 3], w: f32[B, S])    x.npy is (2, 3), w.npy is (2, 5)    B = 2, S = 5
#ifndef LIBRARY_BIND_H
#define LIBRARY_BIND_H

#include "frontend/graph/graph.h"
#include "frontend/data/npy.h"

typedef struct Sizes {
  Arena *arena;
  const Graph *graph;
  const Npy *in;           // the arrays of its inputs,
  const char *const *path; // and their files
  int64_t value[RSH_MAX_SYMBOLS];
  int input[RSH_MAX_SYMBOLS], axis[RSH_MAX_SYMBOLS]; // where it was found
  bool is_bound[RSH_MAX_SYMBOLS];
  const char *error; // NULL: none
} Sizes;

// Fills in `value`. False: the arrays do not fit the inputs, contradict each other or violate a condition of the graph,
// as `error` explains. Sizes that nodes of a dynamic graph compute stay 0, and the program checks the conditions of
// these nodes.
bool sizes_bind(Sizes *sizes);

// The symbol that a size in a type of the text names; -1: none.
int sizes_symbol(const Graph *graph, const Expr *size);

// The type of an input, and the contents of its file unless they are its elements in row-major order.
const char *file_type(Arena *arena, const Graph *graph, const Value *value);

// "B = 2, S = 5"
const char *sizes_text(const Sizes *sizes);

// The variant of the graph that handles these sizes; NULL: the graph itself does.
const Variant *sizes_variant(const Sizes *sizes);

// Whether a condition of the graph is satisfied.
bool sizes_keep(const Sizes *sizes, const Guard *guard);

// The number of elements of a value's memory, with its strides: 0 if the value has no elements. False: it does not fit
// 64 bits. sizes_eval: the same for any number of the graph, or of a variant.
bool sizes_memory(const Sizes *sizes, const Graph *graph, const Value *value, int64_t *out);
bool sizes_eval(const Sizes *sizes, const Graph *graph, rsh_num n, int64_t *out);

#endif
