// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graph: what every stage after lowering works on. SSA: each value is defined once, by an input
// or a node; nodes are in execution order. Calls of other graphs are inlined, and shapes are resolved.
#ifndef FRONTEND_GRAPH_H
#define FRONTEND_GRAPH_H

#include "frontend/text/ast.h"
#include "frontend/text/diag.h"
#include "runtime/fold.h"
#include "runtime/map.h"

typedef struct Node Node;

// The memory layout of a tensor whose elements are not in plain row-major order: of an input, or of the
// value as which a result is stored.
typedef struct Storage {
  // The value that the graph calls by the name: made from this input, or the one that this result is made
  // from. NULL: the value itself, with strides.
  struct Value *logical;
  const char *layout;    // its pattern as written, or NULL
  const rsh_num *stride; // of each axis in memory, in elements; NULL: row-major
  rsh_num offset;        // strides: of the first element, from the one at the lowest address
  rsh_num span;          // strides: elements from the lowest to the highest address
} Storage;

// A tensor that lies in a source in row-major order.
typedef struct Lying {
  int source;     // Value.id of an input, a constant or a kept value
  rsh_num offset; // of its first element, in elements of `dtype`
  rsh_dtype
      dtype; // of its elements as they lie there: those of indices may be narrower than they are taken to be
} Lying;

typedef struct Value {
  int id;           // index into Graph.value; also the number that rsh_move.source carries
  const char *name; // as written; NULL for a step without a name
  Span span;        // where it is named or computed
  rsh_dtype dtype;
  rsh_shape shape;
  uint32_t align; // of an input's memory, as declared; 0: not declared
  bool is_placed; // an input declared `placed`, at placed_span: its memory is part of a result's
  Span placed_span;
  const Storage *storage; // NULL: row-major. Else `shape` is that of memory
  Node *node;             // computes it; NULL for an input
  int result;             // index among the results of the node
  const uint8_t *data;    // of a constant: its elements, little-endian and packed; else NULL
  // The input declared `lod` whose offsets are those of the first axis (of the logical value, if it is
  // stored otherwise); NULL: none. If those of the first operand were lost, lod_lost is the node that lost them.
  const struct Value *lod;
  const Node *lod_lost;
  // After `a = x`, which gives x another name: x, or the value that x itself names; else NULL.
  struct Value *original;
  bool
      is_given_away; // by paddle.reshape(..., inplace=True) at given_away_at: no name may read it again
  Span given_away_at;
  bool is_in_place; // the result of such a reshape: it reuses the memory of its operand
  bool is_view;     // declared `view`, at view_span: it must not need a copy
  Span view_span;
  // After fold_graph, for values that outputs need; NULL before:
  const rsh_moves *moves; // from inputs, kept and staged values
  // A kept value has memory of its own while the kernel runs, and is a source like an input: `feed` moves its
  // operand there, then its operator works on the rows in place (rsh_is_rowwise). What picks from it, or by it, can have
  // other operators' values kept as well: these are fed as they are. Else NULL.
  const rsh_moves *feed;
  // What a tensor of indices picks (rsh_takes_indices) is kept, too: from these data, by these indices. Else NULL.
  const Lying *picked_from, *picked_by;
  bool is_staged; // folding further would need too many moves: later values read it as a source
  // Of some staged values: element i is element table[i] of table_source, an input. Replaces `moves`.
  const uint32_t *table;
  const struct Value *table_source;
} Value;

// The inputs from which a target that is data is read at run time.
typedef struct TargetData {
  const Value *tensor; // all of it, or NULL
  // Of a list: the tensor that each entry is read from, NULL for entries in the text; `at` has the index of its
  // element, NULL: each tensor has one element.
  const Value *const *entry;
  const int64_t *at;
} TargetData;

static inline int64_t target_at(const TargetData *data, int entry) {
  return data->at ? data->at[entry] : 0;
}

