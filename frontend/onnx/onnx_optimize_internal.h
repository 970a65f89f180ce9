// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rooms of optimizing share. For onnx_optimize*.c alone.
//
//   onnx_reorder.c         the fewest nodes for an order of elements
//   onnx_optimize_names.c  names of all graphs, values by them, and new names
//   onnx_optimize_constant.c  nodes of constants
//   onnx_optimize_neutral.c  operands that change nothing
//   onnx_optimize_fold.c   equal nodes, constants, what nobody needs
//   onnx_optimize_sink.c   transposes, to where fewer bytes move
//   onnx_optimize_pair.c   a node and what it reads, as one node
//   onnx_optimize_many.c   many nodes that take apart or put together, as few
//   onnx_optimize_cut.c    what a Slice or a Gather takes
//   onnx_optimize_node.c   operators and attributes of nodes
//   onnx_optimize_make.c   lists that nodes are given, nodes in place of others
//   onnx_optimize_branch.c  an If with a known condition
//   onnx_optimize.c        what becomes of values and nodes
//   onnx_optimize_write.c  the file that says so
#ifndef FRONTEND_ONNX_OPTIMIZE_INTERNAL_H
#define FRONTEND_ONNX_OPTIMIZE_INTERNAL_H

#include "frontend/onnx/onnx_internal.h"
#include "frontend/onnx/onnx_optimize.h"
#include "frontend/onnx/onnx_reorder.h"
#include "runtime/move.h"

enum {
  ONNX_OPEN_DEFAULTS = 4,     // version of the format from which initializers need not be inputs
  ONNX_RESHAPE_WITH_INPUT = 5 // opset from which a target is an input
};

struct Var;

// A name of any graph.
typedef struct GivenName {
  const char *text;
  int count; // of those that give it: nodes, initializers, inputs
  UT_hash_handle hh;
} GivenName;

// A value as a reorder of another one, and what the nodes have that make it from that.
typedef struct Form {
  struct Var *from;
  const rsh_moves *moves;
  int nodes, transposes;
  bool is_computed; // a target that nodes compute
} Form;

// Elements that are known.
typedef struct Constant {
  rsh_dtype dtype;
  rsh_shape shape; // all sizes known
  const uint8_t *bytes;
} Constant;

// A name of the graph.
typedef struct Var {
  const char *name;
  int maker;                   // its node, -1: an input or an initializer
  int initializer;             // its number, -1: it is none
  int readers;                 // inputs of nodes that stay
  bool was_read;               // by nodes of the model
  bool is_input;               // of the graph
  rsh_dtype dtype;             // of what nodes give, where it is known
  const rsh_shape *shape;      // where its rank is known, else NULL
  const struct Numbers *known; // where its elements are numbers, some of them symbolic
  bool is_outer;               // its name is known outside: a result, read in a body, annotated
  bool is_result;
  bool is_seen;                    // of results: its name is known elsewhere too
  const Onnx__TensorProto *tensor; // an initializer or a Constant; else NULL
  const Value *value;              // of those that reorders make and read
  const struct Var *outer;         // of a body: the value around it that the name means; else NULL
  struct Var *before;              // of what a reorder makes: what that reads; else NULL
  bool stays;
  Form near, far; // from the nearest value before it that stays, and from the first of its run
  // Of a round that moves transposes: its readers, and the name that it has in another layout.
  VEC(size_t) reader;
  const void *cost_of, *turned_by; // the region that has counted it, or named it
  const char *turned;
  // What becomes of it:
  struct Var *same;         // who reads it reads this one
  const char *renamed;      // its new name
  const Constant *constant; // an initializer takes its place; or NULL
  bool is_lifted;           // a Constant that becomes an initializer
  bool is_weight;           // engines compute otherwise if it is a constant
  bool is_wanted;           // read by nodes of the new model
  bool is_made;             // given by a node that stands in place of others
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
  bool is_left_out; // nobody needs it, or an equal one does its work
  bool is_gone;
  uint64_t dropped;               // bit i: input i is left out
  Swap *swap;                     // or NULL
  const Onnx__GraphProto *branch; // an If is this one of its branches; else NULL
  // Of a round that moves transposes: where it is moved through, and the fields that stand in its place.
  const void *region;
  bool is_rewritten;
  WireBytes before;
} NodeFate;

