// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites a model with fewer nodes that move data: the effect of a run of such nodes on the order of the
// elements is achieved with the fewest ONNX nodes possible. Everything else is kept byte for byte.
//
//   Transpose, Reshape, Reshape, Transpose     nothing, if they cancel out
//   Squeeze, Unsqueeze, Reshape                Reshape
//   Shape, Gather, Concat; Reshape             Reshape with [0, 0, 768]; the computation of its target is removed
#ifndef FRONTEND_ONNX_OPTIMIZE_H
#define FRONTEND_ONNX_OPTIMIZE_H

#include "frontend/onnx/onnx_survey.h"
#include "frontend/data/output.h"

typedef struct OptimizedChain {
  const Chain *chain;
  VEC(const char *) operators;      // of its remaining nodes
  bool is_changed;                  // perhaps with the same number of nodes
  VEC(const Value *) before, after; // results of its nodes, one per node
} OptimizedChain;

typedef struct Optimized {
  const Graph *graph; // that the values belong to
  VEC(OptimizedChain) chain;
  OutputParts part; // the model; parts point into the file's bytes or into the arena
  // The last round, which produces the file: the model is optimized until nothing changes.
  const struct Optimized *last;
  int nodes_before, nodes_after; // including bodies
  int elsewhere;                 // chains in functions, which are not changed
} Optimized;

// NULL: an error was reported.
Optimized *onnx_optimize(Arena *arena, const OnnxFile *file, Diag *diag);

#endif
