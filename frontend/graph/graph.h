// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graph that every stage after lowering works on. SSA: each value is defined once, by an input or a node; nodes are
// in execution order. Calls of other graphs are inlined, and shapes are resolved.
#ifndef FRONTEND_GRAPH_H
#define FRONTEND_GRAPH_H

#include "frontend/text/ast.h"
#include "frontend/text/diag.h"
#include "runtime/fold.h"
#include "runtime/map.h"

typedef struct Node Node;

// The memory layout of an input, or of the value that stores a result, if it is not plain row-major.
typedef struct Storage {
  // The value that the graph refers to by name: computed from this input, or the operand of this result. NULL: the
  // value itself, with strides.
  struct Value *logical;
  const char *layout;    // its pattern as written, or NULL
  const rsh_num *stride; // of each axis in memory, in elements; NULL: row-major
  rsh_num offset;        // strides: of the first element, relative to the lowest address
  rsh_num span;          // strides: elements from the lowest to the highest address
} Storage;

// A tensor that resides in a source in row-major order.
typedef struct Location {
  int source;     // Value.id of an input, a constant or a kept value
  rsh_num offset; // of its first element, in elements of `dtype`
  rsh_dtype
      dtype; // of its elements in memory; indices may be narrower than the type that they are used as
} Location;

typedef struct Value {
  int id;            // index into Graph.value; also rsh_move.source
  const char *name;  // as written; NULL for an unnamed step
  Span span;         // where it is named or computed
  const char *place; // in a survey: the call whose function computes it; NULL or "": none
  rsh_dtype dtype;
  rsh_shape shape;
  uint32_t align; // alignment of an input's memory, as declared; 0: not declared
  bool is_placed; // an input declared `placed`, at placed_span: its memory is part of a result's
  Span placed_span;
  const Storage *storage; // NULL: row-major; else `shape` describes the memory
  Node *node;             // computes it; NULL for an input
  int result;             // index among the results of the node
  const uint8_t *data;    // of a constant: its elements, little-endian and packed; else NULL
  // The input declared `lod` whose offsets apply to the first axis (of the logical value, if stored otherwise); NULL:
  // none. If the offsets of the first operand were lost, lod_lost is the node that lost them.
  const struct Value *lod;
  const Node *lod_lost;
  // After `a = x`, which gives x a second name: x, or the value that x itself names; else NULL.
  struct Value *original;
  bool
      is_given_away; // to paddle.reshape(..., inplace=True) at given_away_at: no name may read it again
  Span given_away_at;
  bool is_in_place; // the result of such a reshape: it reuses the memory of its operand
  bool is_view;     // declared `view`, at view_span: it must not need a copy
  Span view_span;
  // Set by fold_graph for values that outputs need; NULL before:
  const rsh_moves *moves; // from inputs, kept and staged values
  // A kept value has its own memory while the kernel runs, and is a source like an input: `feed` moves its operand
  // there, then its operator works on the rows in place (rsh_is_rowwise). Operands of a pick (data or indices) may be
  // kept too, without such an operator. Else NULL.
  const rsh_moves *feed;
  // The result of a pick by an index tensor (rsh_takes_indices) is also kept: from these data, by these indices. Else
  // NULL.
  const Location *picked_from, *picked_by;
  bool is_staged;   // further folding would need too many moves: later values read it as a source
  bool is_of_fills; // if staged: no element depends on an input or on memory
  // For some staged values: element i is element table[i] of table_source, an input. Replaces `moves`.
  const uint32_t *table;
  const struct Value *table_source;
} Value;

// The inputs that supply a target that is data, read at run time.
typedef struct TargetData {
  const Value *tensor; // all of it, or NULL
  // For a list: the tensor that each entry is read from, NULL for entries in the text; `at` has the index of its
  // element. `at` is NULL if each tensor has one element.
  const Value *const *entry;
  const int64_t *at;
} TargetData;

