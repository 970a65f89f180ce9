// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graph: what every stage after lowering works on. SSA: each value is defined once, by an input
// or a node; nodes stand in order of execution. Calls of other graphs are inlined, shapes resolved.
#ifndef FRONTEND_GRAPH_H
#define FRONTEND_GRAPH_H

#include "frontend/text/ast.h"
#include "frontend/text/diag.h"
#include "runtime/fold.h"
#include "runtime/map.h"

typedef struct Node Node;

// How a tensor lies in memory, where that is not its elements in row-major order. Of inputs, and of the
// values that results are stored as.
typedef struct Storage {
  // What the graph calls by the name: made from this input, or what this result is made from.
  // NULL: the value itself, at strides.
  struct Value *logical;
  const char *layout;    // its pattern as written, or NULL
  const rsh_num *stride; // of each axis in memory, in elements; NULL: row-major
  rsh_num offset;        // strides: of the first element, from the one at the lowest address
  rsh_num span;          // strides: elements from the lowest to the highest address
} Storage;

typedef struct Value {
  int id;           // index into Graph.value; also the number that rsh_move.source carries
  const char *name; // as written; NULL for a step without a name
  Span span;        // where it is named or computed
  rsh_dtype dtype;
  rsh_shape shape;
  uint32_t align; // of an input's memory, as declared; 0: not said
  bool is_placed; // an input that has no memory but that of a result, as placed_span says
  Span placed_span;
  const Storage *storage; // NULL: row-major. Else `shape` is that of memory
  Node *node;             // that computes it; NULL for an input
  int result;             // which result of the node it is
  const uint8_t *data;    // of a constant: its elements, little-endian and packed; else NULL
  // The input declared `lod` whose offsets are those of the first axis (of what the value means, where
  // it is stored otherwise); NULL: none. Where the first operand's were lost on the way, at lod_lost.
  const struct Value *lod;
  const Node *lod_lost;
  // `a = x` gives x another name: then x, or what x is another name of; else NULL.
  struct Value *original;
  bool
      is_given_away; // by paddle.reshape(..., inplace=True) at given_away_at: under no name to be read again
  Span given_away_at;
  bool is_in_place; // what such a reshape gives: it lies where its operand was
  bool is_view;     // the zero-copy contract was asked for, at view_span
  Span view_span;
  // After fold_graph, for values that outputs need; NULL before:
  const rsh_moves *moves; // how it comes from inputs, kept and staged values
  // A kept value has memory of its own while the kernel runs, and is a source like an input: `feed` moves its
  // operand there, then its operator works on the rows in place (rsh_is_rowwise). Else NULL.
  const rsh_moves *feed;
  bool is_staged; // folding on would take too many moves: a source of its own for what follows
  // Of some staged values: element i is element table[i] of table_source, an input. Stands in for `moves`.
  const uint32_t *table;
  const struct Value *table_source;
} Value;

// Where a target that is data is read when the program runs: from inputs.
typedef struct TargetData {
  const Value *tensor; // all of it, or NULL
  // Of a list: the tensor that each entry is an element of, NULL for those in the text; and which one, where
  // `at` is not NULL, else its only one.
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
  // By argument, where call.arg is RSH_ARG_TENSOR; NULL: no argument is.
  const TargetData *data;
  // Resolve took for granted what only the program can see: it resolves the node again.
  bool is_undecided;
  const char *missing; // then: what would help after `where`, "S >= 4", or NULL
};

// A size that is worked out from others (runtime/resolve.h). Numbers of Graph.raw.
typedef struct Edge {
  rsh_edge_kind kind;
  rsh_num at, size, least;
  bool may_be_negative; // `at`, as far as is known
} Edge;

static inline bool edge_is_quotient(rsh_edge_kind kind) {
  return kind == RSH_EDGE_FLOOR || kind == RSH_EDGE_CEILING;
}

// A size known only at run time. Polynomials of Graph.symbols are over atoms: atom i is symbol i divided
// by its divisor. A fact may make a symbol a number without its own atom: with `where N == B*S, C == 64`
// the num of N is B*S, that of C is 64, and their atoms stand nowhere.
typedef struct Symbol {
  const char *name; // "B"; NULL for a `?`
  Span span;
  rsh_num num;     // over atoms: with W % 16 == 0 that of W is 16*w
  int64_t divisor; // 16: the atom w is W / 16; else 1
  // Not NULL: no parameter, but the size of this axis of a value, known once that is resolved.
  const struct Value *of;
  int axis;
  bool is_edge; // no parameter, but worked out from the symbols before it, and maybe 0
  Edge edge;    // then
} Symbol;

