// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A survey of a model: its operators that move data, whatever is computed between them, and the chains
// that they make.
//
//   Conv -> Reshape -> Transpose -> Reshape -> Conv     one chain of three, from and to another operator
#ifndef FRONTEND_ONNX_SURVEY_H
#define FRONTEND_ONNX_SURVEY_H

#include "frontend/graph/graph.h"
#include "frontend/onnx/onnx_file.h"

// A node that moves data. Nodes that only compute shapes are none.
typedef struct Moved {
  const Onnx__NodeProto *node;
  size_t index;    // in its graph
  Span span;       // "node 3 'r' (Reshape)"
  Node *made;      // in Survey.graph; NULL: it is no operator of the language, and `why` says why
  const char *why; // NULL or the message
  int chain;       // which of the chains it is in
} Moved;

typedef struct Use { // a value is read
  const Value *value;
  int by; // number of the Moved, -1: by something else
} Use;

typedef struct Survey {
  Graph *graph; // all Moved that could be made, and the tensors between
  VEC(Moved) moved;
  VEC(Use) use;
} Survey;

// A maximal connected group.
typedef struct Chain {
  const char *name; // after its first and last node
  VEC(const Moved *) moved;
  Graph *graph;    // NULL: `why` says why not
  const char *why; // NULL or a message
} Chain;

typedef struct Chains {
  Survey *survey;
  VEC(Chain) chain;
} Chains;

// NULL: reported.
Survey *onnx_survey(Arena *arena, const OnnxFile *file, Diag *diag);
Chains *onnx_chains(Arena *arena, const OnnxFile *file, Diag *diag);

#endif
