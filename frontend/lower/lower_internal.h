// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the files of lowering share. For lower*.c, and for onnx*.c, which lower models.
//
//   lower.c            modules, graphs, statements, results
//   lower_name.c       messages, names and values
//   lower_dims.c       integer expressions, symbols, types, where
//   lower_guard.c      conditions, and the facts that follow from them
//   lower_expr.c       expressions that are tensors: names, pipes, calls
//   lower_index.c      subscripts
//   lower_hint.c       suggestions for unknown names
//   lower_known.c      passes, until nothing new is found about sizes
//   lower_binding.c    bindings, filled in by hand
//   lower_bind.c       matches the arguments of a call to the operator table
//   lower_value.c      literals that are elements
//   lower_apply.c      a bound call becomes a node: resolve, or a message
//   lower_variants.c   lowers the graph again, with some of its sizes bound to numbers
//   lower_table.c      constants of several elements, brought to one shape before a call is applied
//   lower_target.c     computed targets, as elements of inputs
//   lower_need.c       conditions for what resolve cannot decide
//   lower_count.c      element counts that a call must check before it knows more
//   lower_edge.c       starts and ends of slices that depend on sizes
//   lower_fault.c      messages for what resolve refuses
//   lower_inline.c     calls of graphs
//   lower_lod.c        sequence offsets: which values have them, and what results declare
//   lower_place.c      inplace: values that are given away
//   lower_rearrange.c  calls of rearrange; see lower_pattern.h
#ifndef FRONTEND_LOWER_INTERNAL_H
#define FRONTEND_LOWER_INTERNAL_H

#include "frontend/graph/facts.h"
#include "frontend/lower/lower.h"
#include "frontend/text/hash.h"

#include <stdlib.h>

// The meaning of a name in one graph. Symbols and tensors share one name space.
typedef struct Name {
  const char *text;
  Span span; // where it was introduced
  enum { NAME_SYMBOL, NAME_INPUT, NAME_VALUE } kind;
  rsh_num num;  // SYMBOL
  bool unknown; // SYMBOL: an input's type uses it before it is introduced, which is reported
  Value *value; // INPUT, VALUE; NULL: poisoned, its computation failed
  bool used;
  UT_hash_handle hh;
} Name;

// A graph of the module, as others call it.
typedef struct Callee {
  const char *name;
  const AstGraph *ast;
  enum { CALLEE_BELOW, CALLEE_SELF, CALLEE_FAILED, CALLEE_READY } state;
  const Graph *graph; // READY
  UT_hash_handle hh;
} Callee;

typedef struct OpEntry {
  const char *name;
  rsh_op op;
  Param param[RSH_MAX_ARGS];
  int param_count;
  UT_hash_handle hh;
} OpEntry;

// What all graphs of a module share.
typedef struct Library {
  OpEntry *ops;    // by name
  Callee *callees; // by name
  int nodes;       // in all graphs so far: inlining can multiply them
  bool is_full;    // the limit was reached
  const Graph *broken; // what was lowered last, if it has a mistake; else NULL
  int suggestions; // remaining searches for "did you mean": each walks all names
} Library;

// What is known of the sizes of a graph before it is lowered. If lowering finds a new condition, it adds it here and
// lowers the graph again from the beginning, so that all sizes are made of the same atoms.
typedef struct Known {
  Facts facts;
  VEC(Guard) guard; // raw, in the order in which they were found
  VEC(Guard) asked; // all except those of `where`, over the sizes known before them in the text
  VEC(Counted) counted;
  int kept_inputs, kept_nodes;    // inputs and nodes whose counts are in `counted`
  int64_t bound[RSH_MAX_SYMBOLS]; // of a variant: as Variant.bound
  bool asks_sizes;                // this is the first pass, which ends with the inputs
  bool sizes_are_asked;           // it is over: what is asked of inputs is in `asked`
  bool finds_nothing;             // no conditions and edges other than those in the text
  Edge edge[RSH_MAX_SYMBOLS];     // in the order in which they were found
  int edge_symbol[RSH_MAX_SYMBOLS], edge_count;
  int symbol_count; // largest number of symbols, edges included, in any pass so far
} Known;

// The first error of a call, held back until it is known that no error that comes earlier in
// statuses.def applies.
typedef struct Problem {
  const char *kind; // NULL: nothing is wrong
  bool quiet;       // it follows from an error that was reported
  Span span;
  const char *message;
  const char *note; // or NULL
  Span note_span;
} Problem;

