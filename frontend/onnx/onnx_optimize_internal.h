// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rooms of optimizing share. For onnx_optimize*.c alone.
//
//   onnx_reorder.c         the fewest nodes for an order of elements
//   onnx_optimize_names.c  values by their names
//   onnx_optimize.c        what becomes of values and nodes
//   onnx_optimize_write.c  the file that says so
#ifndef FRONTEND_ONNX_OPTIMIZE_INTERNAL_H
#define FRONTEND_ONNX_OPTIMIZE_INTERNAL_H

#include "frontend/onnx/onnx_internal.h"
#include "frontend/onnx/onnx_optimize.h"
#include "frontend/onnx/onnx_reorder.h"

enum {
  ONNX_OPEN_DEFAULTS = 4,     // version of the format from which initializers need not be inputs
  ONNX_RESHAPE_WITH_INPUT = 5 // opset from which a target is an input
};

struct Var;

// A value as a reorder of another one, and what the nodes have that make it from that.
typedef struct Form {
  struct Var *from;
  const rsh_moves *moves;
  int nodes, transposes;
  bool is_computed; // a target that nodes compute
  bool infers;      // a target with -1 beside sizes that may be 0
} Form;

// A name of the graph.
typedef struct Var {
  const char *name;
  int maker;       // its node, -1: an input or an initializer
  int initializer; // its number, -1: it is none
  int readers;     // inputs of nodes
  bool is_outer;   // its name is known outside: a result, read in a body, annotated
  bool is_result;
  bool is_seen;                    // of results: its name is known elsewhere too
  const Onnx__TensorProto *tensor; // an initializer or a Constant; else NULL
  const Value *value;              // of those that reorders make and read
  struct Var *before;              // of what a reorder makes: what that reads; else NULL
  bool stays;
  Form near, far; // from the nearest value before it that stays, and from the first of its run
  // What becomes of it:
  struct Var *same;    // who reads it reads this one
  const char *renamed; // its new name
  bool is_wanted;      // read by nodes of the new model
  UT_hash_handle hh;
} Var;

// What a node is replaced by: it gives `var`, from `from`. No step: Identity. The nodes from var->near.from on go
// with it.
typedef struct Swap {
  Var *var, *from;
  Reorder steps;
  const Var *given[3]; // of each Reshape: its target, where the model has it; else NULL
} Swap;

typedef struct NodeFate {
  const Moved *moved; // or NULL
  bool is_reorder;
  bool is_gone;
  Swap *swap; // or NULL
} NodeFate;

typedef struct Optimizer {
  Arena *arena;
  const OnnxFile *file;
  const Onnx__GraphProto *graph;
  const Survey *survey;
  rsh_symbols *symbols;
  int64_t opset;
  Var *vars;
  NodeFate *node;
  rsh_moves out, work;
} Optimizer;

static inline int swap_nodes(const Swap *swap) {
  return swap->steps.count > 0 ? swap->steps.count : 1;
}
static inline const char *swap_operator(const Swap *swap, int step) {
  if (swap->steps.count == 0)
    return "Identity";
  return swap->steps.step[step].is_transpose ? "Transpose" : "Reshape";
}

Var *optimize_var(const Optimizer *o, const char *name); // NULL: there is none
const char *optimize_name(Var *var);                     // in the new model
Var *optimize_origin(Var *var);                          // what is read in its place, or itself
// The new model, as parts. False: reported.
bool optimize_write(Optimizer *o, Optimized *out, Diag *diag);

#endif
