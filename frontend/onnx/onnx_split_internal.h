// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between the files that cut a model. For onnx_split*.c alone.
#ifndef FRONTEND_ONNX_SPLIT_INTERNAL_H
#define FRONTEND_ONNX_SPLIT_INTERNAL_H

#include "frontend/onnx/onnx_internal.h"
#include "frontend/onnx/onnx_split.h"

// A name of the model's graph.
typedef struct SplitName {
  const char *text;
  int maker;            // its node; -1: an input or an initializer
  bool is_input;        // of the model, and no initializer
  bool is_output;       // of the model
  const Tensor *tensor; // what is known of what a node gives, or NULL
  const Value *input;   // what is known of an input, or NULL
  int number;           // of its SplitTensor; -1: it has none
  UT_hash_handle hh;
} SplitName;
typedef VEC(SplitName *) SplitNames;

typedef struct SplitNode {
  int moved;        // in the survey; -1: no chain can have it
  bool is_kept;     // it stays in the model all the same
  bool is_bound;    // so it does by SplitSteps.bound
  bool repeats;     // it computes with constants alone, always the same
  bool is_constant; // and parts alone read it: each of them has it
  bool is_live;
  int level, group; // nodes of a group have one level
  SplitNames reads; // names of the graph; of a node that leaves, what its operators read
} SplitNode;

struct Split {
  Arena *arena;
  const OnnxFile *file;
  WireField wire; // the graph in the file
  const Onnx__GraphProto *graph;
  Survey *survey;
  const size_t *order;
  SplitName *names;
  SplitNode *node;
};

static inline bool split_leaves(const SplitNode *node) {
  return node->moved >= 0 && !node->is_kept;
}
// NULL: the graph has none.
static inline SplitName *split_name(const Split *s, const char *text) {
  SplitName *found = NULL;
  if (text && *text)
    HASH_FIND_STR(s->names, text, found);
  return found;
}

// --- onnx_split_write.c
// The file of a part: the nodes of a level.
void split_write(Split *s, const SplitSteps *steps, SplitStep *step, int level);

#endif