static inline int64_t target_at(const TargetData *data, int entry) {
  return data->at ? data->at[entry] : 0;
}

struct Node {
  rsh_call call;  // its shapes, types and lists are in the arena
  Value **in;     // call.in_count
  Value **out;    // call.out_count
  Span span;      // the call as written, shared by all steps of one rearrange
  bool is_layout; // a step between an input or a result and its memory
  bool restates;  // a reshape to the declared sizes of its operand, which only conditions compare
  // By argument, if call.arg is RSH_ARG_TENSOR; NULL if no argument is.
  const TargetData *data;
  // The shape depends on run-time values, so the runtime resolves the node again.
  bool is_undecided;
  const char *missing; // if undecided: a condition for `where` that would help, "S >= 4", or NULL
};

// A size computed from others (runtime/resolve.h). Its numbers belong to Graph.raw.
typedef struct Edge {
  rsh_edge_kind kind;
  rsh_num at, size, least;
  bool may_be_negative; // `at`, as far as is known
} Edge;

static inline bool edge_is_quotient(rsh_edge_kind kind) {
  return kind == RSH_EDGE_FLOOR || kind == RSH_EDGE_CEILING;
}

// A size known only at run time. Polynomials of Graph.symbols are over atoms: atom i is symbol i divided by its
// divisor. A fact may express a symbol without its own atom: with `where N == B*S, C == 64`, the num of N is B*S, the
// num of C is 64, and their atoms are unused.
typedef struct Symbol {
  const char *name; // "B"; NULL for a `?`
  Span span;
  rsh_num num;     // over atoms: with W % 16 == 0 the num of W is 16*w
  int64_t divisor; // 16: the atom w is W / 16; else 1
  // Not NULL: the symbol is not a parameter but the size of this axis of a value, known once that value is resolved.
  // AXIS_RANK: its rank.
  const struct Value *of;
  int axis;
  const char *given; // its name in a model, of which `name` is a valid identifier; or NULL
  bool is_edge;      // not a parameter, but computed from earlier symbols; may be 0
  Edge edge;         // if is_edge: how it is computed
} Symbol;

enum { AXIS_RANK = -1 }; // in place of an axis

// A condition on symbols, checked at entry: left kind right, or left in {choice ...}. Its numbers are polynomials of
// Graph.raw, so it can be checked before any fact is established.
typedef struct Guard {
  ConditionKind kind;
  rsh_status status; // of a call that violates it: bad_dim, guard_failed for `where`, or resolve's
  rsh_num left, right;
  rsh_num remainder_of; // if not 0: the left side is left % remainder_of
  int node;             // GUARD_SIZE, GUARD_WHERE, or the index of the node that needs it
  bool is_rule;         // the node's shape rule checks the same when sizes are known
  bool is_of_declared;  // the declared size of a result, or of a value in `declared` of the graph
  bool is_of_node;      // GUARD_WHERE, of a model's node, which may have several of the same span
  int64_t *choice;      // WHERE_IN
  int choice_count;
  Span span;
} Guard;

// An element count that must fit 64 bits even before later conditions are checked.
typedef struct Counted {
  rsh_shape shape; // over Graph.raw; size i must be divided by divisor[i]
  int64_t divisor[RSH_MAX_RANK];
  int node; // of the value, or GUARD_WHERE: an input, checked after the conditions of the graph
  rsh_shape
      now; // over Graph.symbols, simplified by all facts; of unknown rank if it cannot be expressed
} Counted;

enum {
  GUARD_SIZE = -2, // a size of an input is not negative
  GUARD_WHERE = -1 // a condition of the graph
};

// A fill element: entry k of the table is the source -1 - k of moves.
typedef struct Fill {
  rsh_dtype dtype;
  uint8_t bits[16]; // as in memory; less than a byte: in the low bits of the first
} Fill;

// A table of constants for elementwise functions (rsh_arg.table): the bits of each entry, up to 64.
typedef struct Table {
  rsh_dtype dtype;
  int32_t count;
  const rsh_num *bits;
} Table;