// A condition that symbols must meet, checked at entry: left kind right, or left in {choice ...}.
// Its numbers are polynomials of Graph.raw, so that it can be asked before any fact is known to hold.
typedef struct Guard {
  ConditionKind kind;
  rsh_status
      status; // of a call that breaks it: bad_dim, guard_failed for `where`, or what resolve would say
  rsh_num left, right;
  rsh_num remainder_of; // not 0: left stands for (left % remainder_of)
  int node;             // what it is for: GUARD_SIZE, GUARD_WHERE, or the node of this index
  bool is_rule;         // the shape rule of that node asks the same when it sees the sizes
  int64_t *choice;      // WHERE_IN
  int choice_count;
  Span span;
} Guard;

// Elements that 64 bits must count when what comes after is not known yet.
typedef struct Counted {
  rsh_shape shape; // over Graph.raw; size i is to be divided by divisor[i]
  int64_t divisor[RSH_MAX_RANK];
  int node; // whose result it is of, or GUARD_WHERE of an input, behind the conditions of the graph
  rsh_num count; // by all that is known; -1: that cannot be said
} Counted;

enum {
  GUARD_SIZE = -2, // a size of an input is not below 0
  GUARD_WHERE = -1 // a condition of the graph
};

// An element that moves fill with: the table's entry k is source -1 - k.
typedef struct Fill {
  rsh_dtype dtype;
  uint8_t bits[16]; // as it stands in memory; of less than a byte the low bits of the first
} Fill;

// Constants that functions of elements meet, an entry each (rsh_arg.table). Bits of elements of up to 64.
typedef struct Table {
  rsh_dtype dtype;
  int32_t count;
  const rsh_num *bits;
} Table;

typedef struct Output {
  const char *name;
  Span span;
  Value *value;
  uint32_t align; // of its memory, as declared; 0: not said
  // What was declared of `logical`, the value before its layout, where only the program can compare it; else
  // NULL. Unknown numbers stand for sizes of which nothing was said.
  const rsh_shape *declared;
  const Value *logical;
  bool is_inplace; // it may lie where an input does, at inplace_span
  Span inplace_span;
} Output;

// A faster way where symbols have certain values: the graph lowered again with these bound, folded. It has symbols
// of its own, the same ones in the same order. What a call has to meet is asked by the graph itself before.
typedef struct Variant {
  int64_t bound[RSH_MAX_SYMBOLS]; // of each symbol: its value, or VARIANT_ANY
  struct Graph *graph;
} Variant;

enum { VARIANT_ANY = -1 };

typedef struct Graph {
  const char *name;
  Span span; // of the name
  const AstGraph *ast;
  VEC(Value *) value; // all of them, by id; the inputs come first
  int input_count;
  VEC(Node *) node;
  Output *output;
  int output_count;
  VEC(Symbol) symbol;
  // In the order in which they are asked: sizes below 0, `where`, then what resolve would say in order
  // of the nodes.
  VEC(Guard) guard;
  VEC(Counted) counted; // of values that conditions after them say more of
  int known_nodes; // conditions of the first so many became known: what values are made of holds behind them
  VEC(Variant) variant;
  // Where conditions were found (guards of nodes): the graph without them, for a program, which resolves
  // every node by itself. Else NULL.
  const struct Graph *plain;
  VEC(Fill) fill;
  VEC(Table) table;
  rsh_symbols *symbols; // storage of the polynomials, over atoms
  rsh_symbols *raw;     // the same over the symbols themselves, for guards
  rsh_maps maps;        // after fold_graph: what the `map` of a move is
} Graph;

typedef struct Module {
  Graph **graph; // those of the file itself that were lowered without an error
  int graph_count;
} Module;

// Whether its elements lie in memory with strides of their own.
static inline bool value_is_strided(const Value *value) {
  return value->storage && value->storage->stride;
}
// A source of moves that is no input: its memory is part of the object.
static inline bool value_is_constant(const Value *value) { return value->data != NULL; }
// Whether the value is a run of one source's elements that begins where one of these does, as rsh_moves_is_alias says, but
// for `offset`: it counts the source's own elements.
bool graph_is_alias(const Graph *graph, const Value *value, const rsh_moves *moves, int32_t *source,
                    rsh_num *offset);
// Whether a value has memory that moves can read from: inputs, constants and kept values do, staged values
// do not.
static inline bool graph_is_source(const Graph *graph, int id) {
  return id < graph->input_count || value_is_constant(graph->value.item[id]) ||
         graph->value.item[id]->feed;
}

// What the runtime is given of a graph.
static inline const Graph *graph_of_program(const Graph *graph) {
  return graph->plain ? graph->plain : graph;
}

// The steps of a chain of graph->maps, first to last.
const rsh_step *graph_map_steps(Arena *arena, const Graph *graph, int32_t map, int *count);

// The values of atoms for rsh_eval, from those of the symbols, whose divisors divide them.
void graph_atoms(const Graph *graph, const int64_t *symbol, int64_t *atom);