static inline bool optimize_is_dropped(const NodeFate *fate, size_t input) {
  return input < 64 && (fate->dropped >> input & 1) != 0;
}

// One graph: the model's, or a body.
typedef struct Optimizer {
  Arena *arena;
  struct Optimizer *outer; // of the graph around a body; NULL for the model's
  GivenName **names;       // of all graphs
  struct OptimizerList *all;
  bool sinks; // a round that moves transposes, and does nothing else
  const OnnxFile *file;
  const Onnx__GraphProto *graph;
  const Survey *survey;
  const size_t *order; // in which nodes follow what they read
  WireField *wire;     // the nodes as they stand in the file; those with bodies, as these are now
  rsh_symbols *symbols;
  int64_t opset;
  Var *vars;
  NodeFate *node;
  WireBytes late; // fields at the end of the graph
  ReorderSizes positive;
  rsh_moves out, work;
} Optimizer;

typedef struct OptimizerList {
  VEC(Optimizer *) item;
} OptimizerList;

typedef struct OptimizedGraph {
  VEC(OutputPart) part; // the fields of a graph; they lie in the file's bytes or in the arena
  size_t size;
} OptimizedGraph;

static inline int swap_nodes(const Swap *swap) {
  return swap->steps.count > 0 ? swap->steps.count : 1;
}
static inline const char *swap_operator(const Swap *swap, int step) {
  if (swap->steps.count == 0)
    return "Identity";
  return swap->steps.step[step].is_transpose ? "Transpose" : "Reshape";
}

// --- onnx_optimize_node.c
bool optimize_is_op(const Onnx__NodeProto *node, const char *op); // of ONNX's own domain
bool optimize_is_one_of(const Onnx__NodeProto *node, const char *const *op, size_t count);
// NULL: not given.
const Onnx__AttributeProto *optimize_attribute(const Onnx__NodeProto *node, const char *name);
int64_t optimize_int(const Onnx__NodeProto *node, const char *name, int64_t fallback);
bool optimize_perm(const Onnx__NodeProto *node, int64_t *perm, int32_t *rank); // of a Transpose
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

// A node in place of one of the model, whose name and texts it keeps.
typedef struct NewNode {
  const char *op;
  const char *input[8];
  int inputs;
  const char *const *output; // NULL: those of the other
  size_t outputs;
  WireBytes attributes;
} NewNode;

// A list that is an attribute in old opsets and an input (-1: in none) in new ones. False: not known, or too long.
bool optimize_list(const Optimizer *o, const Onnx__NodeProto *node, const char *name, int input,
                   IntList *out);
// The input that an initializer has to be in old files, as a field of a graph.
void optimize_put_input(const Optimizer *o, WireBytes *to, const char *name, rsh_dtype dtype,
                        const rsh_shape *dims);
// A new initializer, at the end of the graph.
void optimize_put_initializer(Optimizer *o, const char *name, const Constant *c);
// One of i64 with the name "base/what", which is returned.
const char *optimize_put_list(Optimizer *o, const char *base, const char *what,
                              const IntList *list);
void optimize_replace(Optimizer *o, size_t index, const NewNode *made); // after what is before it

