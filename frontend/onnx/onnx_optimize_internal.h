// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the optimizer's files; only for onnx_optimize*.c.
//
//   onnx_reorder.c         the fewest nodes that produce an order of elements
//   onnx_optimize_names.c  names of all graphs, values by name, and new names
//   onnx_optimize_constant.c  turns nodes of constants into constants
//   onnx_optimize_neutral.c  operands without effect
//   onnx_optimize_fold.c   equal nodes, constants, unused nodes
//   onnx_optimize_sink.c   moves transposes to where fewer bytes move
//   onnx_optimize_pair.c   merges a node with the node that it reads
//   onnx_optimize_many.c   merges many nodes that split or join tensors
//   onnx_optimize_slice.c  the part that a Slice or a Gather takes
//   onnx_optimize_node.c   operators and attributes of nodes
//   onnx_optimize_make.c   lists for nodes, nodes that replace others
//   onnx_optimize_branch.c  an If with a known condition
//   onnx_optimize.c        decides about values and nodes
//   onnx_optimize_write.c  writes the resulting file
#ifndef FRONTEND_ONNX_OPTIMIZE_INTERNAL_H
#define FRONTEND_ONNX_OPTIMIZE_INTERNAL_H

#include "frontend/onnx/onnx_internal.h"
#include "frontend/onnx/onnx_optimize.h"
#include "frontend/onnx/onnx_reorder.h"
#include "runtime/move.h"

enum {
  ONNX_OPEN_DEFAULTS = 4,     // format version from which initializers need not be inputs
  ONNX_RESHAPE_WITH_INPUT = 5 // opset from which the target is an input
};

struct Var;

// A name in any graph.
typedef struct GivenName {
  const char *text;
  int count; // number of definitions: nodes, initializers, inputs
  UT_hash_handle hh;
} GivenName;

// A value as a reorder of another one, and the cost of the nodes in between.
typedef struct Form {
  struct Var *from;
  const rsh_moves *moves;
  int nodes, transposes;
  bool is_computed; // a target is computed by nodes
} Form;

// Known elements.
typedef struct Constant {
  rsh_dtype dtype;
  rsh_shape shape; // all sizes known
  const uint8_t *bytes;
} Constant;

// A name in the graph.
typedef struct Var {
  const char *name;
  int maker;                   // index of its node; -1: an input or an initializer
  int initializer;             // its index; -1: it is not one
  int readers;                 // inputs of nodes that stay
  bool was_read;               // by nodes of the original model
  bool is_input;               // of the graph
  rsh_dtype dtype;             // type of a node's output, if known
  const rsh_shape *shape;      // if its rank is known, else NULL
  const struct Numbers *known; // if its elements are numbers, some of them perhaps symbolic
  bool is_outer;               // its name is visible outside: a result, read in a body, annotated
  bool is_result;
  bool is_seen;                    // of results: its name is also visible elsewhere
  const Onnx__TensorProto *tensor; // an initializer or a Constant; else NULL
  const Value *value;              // of values that reorders make and read
  const struct Var *outer;         // in a body: the outer value that the name refers to; else NULL
  struct Var *before;              // of a reorder's result: the reorder's input; else NULL
  bool stays;
  Form near, far; // from the nearest earlier value that stays, and from the first of its run
  // In a round that moves transposes: its readers, and its name in another layout.
  VEC(size_t) reader;
  const void *cost_of, *transposed_by; // the region that has counted it, or named it
  const char *transposed;
  // Outcome:
  struct Var *same;         // its readers read this one instead
  const char *renamed;      // its new name
  const Constant *constant; // the initializer that replaces it; or NULL
  bool is_lifted;           // a Constant turned into an initializer
  bool is_sparse;           // a Constant that is dense to its readers, but not as a result
  bool is_weight;           // engines treat it differently if it is constant
  bool is_wanted;           // read by nodes of the new model
  bool is_made;             // output of a node that replaces others
  UT_hash_handle hh;
} Var;

// The replacement of a node: computes `var` from `from`. No step: Identity. It also replaces the nodes from
// var->near.from on.
typedef struct Swap {
  Var *var, *from;
  Reorder steps;
  const Var *given[3]; // for each Reshape: its target, if the model has it; else NULL
} Swap;

