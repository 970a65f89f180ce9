// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A survey of a model: its operators that move data, regardless of the computation in between, and the
// chains that they form.
//
//   Conv -> Reshape -> Transpose -> Reshape -> Conv     one chain of three, from and to another operator
#ifndef FRONTEND_ONNX_SURVEY_H
#define FRONTEND_ONNX_SURVEY_H

#include "frontend/graph/facts.h"
#include "frontend/onnx/onnx_file.h"

// A node that moves data, not one that only computes shapes.
typedef struct Moved {
  const Onnx__NodeProto *node;
  size_t index;      // in its graph
  const char *place; // "node 3 'c' (F): " if that is the function of a call, or a subgraph; else ""
  Span span;         // "node 3 'r' (Reshape)"
  Node *made;        // in Survey.graph; NULL: not an operator of the language, and `why` says why
  Node **part;       // the nodes that it became, `made` last
  bool is_one;       // `made` is the operator itself, applied to its first inputs
  int part_count;
  const char *why; // NULL or the message
  int chain;       // index of its chain, or NO_CHAIN
} Moved;

typedef VEC(const Value *) ReadValues;

typedef struct Use { // a value is read
  const Value *value;
  int by; // index of the Moved; -1: another reader
} Use;

typedef struct Remark { // about a node
  Span span;
  const char *text;
  bool
      is_warning; // the model's declaration is false; else: where a shape becomes unknown, and a remedy
} Remark;

typedef struct Tensor { // an output of a node
  const char *name;
  const char *place;           // of its node, as Moved.place
  const Value *value;          // NULL: its elements are numbers
  const struct Numbers *known; // bit-exact elements; or NULL
  const Onnx__NodeProto *node; // the node that computes it
  rsh_dtype dtype;
  rsh_shape shape; // if `value` is NULL; its rank may be RSH_RANK_UNKNOWN
} Tensor;

typedef struct Survey {
  Graph *graph; // all Moved that could be made, and the tensors between them
  Facts *facts; // facts about its symbols
  VEC(Moved) moved;
  VEC(Use) use;
  VEC(Remark) remark;
  VEC(Tensor) tensor; // of known type
} Survey;

// A size parameter of a chain's function: the size of an axis of a tensor.
typedef struct ChainSize {
  const char *name, *tensor; // tensor NULL: no model input determines it
  int axis;
} ChainSize;

// A maximal connected group.
typedef struct Chain {
  const char *name; // after its first and last node
  VEC(const Moved *) moved;
  Graph *graph; // NULL: not requested, or `why` gives the reason
  VEC(ChainSize) size;
  const char *why; // NULL or a message
} Chain;

typedef struct Chains {
  Survey *survey;
  VEC(Chain) chain;
} Chains;

// When the nodes of a survey run, for splits: a chain contains only nodes of one level.
enum { NO_CHAIN = -1 };
typedef struct ChainLevels {
  const int *level;    // of each Moved; NO_CHAIN: it is in no chain
  const bool *is_read; // by id of a value of Survey.graph: read outside of all chains
} ChainLevels;

// The values that the operators of a node read, if it could be made.
void moved_reads(Arena *arena, const Moved *moved, ReadValues *reads);

// NULL: an error was reported.
Survey *onnx_survey(Arena *arena, const OnnxFile *file, Diag *diag);
// has_graphs: also builds each chain as a separate graph.
Chains *onnx_chains(Arena *arena, const OnnxFile *file, bool has_graphs, Diag *diag);
// The chains of a survey. levels NULL: as large as possible.
Chains *onnx_chains_of(Arena *arena, Survey *survey, const ChainLevels *levels, bool has_graphs,
                       const Diag *diag);

#endif