static inline bool symbol_is_parameter(const Symbol *symbol) {
  return !symbol->of && !symbol->is_edge;
}

// The number of elements of a shape, sizes of 0 left out, as it must be counted all the same. False: it is not known.
bool graph_count(rsh_symbols *s, const rsh_shape *shape, rsh_num *out);

// Fills in the values of edges, those of the other symbols being there. False: they do not fit.
bool graph_edges(const Graph *graph, int64_t *symbol);
bool graph_has_edges(const Graph *graph);

// A number over these, the numbers of a guard, or a shape are made of the first so many symbols.
int graph_symbols_of(const rsh_symbols *s, rsh_num n);
int guard_symbols(const Graph *graph, const Guard *guard);
int shape_symbols(const Graph *graph, const rsh_shape *shape);

// True when symbol i is its atom times its divisor: no fact says what it is.
bool graph_has_atom(const Graph *graph, int i);

// True when no size of the graph depends on a symbol.
bool graph_is_static(const Graph *graph);
// True when some size, or a rank, is left to the program.
bool graph_is_dynamic(const Graph *graph);
// True when a number has a size in it that is no parameter (Symbol.of, Symbol.is_edge).
bool graph_has_inner(const Graph *graph, rsh_num n);
// True when the rank of an input is: then all tensors are passed with their shapes.
bool graph_takes_tensors(const Graph *graph);

// Number of a constant in graph->fill, where it is put when it is new.
int32_t graph_fill(Arena *arena, Graph *graph, const Fill *fill);
// The same of a table, in graph->table.
uint32_t graph_table(Arena *arena, Graph *graph, const Table *table);
// A call of graph `from` is to stand in `to`: the constants that it names are put there.
void graph_take_constants(Arena *arena, Graph *to, const Graph *from, rsh_call *call);
// An element as it would be written: "-1.5", "nan", "true".
const char *literal_text(Arena *arena, const Fill *fill);
// The bits of an element of up to 64, and entry k of a table.
rsh_num fill_word(const Fill *fill);
Fill table_entry(const Table *table, int32_t k);

// What an operator does to the order of elements, "moves axes"; NULL where it does nothing.
const char *op_effect(rsh_op op);

// Sizes and numbers as users write them: "[2, 3*B, S+1]", "768*B*S". Arena text.
const char *num_text(Arena *arena, const Graph *graph, rsh_num n);
// The same at the left or the right of / and %: "(S+1)".
const char *operand_text(Arena *arena, const Graph *graph, rsh_num n, bool is_right);
const char *shape_text(Arena *arena, const Graph *graph, const rsh_shape *shape);
// Of sizes that multiply over 64 bits: "more elements than 64 bits can count but for the 0: 4611686018427387904 * 4".
// Those of 0 are left out: what the others come to is counted with, too.
const char *overflow_text(Arena *arena, const Graph *graph, const rsh_shape *shape);
// "f32[2, 3]", "f32" for a scalar.
const char *type_text(Arena *arena, const Graph *graph, rsh_dtype dtype, const rsh_shape *shape);
// The same of an input, or of what a result is stored as, as declared: with its layout and strides.
const char *value_text(Arena *arena, const Graph *graph, const Value *value);
// With this for its type and sizes.
const char *value_text_as(Arena *arena, const Graph *graph, const Value *value, const char *type);
// The sizes that an input or a result has for its users.
const rsh_shape *value_dims(const Value *value);
// The same where a call that gives the result has found it to be as declared.
rsh_shape value_known_dims(const Graph *graph, const Value *value);
// "W % 16 == 0", of a guard of the graph, and of a condition over atoms.
const char *guard_text(Arena *arena, const Graph *graph, const Guard *guard);
const char *condition_text(Arena *arena, const Graph *graph, const Guard *condition);

// Entry i of a target that is data, of a tensor of this name: "n", "s[2]".
const char *target_text(Arena *arena, const TargetData *data, int i, const char *name);
// An argument of a call as users write it: "[1, 0]", "f16".
const char *argument_text(Arena *arena, const Graph *graph, const rsh_call *call, int arg);

// graph_text.c: the graph as text of the language, which reads back as the same graph. Its first constant,
// which the language cannot say, or NULL.
void graph_write(const Graph *graph, FILE *out);
// False: at this place the language has no words for a size.
bool graph_can_write(Arena *arena, const Graph *graph, Span *unsayable);
const Value *graph_text_constant(const Graph *graph);
// A name as the language can have it: "a/b:0" is a_b_0.
const char *graph_text_word(Arena *arena, const char *name);

// --dump=graph: one node a line: `%3 y: f32[3, 2] = transpose(%1, perm=[1, 0])`. Stable.
void graph_print(const Graph *graph, FILE *out);
// --dump=moves: for each value with moves, its moves, one a line.
void graph_print_moves(const Graph *graph, FILE *out);

#endif