typedef struct NodeFate {
  size_t place;       // in topological order
  const Moved *moved; // or NULL
  bool is_reorder;
  bool is_left_out; // unused, or replaced by an equal node
  bool is_gone;
  uint64_t dropped;               // bit i: input i is omitted
  Swap *swap;                     // or NULL
  const Onnx__GraphProto *branch; // an If is replaced by this branch; else NULL
  // In a round that moves transposes: the region that moves them across it, and the fields that replace it.
  const void *region;
  bool is_rewritten;
  bool is_bypassed; // a region reads the operand of this transpose in its place
  WireBytes before;
} NodeFate;

static inline bool optimize_is_dropped(const NodeFate *fate, size_t input) {
  return input < 64 && (fate->dropped >> input & 1) != 0;
}

// One graph: the model's, or a body.
typedef struct Optimizer {
  Arena *arena;
  struct Optimizer *outer; // of the enclosing graph of a body; NULL for the model's
  GivenName **names;       // of all graphs
  struct OptimizerList *all;
  bool sinks; // a round that only moves transposes
  const OnnxFile *file;
  const Onnx__GraphProto *graph;
  const Survey *survey;
  const size_t *order; // topological order of the nodes
  WireField *wire;     // the nodes as stored in the file; those with bodies, as rewritten
  rsh_symbols *symbols;
  int64_t opset;
  Var *vars;
  NodeFate *node;
  const size_t *twin; // of each node: the first one equal to it, or itself; NULL: no body
  WireBytes late;     // fields at the end of the graph
  ReorderSizes positive;
  rsh_moves out, work;
} Optimizer;

typedef struct OptimizerList {
  VEC(Optimizer *) item;
} OptimizerList;

static inline int swap_nodes(const Swap *swap) {
  return swap->steps.count > 0 ? swap->steps.count : 1;
}
static inline const char *swap_operator(const Swap *swap, int step) {
  if (swap->steps.count == 0)
    return "Identity";
  return swap->steps.step[step].is_transpose ? "Transpose" : "Reshape";
}

// --- onnx_optimize_node.c
// Whether the operator, of ONNX's own domain, is one of some: "LSTM GRU RNN".
bool optimize_is_op(const Onnx__NodeProto *node, const char *ops);
// NULL: absent.
const Onnx__AttributeProto *optimize_attribute(const Onnx__NodeProto *node, const char *name);
int64_t optimize_int(const Onnx__NodeProto *node, const char *name, int64_t fallback);
// Of a Transpose.
bool optimize_perm(const Optimizer *o, const Onnx__NodeProto *node, int64_t *perm, int32_t *rank);
void optimize_put_int(Arena *arena, WireBytes *node, const char *name, int64_t value);
void optimize_put_ints(Arena *arena, WireBytes *node, const char *name, const int64_t *list,
                       int32_t count);
void optimize_copy_attributes(Optimizer *o, size_t index, const char *without, WireBytes *to);

// --- onnx_optimize_make.c
typedef struct IntList {
  int64_t item[RSH_MAX_RANK];
  int32_t count;
  bool is_given, is_scalar;
} IntList;

// A node that replaces one of the model and keeps its name and texts.
typedef struct NewNode {
  const char *op;
  const char *input[8];
  int inputs;
  const char *const *output; // NULL: the outputs of the replaced node
  size_t outputs;
  WireBytes attributes;
} NewNode;

// A list that is an attribute in old opsets and an input (-1: in none) in new ones. False: unknown, or too long.
bool optimize_list(const Optimizer *o, const Onnx__NodeProto *node, const char *name, int input,
                   IntList *out);
// The graph input that an initializer needs in old files, as a field of a graph.
void optimize_put_input(const Optimizer *o, WireBytes *to, const char *name, rsh_dtype dtype,
                        const rsh_shape *dims);
// Adds an initializer at the end of the graph.
void optimize_put_initializer(Optimizer *o, const char *name, const Constant *c);
// Adds one of i64 with the name "base/what", which is returned.
const char *optimize_put_list(Optimizer *o, const char *base, const char *what,
                              const IntList *list);
void optimize_replace(Optimizer *o, size_t index, const NewNode *made); // added to NodeFate.before

