// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A survey of a model: its operators that move data, whatever is computed between them, and the chains
// that they make.
//
//   Conv -> Reshape -> Transpose -> Reshape -> Conv     one chain of three, from and to another operator
#ifndef FRONTEND_ONNX_SURVEY_H
#define FRONTEND_ONNX_SURVEY_H

#include "frontend/graph/facts.h"
#include "frontend/onnx/onnx_file.h"

// A node that moves data. Nodes that only compute shapes are none.
typedef struct Moved {
  const Onnx__NodeProto *node;
  size_t index; // in its graph
  Span span;    // "node 3 'r' (Reshape)"
  Node *made;   // in Survey.graph; NULL: it is no operator of the language, and `why` says why
  Node **part;  // the nodes that it became, `made` last
  bool is_one;  // `made` is the operator itself, of its first inputs
  int part_count;
  const char *why; // NULL or the message
  int chain;       // which of the chains it is in, or NO_CHAIN
} Moved;

typedef VEC(const Value *) ReadValues;

typedef struct Use { // a value is read
  const Value *value;
  int by; // number of the Moved, -1: by something else
} Use;

typedef struct Remark { // about a node
  Span span;
  const char *text;
  bool
      is_warning; // what the model declares is not so; else: where a shape ends, and what would help
} Remark;

typedef struct Tensor { // what a node gives
  const char *name;
  const Value *value;          // or NULL: its elements are numbers
  const struct Numbers *known; // that are the elements to the bit; or NULL
  const Onnx__NodeProto *node; // that gives it
  rsh_dtype dtype;
  rsh_shape shape; // where `value` is NULL; its rank may be RSH_RANK_UNKNOWN
} Tensor;

typedef struct Survey {
  Graph *graph; // all Moved that could be made, and the tensors between
  Facts *facts; // what is known of its symbols
  VEC(Moved) moved;
  VEC(Use) use;
  VEC(Remark) remark;
  VEC(Tensor) tensor; // those whose type is known
} Survey;

// A size that the function of a chain takes: that of an axis of a tensor.
typedef struct ChainSize {
  const char *name, *tensor; // tensor NULL: no input of the model says it
  int axis;
} ChainSize;

// A maximal connected group.
typedef struct Chain {
  const char *name; // after its first and last node
  VEC(const Moved *) moved;
  Graph *graph; // NULL: nobody asked for it, or `why` says why not
  VEC(ChainSize) size;
  const char *why; // NULL or a message
} Chain;

typedef struct Chains {
  Survey *survey;
  VEC(Chain) chain;
} Chains;

// When the nodes of a survey run, where that decides what is one chain: only nodes of one level are.
enum { NO_CHAIN = -1 };
typedef struct ChainLevels {
  const int *level;    // of each Moved; NO_CHAIN: it is in none
  const bool *is_read; // by number of a value of Survey.graph: outside of all chains
} ChainLevels;

// What the operators of a node that could be made read.
void moved_reads(Arena *arena, const Moved *moved, ReadValues *reads);

// NULL: reported.
Survey *onnx_survey(Arena *arena, const OnnxFile *file, Diag *diag);
// has_graphs: each chain as a graph of its own, too.
Chains *onnx_chains(Arena *arena, const OnnxFile *file, bool has_graphs, Diag *diag);
// The same of a survey. levels NULL: as large as they can be.
Chains *onnx_chains_of(Arena *arena, Survey *survey, const ChainLevels *levels, bool has_graphs,
                       const Diag *diag);

#endif