typedef struct Output {
  const char *name;
  Span span;
  Value *value;
  uint32_t align; // alignment of its memory, as declared; 0: not declared
  // The declared shape of `logical`, the value before its layout, if it can be compared only at run time; else NULL.
  // Undeclared sizes are unknown numbers.
  rsh_shape *declared;
  const Value *logical;
  rsh_shape *
      stated; // all sizes as declared, unknown numbers where none is; NULL: the rank is not declared
  bool is_inplace; // declared `inplace`, at inplace_span: it may share the memory of an input
  Span inplace_span;
} Output;

// A declared shape of a value, which the text of the graph declares too: unknown numbers where none is, or the whole
// rank. It is checked before node `node`.
typedef struct Stated {
  const Value *value;
  rsh_shape shape;
  bool is_lost; // a size of it is none of this graph's numbers, so it cannot be written
  int node;
  Span span;
} Stated;

// A faster version for certain values of symbols: the graph lowered and folded again with these bound. It has its own
// copy of the symbols, in the same order. The general graph first checks the conditions of a call.
typedef struct Variant {
  int64_t bound[RSH_MAX_SYMBOLS]; // for each symbol: its value, or VARIANT_ANY
  int64_t least;                  // no size of a tensor, as the call gives them, is below this
  struct Graph *graph;
} Variant;

enum { VARIANT_ANY = -1 };

typedef struct Graph {
  const char *name;
  const char *prefix; // of its functions and macros in C, or NULL
  Span span;          // of the name
  const AstGraph *ast;
  VEC(Value *) value; // all values, by id; the inputs come first
  int input_count;
  VEC(Node *) node;
  Output *output;
  int output_count;
  VEC(Stated) declared; // in checking order
  VEC(Symbol) symbol;
  // In checking order: sizes below 0, `where`, then the conditions of the nodes in order.
  VEC(Guard) guard;
  VEC(Counted) counted; // for values whose counts later conditions simplify
  int known_nodes;      // conditions of this many nodes became facts, which simplify values
  VEC(Variant) variant;
  // If nodes have guards: the graph without them, for the runtime, which resolves every node itself. Else NULL.
  struct Graph *plain;
  VEC(Fill) fill;
  VEC(Table) table;
  rsh_symbols *symbols; // storage of the polynomials, over atoms
  rsh_symbols *raw;     // the same over the symbols themselves, for guards
  rsh_maps maps;        // after fold_graph: the chains that rsh_move.map indexes
} Graph;

typedef struct Module {
  Graph **graph; // graphs of the file itself that were lowered without errors
  int graph_count;
  // Graphs of the file with errors, as far as they were lowered, so that editors show sizes while the user types.
  const Graph **broken; // NULL: they are not kept
  int broken_count;
} Module;

// Sets the prefix of a graph and of its variants.
void graph_set_prefix(Graph *graph, const char *prefix);

// Returns whether its memory has declared strides.
static inline bool value_is_strided(const Value *value) {
  return value->storage && value->storage->stride;
}
// The value that an input or a stored result means to users.
static inline const Value *value_logical(const Value *value) {
  return value->storage && value->storage->logical ? value->storage->logical : value;
}
// The value whose sizes are declared, of one that restates it.
static inline const Value *value_restated(const Value *value) {
  while (value->node && value->node->restates)
    value = value->node->in[0];
  return value;
}
// Returns whether it is a constant: a source of moves whose memory is part of the object.
static inline bool value_is_constant(const Value *value) { return value->data != NULL; }
// Returns whether it has memory while the kernel runs.
static inline bool value_is_kept(const Value *value) { return value->feed || value->picked_from; }
// Returns whether the value is a contiguous run of one source's elements (rsh_moves_is_alias) that begins at an element
// of the source; *offset counts elements of the source's type.
bool graph_is_alias(const Graph *graph, const Value *value, const rsh_moves *moves, int32_t *source,
                    rsh_num *offset);
