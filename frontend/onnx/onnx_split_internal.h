// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the files that split a model; only for onnx_split*.c.
#ifndef FRONTEND_ONNX_SPLIT_INTERNAL_H
#define FRONTEND_ONNX_SPLIT_INTERNAL_H

#include "frontend/onnx/onnx_internal.h"
#include "frontend/onnx/onnx_split.h"

// A name in the model's graph.
typedef struct SplitName {
  const char *text;
  int maker;            // its node; -1: an input or an initializer
  bool is_input;        // of the model, and not an initializer
  bool is_output;       // of the model
  const Tensor *tensor; // type information for a node's output, or NULL
  const Value *input;   // type information for an input, or NULL
  int number;           // index of its SplitTensor; -1: it has none
  UT_hash_handle hh;
} SplitName;
typedef VEC(SplitName *) SplitNames;

typedef struct SplitNode {
  int moved;        // index in the survey; -1: it cannot be in a chain
  bool is_kept;     // it stays in the model anyway
  bool is_bound;    // because of SplitSteps.bound
  bool repeats;     // it computes a fixed result from constants only
  bool is_constant; // and only parts read it: each part has a copy
  bool is_live;
  int level, group; // nodes of a group share a level
  SplitNames reads; // names in the graph; for a node that leaves, the names that its operators read
} SplitNode;

struct Split {
  Arena *arena;
  const OnnxFile *file;
  WireField wire; // the graph's field in the file
  const Onnx__GraphProto *graph;
  Survey *survey;
  const size_t *order;
  SplitName *names;
  SplitNode *node;
};

static inline bool split_leaves(const SplitNode *node) {
  return node->moved >= 0 && !node->is_kept;
}
// NULL: not found.
static inline SplitName *split_name(const Split *s, const char *text) {
  SplitName *found = NULL;
  if (text && *text)
    HASH_FIND_STR(s->names, text, found);
  return found;
}

// --- onnx_split_write.c
// Writes the file of a part: the nodes of a level.
void split_write(Split *s, const SplitSteps *steps, SplitStep *step, int level);

#endif