typedef struct Lower { // one graph being lowered
  Arena *arena;
  Diag *diag;
  Library *library;
  Graph *graph;
  Name *names;
  bool is_session; // statements come one by one (session.c): a name may be assigned again
  int wanted; // number of results that the expression should have: split(x) makes as many parts
  bool failed;
  Known *known;
  bool is_undecided;            // a node is, so no later one can become symbolic
  bool has_no_edges;            // sizes that would need edges are left undecided
  bool again;                   // a new fact was found: this pass is discarded
  int stage;                    // Guard.node for conditions found now; 0: the next node
  VEC(struct Layout *) layouts; // of the inputs, until all of them have their values
  VEC(Problem)
  after_where; // inputs that are too large: reported after the conditions
} Lower;

// Results of an expression. count 0: poisoned, and reported.
typedef struct Values {
  Value **item;
  int count;
} Values;

enum { MAX_NODES = 1000000, MAX_RESULTS = 65536 };

// --- lower.c
// The source of a graph: `pass` fills l->graph from the beginning, using what is known so far, and may set
// l->again.
typedef struct Origin {
  void (*pass)(Lower *l, const void *of);
  const void *of;
  bool asks_sizes; // the first pass ends with the inputs, whose sizes may be differences
} Origin;
// The graph and its variants. NULL: reported.
Graph *lower_origin(Arena *arena, Library *library, const Origin *origin, bool has_symbols,
                    Diag *diag);
// Starts a library that has the operators; free it with library_free.
void library_start(Arena *arena, Library *library);
void library_free(Library *library);

// --- lower_known.c
// Lowers a graph, and adds to `known` what is found about its sizes.
void known_start(Arena *arena, Known *known, bool has_symbols); // nothing is known
Graph *lower_known(Arena *arena, Library *library, const Origin *origin, Diag *diag, Known *known);

// Lowers the graphs of a tree. Those that are not imported and have no error become part of the module.
void library_add(Arena *arena, Library *library, const Ast *ast, Module *module, Diag *diag);
void lower_statement(Lower *l, const Statement *statement);