// Whether moves can read the value from memory: true for inputs, constants and kept values, false for staged values.
static inline bool graph_is_source(const Graph *graph, int id) {
  return id < graph->input_count || value_is_constant(graph->value.item[id]) ||
         value_is_kept(graph->value.item[id]);
}

// The graph for the runtime.
static inline const Graph *graph_of_program(const Graph *graph) {
  return graph->plain ? graph->plain : graph;
}

// The steps of a chain of graph->maps, first to last.
const rsh_step *graph_map_steps(Arena *arena, const Graph *graph, int32_t map, int *count);

// Computes the values of atoms, for rsh_eval, from those of the symbols; each divisor divides its symbol.
void graph_atoms(const Graph *graph, const int64_t *symbol, int64_t *atom);

static inline bool symbol_is_parameter(const Symbol *symbol) {
  return !symbol->of && !symbol->is_edge;
}

// The least value of symbol i in a variant.
static inline int64_t variant_least(const Graph *graph, const Variant *variant, int i) {
  bool is_bound = variant->bound[i] != VARIANT_ANY;
  return is_bound || !symbol_is_parameter(&graph->symbol.item[i]) ? 0 : variant->least;
}

// The product of the nonzero sizes of a shape, which must fit even for an empty tensor. False: unknown.
bool graph_count(rsh_symbols *s, const rsh_shape *shape, rsh_num *out);
// Whether another shape has as many elements, and its nonzero sizes and their product fit whenever those of `shape` do,
// because its sizes are products of distinct sizes of `shape`. False if that cannot be proved. Either rank may be
// unknown.
//
//   [A, 2*B, 3]    covers [3, A*2*B], not [A, B, 2, 3], since 2*A may overflow if B = 0
bool graph_covers(rsh_symbols *s, const rsh_shape *shape, const rsh_shape *other);

// Computes the values of edges from those of the other symbols. False: one overflows.
bool graph_edges(const Graph *graph, int64_t *symbol);
bool graph_has_edges(const Graph *graph);

// The least n such that a number, the numbers of a guard, or a shape depend only on the first n symbols.
int graph_symbols_of(const rsh_symbols *s, rsh_num n);
int guard_symbols(const Graph *graph, const Guard *guard);
int shape_symbols(const Graph *graph, const rsh_shape *shape);

// True if symbol i is its atom times its divisor: no fact expresses it otherwise.
bool graph_has_atom(const Graph *graph, int i);

// True if no size of the graph depends on a symbol.
bool graph_is_static(const Graph *graph);
// True if some size, or a rank, is known only to the runtime.
bool graph_is_dynamic(const Graph *graph);
// True if an index tensor picks elements.
bool graph_picks(const Graph *graph);
// True if a number depends on a size that is not a parameter (Symbol.of, Symbol.is_edge).
bool graph_has_inner(const Graph *graph, rsh_num n);
// The symbols that a set of symbols (bit i: symbol i) is computed from; a symbol that is not computed is its own root.
//   N//2 and B  ->  N and B
uint32_t graph_roots(const Graph *graph, uint32_t symbols);
// True if the symbols of a set are known before any node is resolved. Edges are computed from sizes
// before them.
bool graph_are_at_entry(const Graph *graph, uint32_t symbols);
// True if the rank of an input is open: then all tensors are passed with their shapes.
bool graph_takes_tensors(const Graph *graph);

// Marks all values that the marked ones are computed from.
void graph_mark_operands(const Graph *graph, bool *is_marked);

// The index of a constant in graph->fill; adds it if it is new.
int32_t graph_fill(Arena *arena, Graph *graph, const Fill *fill);
// The same for a table, in graph->table.
uint32_t graph_table(Arena *arena, Graph *graph, const Table *table);
// Copies the constants of a call from graph `from` to `to`, and renumbers them in the call.
void graph_take_constants(Arena *arena, Graph *to, const Graph *from, rsh_call *call);
// An element as written in source: "-1.5", "nan", "true".
const char *literal_text(Arena *arena, const Fill *fill);
// The bits of an element of at most 64 bits, and entry k of a table.
rsh_num fill_word(const Fill *fill);
Fill table_entry(const Table *table, int32_t k);