struct Node {
  rsh_call call;  // its shapes, types and lists point into the arena
  Value **in;     // call.in_count
  Value **out;    // call.out_count
  Span span;      // the call as written; all steps of one rearrange share it
  bool is_layout; // a step between an input or a result and its memory
  // By argument, if call.arg is RSH_ARG_TENSOR; NULL: no argument is.
  const TargetData *data;
  // The shape depends on run-time values, so the program resolves the node again.
  bool is_undecided;
  const char *missing; // then: a condition for `where` that would help, "S >= 4", or NULL
};

// A size that is computed from others (runtime/resolve.h). Its numbers are of Graph.raw.
typedef struct Edge {
  rsh_edge_kind kind;
  rsh_num at, size, least;
  bool may_be_negative; // `at`, as far as is known
} Edge;

static inline bool edge_is_quotient(rsh_edge_kind kind) {
  return kind == RSH_EDGE_FLOOR || kind == RSH_EDGE_CEILING;
}

// A size known only at run time. Polynomials of Graph.symbols are over atoms: atom i is symbol i divided
// by its divisor. A fact may express a symbol without its own atom: with `where N == B*S, C == 64` the num
// of N is B*S, that of C is 64, and their atoms appear nowhere.
typedef struct Symbol {
  const char *name; // "B"; NULL for a `?`
  Span span;
  rsh_num num;     // over atoms: with W % 16 == 0 that of W is 16*w
  int64_t divisor; // 16: the atom w is W / 16; else 1
  // Not NULL: not a parameter, but the size of this axis of a value, known once that value is resolved.
  const struct Value *of;
  int axis;
  const char *given; // the name that a model has for it, of which `name` is a word; or NULL
  bool is_edge;      // not a parameter, but computed from earlier symbols; may be 0
  Edge edge;         // then: how
} Symbol;

// A condition on symbols, checked at entry: left kind right, or left in {choice ...}. Its numbers are
// polynomials of Graph.raw, so it can be checked before any fact is known to hold.
typedef struct Guard {
  ConditionKind kind;
  rsh_status
      status; // of a call that breaks it: bad_dim, guard_failed for `where`, or that of resolve
  rsh_num left, right;
  rsh_num remainder_of; // not 0: the left side is left % remainder_of
  int node;             // GUARD_SIZE, GUARD_WHERE, or the index of the node that needs it
  bool is_rule;         // the shape rule of that node checks the same once it sees the sizes
  int64_t *choice;      // WHERE_IN
  int choice_count;
  Span span;
} Guard;

// An element count that must fit 64 bits even before later conditions are known to hold.
typedef struct Counted {
  rsh_shape shape; // over Graph.raw; size i is to be divided by divisor[i]
  int64_t divisor[RSH_MAX_RANK];
  int node; // that gives the value, or GUARD_WHERE: an input, checked after the conditions of the graph
  rsh_num count; // simplified by all facts; -1: unknown
} Counted;

enum {
  GUARD_SIZE = -2, // a size of an input is not below 0
  GUARD_WHERE = -1 // a condition of the graph
};

// A fill element: entry k of the table is source -1 - k of moves.
typedef struct Fill {
  rsh_dtype dtype;
  uint8_t bits[16]; // as it stands in memory; of less than a byte the low bits of the first
} Fill;

// A table of constants for functions of elements (rsh_arg.table): the bits of each entry, up to 64.
typedef struct Table {
  rsh_dtype dtype;
  int32_t count;
  const rsh_num *bits;
} Table;

typedef struct Output {
  const char *name;
  Span span;
  Value *value;
  uint32_t align; // of its memory, as declared; 0: not declared
  // The declared shape of `logical`, the value before its layout, if it can be compared only at run time; else
  // NULL. Unknown numbers stand for sizes that were not declared.
  rsh_shape *declared;
  const Value *logical;
  bool is_inplace; // declared `inplace`, at inplace_span: it may share the memory of an input
  Span inplace_span;
} Output;

// A faster version for certain values of symbols: the graph lowered and folded again with these bound. It has symbols
// of its own, the same ones in the same order. The conditions of a call are checked before, by the graph itself.
typedef struct Variant {
  int64_t bound[RSH_MAX_SYMBOLS]; // of each symbol: its value, or VARIANT_ANY
  struct Graph *graph;
} Variant;

enum { VARIANT_ANY = -1 };