// --- onnx_optimize_names.c
void optimize_collect_names(Arena *arena, GivenName **names, const Onnx__GraphProto *graph);
bool optimize_is_unique(const Optimizer *o, const char *name); // defined in one graph only
// "base/what", with a number appended if a graph has that name.
const char *optimize_new_name(Optimizer *o, const char *base, const char *what);
Var *optimize_var(const Optimizer *o, const char *name);               // NULL: not found
const rsh_shape *optimize_shape(const Optimizer *o, const char *name); // NULL: unknown
const char *optimize_name(Var *var); // in the new model, as its readers see it
// Returns whether readers of an output read another value, or an initializer, instead.
bool optimize_is_read_elsewhere(const Var *var);
// The output name of a node that stays: unchanged, even if readers use another value, as v6 instead of v8 in
// v6, v7, v8 = Split(w, [0, 2, 0]). Exception: the other value took the name, or an initializer has it.
const char *optimize_output_name(Optimizer *o, Var *var);
Var *optimize_origin(Var *var);         // what is read instead of it, or itself
bool optimize_is_fixed(const Var *var); // its elements come from the file
// Replaces `var` by `from` for its readers. A result keeps its name, which the other value takes. False: neither
// is possible.
bool optimize_unite(Var *var, Var *from);

// --- onnx_optimize_constant.c
// Turns nodes of constants into constants.
void optimize_constants(Optimizer *o);
// The elements of a constant of at most `most` bytes, wherever stored. False: it is not one, or cannot be read.
bool optimize_constant(const Optimizer *o, const Var *var, size_t most, Constant *out);
bool optimize_tensor(const Optimizer *o, const Onnx__TensorProto *tensor, size_t most,
                     Constant *out); // the same of a tensor
size_t optimize_constant_bytes(const Constant *c);

// --- onnx_optimize_neutral.c
// The operand that the result equals because the other is neutral: x in Mul(x, 1). -1: neither.
int optimize_passed_operand(const Optimizer *o, const Onnx__NodeProto *node);
void optimize_drop_input(Optimizer *o, size_t index, size_t input);
// Drops operands without effect: empty ones of Concat, zero initial states.
void optimize_drop(Optimizer *o);

// --- onnx_optimize_fold.c
void optimize_find_constants(Optimizer *o); // before the reads of subgraphs are known
void optimize_fold(Optimizer *o);
// Before bodies are optimized, so that they read the first of equal nodes.
void optimize_find_twins(Optimizer *o);
// The input that a node with one result passes on unchanged, or NULL.
Var *optimize_passed(const Optimizer *o, size_t index);

// --- onnx_optimize_sink.c
void optimize_find_readers(Optimizer *o);
void optimize_sink(Optimizer *o);

// --- onnx_optimize_slice.c
typedef struct SliceRange { // what a Slice takes along each of its axes
  IntList start, end, axis, step;
} SliceRange;

// Returns whether the value of a name does not come from a rewritten node.
bool optimize_is_stable(const Optimizer *o, const char *name);
// Makes negative axes nonnegative if the rank is known. False: out of range.
bool optimize_count_axes(IntList *axes, const rsh_shape *shape);
bool optimize_read_slice(const Optimizer *o, const Onnx__NodeProto *node, SliceRange *slice);
bool optimize_is_set(const IntList *list); // nonempty, without duplicates
// The only index of a Gather, and its axis.
bool optimize_gathered(const Optimizer *o, const Onnx__NodeProto *node, bool is_scalar,
                       int64_t *index, IntList *axis);

// --- onnx_optimize_pair.c
void optimize_pairs(Optimizer *o);

// --- onnx_optimize_many.c
void optimize_many(Optimizer *o);

// --- onnx_optimize_branch.c
// The branch that an If always takes, if it needs only nodes and initializers; NULL: unknown.
const Onnx__GraphProto *optimize_known_branch(const Optimizer *o, const Onnx__NodeProto *node);
// Its fields, which replace the If: results get the names of the If's.
WireBytes optimize_branch_fields(Optimizer *o, size_t index, const WireField *graph);

// --- onnx_optimize_write.c
// The new graph.
void optimize_write(Optimizer *o, const WireField *graph, GraphParts *out);
// Rewrites a node, each of its bodies by `body`.
typedef void OptimizeBody(Optimizer *o, const Onnx__GraphProto *graph, const WireField *from,
                          GraphParts *out);
WireField optimize_bodies(Optimizer *o, size_t index, OptimizeBody *body);

#endif