// An operator's effect on the order of elements, "moves axes"; NULL if it keeps the order.
const char *op_effect(rsh_op op);

// Sizes and numbers as users write them: "[2, 3*B, S+1]", "768*B*S". Arena text.
const char *num_text(Arena *arena, const Graph *graph, rsh_num n);
// For tables: a number of more than NUM_BRIEF characters is abbreviated to the symbols that it depends on, "f(B, H,
// W)", or "f(3 sizes)".
enum { NUM_BRIEF = 60 };
const char *num_brief(Arena *arena, const Graph *graph, rsh_num n);
// As an operand of / or %: "(S+1)".
const char *operand_text(Arena *arena, const Graph *graph, rsh_num n, bool is_right);
const char *shape_text(Arena *arena, const Graph *graph, const rsh_shape *shape);
// Whether a condition makes the quotient of a symbol exact: it is then written with '/', not '//'.
bool quotient_is_exact(const Graph *graph, const Symbol *symbol);
// For sizes whose product overflows 64 bits:
//   "more elements than 64 bits can count, not counting the 0: 4611686018427387904 * 4"
// Sizes of 0 are omitted, since the product of the others must fit too.
const char *overflow_text(Arena *arena, const Graph *graph, const rsh_shape *shape);
// "f32[2, 3]", "f32" for a scalar.
const char *type_text(Arena *arena, const Graph *graph, rsh_dtype dtype, const rsh_shape *shape);
// The same for an input or a stored result, as declared: with its layout and strides.
const char *value_text(Arena *arena, const Graph *graph, const Value *value);
// The same with `type` as its type and sizes, and with `strides`, "[8, 1]", unless NULL.
const char *value_text_as(Arena *arena, const Graph *graph, const Value *value, const char *type,
                          const char *strides);
// The sizes of an input or a result as declared to its users.
const rsh_shape *value_dims(const Value *value);
// The same for a result of a call that has checked it against its declaration.
rsh_shape value_known_dims(const Graph *graph, const Value *value);
// "W % 16 == 0", for a guard of the graph, and for a condition over atoms.
const char *guard_text(Arena *arena, const Graph *graph, const Guard *guard);
const char *condition_text(Arena *arena, const Graph *graph, const Guard *condition);
// Text of the language for a guard of the graph.
const char *guard_source(Arena *arena, const Graph *graph, const Guard *guard);

// Entry i of a data-dependent target, in a tensor of this name: "n", "s[2]".
const char *target_text(Arena *arena, const TargetData *data, int i, const char *name);
// An argument of a call as users write it: "[1, 0]", "f16".
const char *argument_text(Arena *arena, const Graph *graph, const rsh_call *call, int arg);

// graph_text.c: the graph as source text of the language, which parses to the same graph.
void graph_write(const Graph *graph, FILE *out);
// Marks the entries of targets in this text of a graph that are data there: a model's 0 copies, and its -1 is inferred.
void graph_mark_data(Arena *arena, const Graph *graph, const AstGraph *text);
// False: the language cannot express the size at *inexpressible.
bool graph_can_write(Arena *arena, const Graph *graph, Span *inexpressible);
// The first constant, which the language cannot express, or NULL.
const Value *graph_text_constant(const Graph *graph);
// A name as an identifier of the language: "a/b:0" becomes a_b_0.
const char *graph_text_word(Arena *arena, const char *name);

// --dump=graph: one node per line: `%3 y: f32[3, 2] = transpose(%1, perm=[1, 0])`. Stable.
void graph_print(const Graph *graph, FILE *out);
// --dump=moves: the moves of each value, one per line.
void graph_print_moves(const Graph *graph, FILE *out);

#endif
