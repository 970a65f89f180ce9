// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model cut into steps that run one after the other: chains, and parts of what is left, each a model of its own for any
// engine.
//
//   x -> Conv -> Reshape -> Transpose -> Reshape -> Conv -> y     part, chain, part
//
// All nodes have a level. Parts have the even ones, chains the odd ones: a node comes after what it reads, and changes the
// level only where a chain begins or ends. So there are as few parts as the order allows.
#ifndef FRONTEND_ONNX_SPLIT_H
#define FRONTEND_ONNX_SPLIT_H

#include "frontend/data/output.h"
#include "frontend/onnx/onnx_survey.h"

// What crosses from a step to another one, or is an input or output of the model.
typedef struct SplitTensor {
  const char *name;
  rsh_dtype dtype;        // RSH_DTYPE_NONE: not known, or no tensor
  const rsh_shape *shape; // over symbols of Survey.graph; NULL: its rank is not known
} SplitTensor;

typedef struct SplitStep {
  int chain; // its number, or NO_CHAIN: a part
  int nodes;
  VEC(int) in, out;     // numbers of tensors
  VEC(OutputPart) part; // of a part: its file
} SplitStep;

typedef struct SplitSteps {
  VEC(SplitTensor) tensor; // the inputs of the model first
  int input_count;
  VEC(int) output; // of the model
  VEC(SplitStep) step;
  // Nodes that stay because a tensor of unknown shape, which cannot cross, binds what is before them to what is behind.
  VEC(const Moved *) bound;
} SplitSteps;

typedef struct Split Split;

// NULL: reported.
Split *onnx_split(Arena *arena, const OnnxFile *file, Diag *diag);
void onnx_split_end(Split *split); // NULL is allowed
// The chains, of all nodes that can leave. Calls of onnx_split_keep() before change them.
Chains *onnx_split_chains(Split *split, Diag *diag);
// The nodes of a chain stay in the model.
void onnx_split_keep(Split *split, const Chain *chain);
// The steps of the chains of the last call.
SplitSteps *onnx_split_steps(Split *split, const Chains *chains);

#endif
