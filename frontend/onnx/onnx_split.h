// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model split into consecutive steps: chains, and parts of the rest, each a model for any engine.
//
//   x -> Conv -> Reshape -> Transpose -> Reshape -> Conv -> y     part, chain, part
//
// All nodes have a level: even for parts, odd for chains. A node comes after the nodes that it reads, and the level
// changes only where a chain begins or ends, so there are as few parts as the order permits.
#ifndef FRONTEND_ONNX_SPLIT_H
#define FRONTEND_ONNX_SPLIT_H

#include "frontend/data/output.h"
#include "frontend/onnx/onnx_survey.h"

// A tensor that crosses from one step to another, or an input or output of the model.
typedef struct SplitTensor {
  const char *name;
  rsh_dtype dtype;        // RSH_DTYPE_NONE: unknown, or not a tensor
  const rsh_shape *shape; // over symbols of Survey.graph; NULL: unknown rank
} SplitTensor;

typedef struct SplitStep {
  int chain; // its index, or NO_CHAIN: a part
  int nodes;
  VEC(int) in, out; // indices of tensors
  OutputParts part; // of a part: its file
} SplitStep;

typedef struct SplitSteps {
  VEC(SplitTensor) tensor; // the inputs of the model first
  int input_count;
  VEC(int) output; // of the model
  VEC(SplitStep) step;
  // Nodes that stay because a tensor of unknown shape, which cannot cross, ties earlier nodes to later ones.
  VEC(const Moved *) bound;
} SplitSteps;

typedef struct Split Split;

// NULL: an error was reported.
Split *onnx_split(Arena *arena, const OnnxFile *file, Diag *diag);
void onnx_split_end(Split *split); // NULL is allowed
// The chains of all nodes that can leave. Earlier calls of onnx_split_keep() affect them.
Chains *onnx_split_chains(Split *split, Diag *diag);
// Keeps the nodes of a chain in the model.
void onnx_split_keep(Split *split, const Chain *chain);
// The steps for the chains of the last call.
SplitSteps *onnx_split_steps(Split *split, const Chains *chains);

#endif
