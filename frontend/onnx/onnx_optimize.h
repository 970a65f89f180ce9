// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model with fewer nodes that move data: what a run of such nodes does to the order of the elements is
// done by the fewest nodes of ONNX that do it. All else stays as it stands in the file, byte for byte.
//
//   Transpose, Reshape, Reshape, Transpose     nothing, where they cancel out
//   Squeeze, Unsqueeze, Reshape                Reshape
//   Shape, Gather, Concat; Reshape             Reshape with [0, 0, 768]; what computed its target is gone
#ifndef FRONTEND_ONNX_OPTIMIZE_H
#define FRONTEND_ONNX_OPTIMIZE_H

#include "frontend/onnx/onnx_survey.h"
#include "frontend/data/output.h"

typedef struct OptimizedChain {
  const Chain *chain;
  VEC(const char *) operators;      // of its nodes now
  bool is_changed;                  // perhaps with as many nodes as before
  VEC(const Value *) before, after; // what its nodes give, one a node
} OptimizedChain;

typedef struct Optimized {
  const Graph *graph; // that the values are of
  VEC(OptimizedChain) chain;
  VEC(OutputPart) part; // the model; parts lie in the file's bytes or in the arena
  // Of the last round, which gives the file: it is optimized again until nothing changes.
  const struct Optimized *last;
  int nodes_before, nodes_after; // bodies counted
  int elsewhere;                 // chains in functions: they stay as they are
} Optimized;

// NULL: reported.
Optimized *onnx_optimize(Arena *arena, const OnnxFile *file, Diag *diag);

#endif