typedef struct Graph {
  const char *name;
  const char *prefix; // of its functions and macros in C; NULL: none
  Span span;          // of the name
  const AstGraph *ast;
  VEC(Value *) value; // all of them, by id; the inputs come first
  int input_count;
  VEC(Node *) node;
  Output *output;
  int output_count;
  VEC(Symbol) symbol;
  // In the order in which they are checked: sizes below 0, `where`, then the conditions of the nodes in order.
  VEC(Guard) guard;
  VEC(Counted) counted; // for values that later conditions tell more about
  int known_nodes;      // conditions of this many nodes became facts: values are simplified by them
  VEC(Variant) variant;
  // If nodes have guards: the graph without them, for a program, which resolves every node itself. Else NULL.
  struct Graph *plain;
  VEC(Fill) fill;
  VEC(Table) table;
  rsh_symbols *symbols; // storage of the polynomials, over atoms
  rsh_symbols *raw;     // the same over the symbols themselves, for guards
  rsh_maps maps;        // after fold_graph: the chains that rsh_move.map numbers
} Graph;

typedef struct Module {
  Graph **graph; // those of the file itself that were lowered without an error
  int graph_count;
  // Those of the file with a mistake, as far as they were lowered: for editors, which show sizes while a text is written.
  const Graph **broken; // NULL: they are not kept
  int broken_count;
} Module;

// Sets the prefix of a graph and of its variants.
void graph_set_prefix(Graph *graph, const char *prefix);

// Whether its memory has declared strides.
static inline bool value_is_strided(const Value *value) {
  return value->storage && value->storage->stride;
}
// Whether it is a constant: a source of moves whose memory is part of the object.
static inline bool value_is_constant(const Value *value) { return value->data != NULL; }
// Whether it has memory while the kernel runs.
static inline bool value_is_kept(const Value *value) { return value->feed || value->picked_from; }
// Whether the value is a run of one source's elements, as rsh_moves_is_alias says, that begins at an element of the
// source; *offset counts elements of the source's own type.
bool graph_is_alias(const Graph *graph, const Value *value, const rsh_moves *moves, int32_t *source,
                    rsh_num *offset);
// Whether moves can read the value from memory: inputs, constants and kept values have memory, staged values
// do not.
static inline bool graph_is_source(const Graph *graph, int id) {
  return id < graph->input_count || value_is_constant(graph->value.item[id]) ||
         value_is_kept(graph->value.item[id]);
}

// The graph as the runtime gets it.
static inline const Graph *graph_of_program(const Graph *graph) {
  return graph->plain ? graph->plain : graph;
}

// The steps of a chain of graph->maps, first to last.
const rsh_step *graph_map_steps(Arena *arena, const Graph *graph, int32_t map, int *count);

// Computes the values of atoms for rsh_eval from those of the symbols, which their divisors divide.
void graph_atoms(const Graph *graph, const int64_t *symbol, int64_t *atom);

static inline bool symbol_is_parameter(const Symbol *symbol) {
  return !symbol->of && !symbol->is_edge;
}

// The product of the sizes of a shape that are not 0, which must fit even for an empty tensor. False: unknown.
bool graph_count(rsh_symbols *s, const rsh_shape *shape, rsh_num *out);

// Computes the values of edges from those of the other symbols. False: one does not fit.
bool graph_edges(const Graph *graph, int64_t *symbol);
bool graph_has_edges(const Graph *graph);

// How many of the first symbols a number, the numbers of a guard, or a shape depend on.
int graph_symbols_of(const rsh_symbols *s, rsh_num n);
int guard_symbols(const Graph *graph, const Guard *guard);
int shape_symbols(const Graph *graph, const rsh_shape *shape);

// True if symbol i is its atom times its divisor: no fact expresses it otherwise.
bool graph_has_atom(const Graph *graph, int i);

// True when no size of the graph depends on a symbol.
bool graph_is_static(const Graph *graph);
// True when some size, or a rank, is known only to the program.
bool graph_is_dynamic(const Graph *graph);
// True when indices that a tensor holds pick elements.
bool graph_picks(const Graph *graph);
// True when a number depends on a size that is no parameter (Symbol.of, Symbol.is_edge).
bool graph_has_inner(const Graph *graph, rsh_num n);
// Whether the symbols of a set, bit i for symbol i, are known before any node is resolved. Edges are made of sizes before them.
bool graph_are_at_entry(const Graph *graph, uint32_t symbols);
// True when the rank of an input is open: then all tensors are passed with their shapes.
bool graph_takes_tensors(const Graph *graph);