// --- lower_name.c
void lower_error(Lower *l, Span span, const char *kind, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// Sets *p if it is empty. Always returns false, so that a caller can return it.
bool problem_set(Lower *l, Problem *p, Span span, const char *kind, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void problem_note(Lower *l, Problem *p, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void problem_report(Lower *l, const Problem *p);
const char *expr_words(const Expr *e); // "a list"
Name *name_find(const Lower *l, const char *text);
// NULL: the name is taken, which is reported as `redefined`.
Name *name_add(Lower *l, const char *text, Span span);
// The graph's storage for polynomials and unknown numbers; creates it if needed.
rsh_symbols *graph_symbols(Lower *l);
Value *value_new(Lower *l, rsh_dtype dtype, const rsh_shape *shape, Span span);
const char *value_label(Lower *l, const Value *value); // "'x' (f32[2, 3])", or "f32[2, 3]"
void note_operand(Lower *l, Problem *p, const Value *value);
const OpEntry *op_entry(const Lower *l, rsh_op op);
bool symbol_new(Lower *l, const char *text, Span span, rsh_num *out); // false: reported
// For a size that a node gives: that of an axis of its result.
bool symbol_of_axis(Lower *l, const Value *value, int axis, Span span, rsh_num *out);
// Turns the unknown sizes of a value into symbols, so that arguments of later calls can refer to them.
// False: reported, also for an unknown rank.
bool sizes_open(Lower *l, Value *value, Span span);

// --- lower_hint.c
// "; did you mean 'x'?" with a name of `among`, or "".
const char *did_you_mean(Lower *l, const char *name, const char *const *among, int count);
const char *names_hint(Lower *l, const char *name, bool symbols); // among the names of the graph
// For an unknown element type: "; did you mean 'f32'?", or the list of types.
const char *dtype_hint(Lower *l, const char *name);
// For an unknown operator or graph: "; write 'concat(x, y, axis=0)'", or "". `is_method`: it was called as x.NAME(...).
const char *callee_hint(Lower *l, const char *name, bool is_method);

// --- lower_variants.c
void lower_variants(Arena *arena, Library *library, const Origin *origin, const Diag *diag,
                    const Known *known, Graph *graph);

// --- lower_dims.c
bool int_expr(Lower *l, const Expr *e, rsh_num *out, Problem *p);
// The type of an input. False: reported.
bool lower_input_type(Lower *l, const AstType *type, rsh_dtype *dtype, rsh_shape *shape);
// False: reported. Sizes that only the program can compare are left in output->declared.
bool check_result_type(Lower *l, const AstValue *result, const Value *value, Output *output);
// Whether a result has, or may have, the declared rank; whether an axis of it has the declared size.
bool check_result_rank(Lower *l, const Value *value, Output *output, int64_t rank);
bool check_result_size(Lower *l, const Value *value, Output *output, int axis, rsh_num size,
                       Span span);
void lower_where(Lower *l, const AstGraph *ast);
// True if the two are equal, or a condition `where a == b` says so.
bool sizes_agree(const Lower *l, rsh_num a, rsh_num b);

// --- lower_guard.c
typedef enum Verdict { NEVER, ALWAYS, DEPENDS } Verdict;
// Cancels common factors that are above 0 for all sizes: 8*B*S == 6*B*T becomes 4*S == 3*T.
void guard_cancel(const Lower *l, Guard *guard);
Verdict guard_verdict(rsh_symbols *symbols, const Guard *guard);
// A condition that must hold. Adds a guard unless it always holds. False: it can never hold.
bool guard_add(Lower *l, Guard guard);
bool guard_where(Lower *l, Guard guard); // of `where`
// A condition that decides the next node. True: it becomes a fact, and the graph is lowered again. It must be exactly
// that of the resolver. `is_asked_first`: it is checked in any case, before conditions that are found later.
bool guard_need(Lower *l, Guard guard, bool is_asked_first);
// --- lower_count.c
void counts_keep(Lower *l); // keeps the counts of all values so far, before more becomes known
void counts_add(Lower *l);  // adds them to the finished graph

// At the beginning of a graph: applies what is known, and adds the guards that it depends on.
void known_apply(Lower *l);
void known_facts(const Known *known, Facts *facts); // the same for empty facts

// --- lower_need.c
// rsh_resolve. If it leaves something undecided, puts edges into the lists of a slice, or adds the condition of the
// resolver as a guard and lowers the graph again. If neither is possible, *missing is a condition that would help, or
// NULL.
rsh_status need_resolve(Lower *l, rsh_call *call, rsh_shape *out, rsh_fault *fault, Span span,
                        const char **missing);

// --- lower_edge.c
// Puts edges into the lists of a slice or a roll that depends on sizes. False: edges cannot express all of it.
bool edges_of_call(Lower *l, rsh_call *call);
// The edge of these numbers over atoms, or the number that it equals. False: it cannot be an edge.
bool edge_new(Lower *l, Edge p, rsh_num *out);
// a / b rounded down. False: one of them may be negative, or b may be 0, or there is no room for an edge.
bool edge_quotient(Lower *l, rsh_num a, rsh_num b, rsh_num *out);
// Makes an edge of the quotient that a condition implies: of N*M % 2 == 0 the size N*M/2. False: it is no such condition,
// the edge exists already, or there is no room for it.
bool edge_of_multiple(Lower *l, const Guard *raw);
// Adds the fact that such a condition makes its edge an exact quotient: N*M == 2*q. False: there is no edge.
bool edges_divide(const Known *known, Facts *facts, const Guard *raw);
// Adds the facts about all edges, such as that one equals another number.
void edges_know(const Known *known, Facts *facts);
// Adds the symbols of known edges to the graph, once their turn comes.
void edges_add(Lower *l);

// --- lower_expr.c
// The left side of |>.
typedef struct Piped {
  Value *value; // NULL: poisoned
  Span span;
} Piped;

Values lower_values(Lower *l, const Expr *e);
Value *lower_value(Lower *l, const Expr *e); // exactly one; NULL: poisoned
bool is_tensor_expr(const Lower *l, const Expr *e);
// Reports errors inside the arguments of a call that is not made.
void visit_arguments(Lower *l, const Expr *call);

// --- lower_bind.c
// A call with all its arguments, and where each was written.
typedef struct Binding {
  rsh_call call;
  const char *word;       // what the user wrote: "onnx.reshape", "rearrange"
  Span span, callee_span; // the call, its name
  Value **in;
  const Span *in_span; // call.in_count
  struct {
    bool given;
    bool unbound; // given, but invalid: `problem` says why
    Span span;
    const Span *entry;   // the places of a list's entries, or NULL
    const Value *tensor; // a tensor that is (part of) the argument
    TargetData data;     // of a target that is data
  } arg[RSH_MAX_ARGS];
  Problem problem; // the first error of the arguments
  bool poisoned;   // an operand failed: report nothing that follows from it
} Binding;

// `piped` may be NULL.
Values call_operator(Lower *l, const Expr *call, const OpEntry *op, const Piped *piped);
// x + 1, -x: an operator of arithmetic.def.
Values call_arithmetic(Lower *l, const Expr *e);
// A target that is a whole tensor.
const char *data_words(Lower *l, const Binding *b, int arg); // a list that is data, in messages
void binding_data(Lower *l, Binding *b, int arg, const Value *value);

int param_find(const OpEntry *op, const char *name); // -1: there is none of that name
void default_value(Lower *l, Binding *b);            // pad fills with zero by default

// --- lower_place.c
// Another name for a value.
void place_rename(Value *value, Value *original);
// After a call that may work in place: if it does, forbids later reads of its operand.
void place_give_away(Lower *l, const Node *node, Span span);
// Where a value was given away; NULL: it may still be read.
const Span *place_given_away(const Value *value);

// --- lower_binding.c
// Operands are few, or many at once (concat): they are gathered, then set.
typedef struct Operands {
  VEC(Value *) value;
  VEC(Span) span;
} Operands;

Binding *binding_new(Lower *l, rsh_op op, const char *word, Span span);
void binding_operands(Lower *l, Binding *b, Value *const *value, const Span *span, int count);
void binding_operand(Lower *l, Binding *b, Value *value, Span span);
void binding_gathered(Lower *l, Binding *b, const Operands *operands);
void binding_list(Lower *l, Binding *b, int arg, const rsh_num *item, int count);
void binding_int(Lower *l, Binding *b, int arg, int64_t n);
// A list of `rank` 1, an integer of rank 0, or nested lists.
void binding_ranked(Lower *l, Binding *b, int arg, int rank, const rsh_num *item, int count);
// An element of some type, and its text.
void binding_value(Lower *l, Binding *b, int arg, const Fill *fill, const char *text);

// --- lower_value.c
// A literal as an element of this type, and its text. False: the reason is in *p.
bool literal_element(Lower *l, const Expr *e, rsh_dtype dtype, uint8_t bits[16], const char **text,
                     Problem *p);

// --- lower_apply.c
// The results of a call without tables, or whose tables have one shape; or one message.
Values binding_resolve(Lower *l, Binding *b);
Value *apply_identity(Lower *l, Value *value, Span span);
// Counts nodes before they are made. False: the module would have too many, which is reported.
bool nodes_reserve(Lower *l, int count, Span span);
// A node with results of these shapes, appended.
Node *node_new(Lower *l, const rsh_call *call, Value **in, const rsh_shape *shape, Span span);

// --- lower_table.c
enum { MOST_ENTRIES = 1 << 20 };
// An argument with an entry for each index of these sizes.
void binding_table(Lower *l, Binding *b, int arg, const Table *table, const int32_t *dims,
                   int rank);
// load("mean.npy") as an argument: a constant that is read at compile time, from the folder of the source file.
bool is_loaded(const Lower *l, const Expr *e);
void bind_loaded(Lower *l, Binding *b, int arg, const Expr *e);
// The elements of a file of one axis, as bits. NULL: a problem is noted.
rsh_num *loaded_values(Lower *l, Binding *b, int arg, const Expr *e, int *count);
// The results of a call whose tables are brought to one shape, and its operand broadcast to it; or one message.
Values binding_apply(Lower *l, Binding *b);

// --- lower_target.c
// Whether a target can be read from this value at run time.
bool is_readable_target(const Value *value);
// Finds the element of an input that element `place` of a value is. False: it is not known to be one.
bool target_element(const Value **value, int64_t *place);
// Element `place` of a constant as a number, and *value as NULL. False: it is none.
bool target_constant(const Value **value, int64_t place, rsh_num *out);
// The number of an entry that is data.
rsh_num data_entry(Lower *l);
// A whole tensor as a list: as many entries as it has elements, where that is known. One integer stands for the list of
// itself, but not for a target.
void data_whole(Lower *l, rsh_op op, const Value *tensor, rsh_arg *arg, TargetData *data);

// --- lower_fault.c
void fault_problem(Lower *l, const Binding *b, rsh_status status, const rsh_fault *fault,
                   Problem *p);

// --- lower_inline.c
Values call_graph(Lower *l, const Expr *call, const Callee *callee, const Piped *piped);

// --- lower_rearrange.c
Values call_rearrange(Lower *l, const Expr *call, const Piped *piped);

// --- lower_layout.c
// The value of an input as it is in memory. NULL: reported.
Value *layout_input(Lower *l, const AstValue *input, rsh_dtype dtype, const rsh_shape *shape);
// Once all inputs have their values: adds the nodes from memory to the logical values that their names mean.
void layout_names(Lower *l);
// The declared alignment; 0: none, or it is wrong, which is reported.
uint32_t lower_align(Lower *l, const AstType *type, rsh_dtype dtype);
// The value as which a result is stored. NULL: reported.
Value *layout_result(Lower *l, const AstValue *result, Value *value);

// --- lower_lod.c
// Passes the offsets of a node's first operand on to a result, if they still apply.
void lod_pass_on(Lower *l, const Node *node, Value *out);
// Applies the declaration of an input to the values of its memory and of its name. False: reported.
bool lod_declare(Lower *l, const AstValue *input, Value *stored);
// Checks a result against its declaration. False: reported.
bool lod_check_result(Lower *l, const AstValue *result, const Value *value);

// --- lower_index.c
Values lower_index(Lower *l, const Expr *e);

#endif