// --- onnx_optimize_names.c
void optimize_collect_names(Arena *arena, GivenName **names, const Onnx__GraphProto *graph);
bool optimize_is_unique(const Optimizer *o, const char *name); // no two graphs give it
// "base/what", or with a number where a graph has that name.
const char *optimize_new_name(Optimizer *o, const char *base, const char *what);
Var *optimize_var(const Optimizer *o, const char *name); // NULL: there is none
const char *optimize_name(Var *var);                     // in the new model, of who reads it
// Whether who reads an output reads another value, or an initializer.
bool optimize_is_read_elsewhere(const Var *var);
// What a node that stays calls its output: as before, though it may be read elsewhere, as v8 of v6, v7, v8 =
// Split(w, [0, 2, 0]) is as v6. But not if that other value took the name, or an initializer has it.
const char *optimize_output_name(Optimizer *o, Var *var);
Var *optimize_origin(Var *var);         // what is read in its place, or itself
bool optimize_is_fixed(const Var *var); // its elements are those of the file
// `var` is `from`: who reads it reads that. A result keeps its name, which the other takes. False: neither can.
bool optimize_unite(Var *var, Var *from);

// --- onnx_optimize_constant.c
// Nodes of constants become constants.
void optimize_constants(Optimizer *o);
// The elements of a constant of at most so many bytes, wherever it stands. False: it is none, or cannot be read.
bool optimize_constant(const Optimizer *o, const Var *var, size_t most, Constant *out);
bool optimize_tensor(const Optimizer *o, const Onnx__TensorProto *tensor, size_t most,
                     Constant *out); // the same of a tensor
size_t optimize_constant_bytes(const Constant *c);

// --- onnx_optimize_neutral.c
// Which of two operands the result is, as the other is neutral: x of Mul(x, 1). -1: neither.
int optimize_passed_operand(const Optimizer *o, const Onnx__NodeProto *node);
void optimize_drop_input(Optimizer *o, size_t index, size_t input);
// Operands that add nothing: empty ones of Concat, initial states that are zeros.
void optimize_drop(Optimizer *o);

// --- onnx_optimize_fold.c
void optimize_find_constants(Optimizer *o); // before it is known what subgraphs read
void optimize_fold(Optimizer *o);
// The input that a node of one result passes on as it is, or NULL.
Var *optimize_passed(const Optimizer *o, size_t index);

// --- onnx_optimize_sink.c
void optimize_find_readers(Optimizer *o);
void optimize_sink(Optimizer *o);

// --- onnx_optimize_cut.c
typedef struct Cut { // what a Slice takes of each of its axes
  IntList start, end, axis, step;
} Cut;

// Whether what a name means is made by a node that stands as it stood.
bool optimize_is_stable(const Optimizer *o, const char *name);
const rsh_shape *optimize_shape(const Optimizer *o, const char *name); // NULL: not known
// From the first axis where the rank is known. False: outside.
bool optimize_count_axes(IntList *axes, const rsh_shape *shape);
bool optimize_cut(const Optimizer *o, const Onnx__NodeProto *node, Cut *cut);
bool optimize_is_set(const IntList *list); // some entries, none of them twice
// The only index of a Gather, and its axis.
bool optimize_gathered(const Optimizer *o, const Onnx__NodeProto *node, bool is_scalar,
                       int64_t *index, IntList *axis);

// --- onnx_optimize_pair.c
void optimize_pairs(Optimizer *o);

// --- onnx_optimize_many.c
void optimize_many(Optimizer *o);

// --- onnx_optimize_branch.c
// The branch that an If is, of which nothing else has to be written than nodes and initializers; NULL: not known.
const Onnx__GraphProto *optimize_known_branch(const Optimizer *o, const Onnx__NodeProto *node);
// Its fields, to stand in place of the If: results have the names of those of the If.
WireBytes optimize_branch_fields(Optimizer *o, size_t index, const WireField *graph);

// --- onnx_optimize_write.c
// The new graph.
void optimize_write(Optimizer *o, const WireField *graph, OptimizedGraph *out);
// A node with each of its bodies as `body` makes it.
typedef void OptimizeBody(Optimizer *o, const Onnx__GraphProto *graph, const WireField *from,
                          OptimizedGraph *out);
WireField optimize_bodies(Optimizer *o, size_t index, OptimizeBody *body);

#endif