// The number of a constant in graph->fill; adds it if it is new.
int32_t graph_fill(Arena *arena, Graph *graph, const Fill *fill);
// The same for a table, in graph->table.
uint32_t graph_table(Arena *arena, Graph *graph, const Table *table);
// Copies the constants of a call from graph `from` to `to`, and renumbers them in the call.
void graph_take_constants(Arena *arena, Graph *to, const Graph *from, rsh_call *call);
// An element as it would be written: "-1.5", "nan", "true".
const char *literal_text(Arena *arena, const Fill *fill);
// The bits of an element of at most 64 bits, and entry k of a table.
rsh_num fill_word(const Fill *fill);
Fill table_entry(const Table *table, int32_t k);

// What an operator does to the order of elements, "moves axes"; NULL if it keeps the order.
const char *op_effect(rsh_op op);

// Sizes and numbers as users write them: "[2, 3*B, S+1]", "768*B*S". Arena text.
const char *num_text(Arena *arena, const Graph *graph, rsh_num n);
// The same for a table: a number of more than NUM_BRIEF characters is "f(B, H, W)", by the
// symbols that it depends on, or "f(3 sizes)".
enum { NUM_BRIEF = 60 };
const char *num_brief(Arena *arena, const Graph *graph, rsh_num n);
// The same as an operand of / or %: "(S+1)".
const char *operand_text(Arena *arena, const Graph *graph, rsh_num n, bool is_right);
const char *shape_text(Arena *arena, const Graph *graph, const rsh_shape *shape);
// For sizes whose product overflows 64 bits: "more elements than 64 bits can count but for the 0: 4611686018427387904 * 4".
// Sizes of 0 are left out, since the product of the others must fit, too.
const char *overflow_text(Arena *arena, const Graph *graph, const rsh_shape *shape);
// "f32[2, 3]", "f32" for a scalar.
const char *type_text(Arena *arena, const Graph *graph, rsh_dtype dtype, const rsh_shape *shape);
// The same for an input or a stored result, as declared: with its layout and strides.
const char *value_text(Arena *arena, const Graph *graph, const Value *value);
// The same with `type` as its type and sizes.
const char *value_text_as(Arena *arena, const Graph *graph, const Value *value, const char *type);
// The sizes that an input or a result has for its users.
const rsh_shape *value_dims(const Value *value);
// The same for a result of a call that has checked it against its declaration.
rsh_shape value_known_dims(const Graph *graph, const Value *value);
// "W % 16 == 0", for a guard of the graph, and for a condition over atoms.
const char *guard_text(Arena *arena, const Graph *graph, const Guard *guard);
const char *condition_text(Arena *arena, const Graph *graph, const Guard *condition);

// Entry i of a target that is data, in a tensor of this name: "n", "s[2]".
const char *target_text(Arena *arena, const TargetData *data, int i, const char *name);
// An argument of a call as users write it: "[1, 0]", "f16".
const char *argument_text(Arena *arena, const Graph *graph, const rsh_call *call, int arg);

// graph_text.c: the graph as text of the language, which reads back as the same graph.
void graph_write(const Graph *graph, FILE *out);
// False: the language cannot express the size at *unsayable.
bool graph_can_write(Arena *arena, const Graph *graph, Span *unsayable);
// The first constant, which the language cannot express, or NULL.
const Value *graph_text_constant(const Graph *graph);
// A name as an identifier of the language: "a/b:0" becomes a_b_0.
const char *graph_text_word(Arena *arena, const char *name);

// --dump=graph: one node a line: `%3 y: f32[3, 2] = transpose(%1, perm=[1, 0])`. Stable.
void graph_print(const Graph *graph, FILE *out);
// --dump=moves: for each value with moves, its moves, one a line.
void graph_print_moves(const Graph *graph, FILE *out);

#endif
