// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the files of lowering: lower*.c, and onnx*.c, which lower models.
//
//   lower.c            modules, graphs, statements, results
//   lower_name.c       messages, names and values
//   lower_dims.c       integer expressions, symbols, types, where
//   lower_guard.c      conditions, and the facts that follow from them
//   lower_expr.c       expressions that are tensors: names, pipes, calls
//   lower_index.c      subscripts
//   lower_hint.c       suggestions for unknown names
//   lower_known.c      passes, until no new facts about sizes are found
//   lower_binding.c    fills in bindings by hand
//   lower_bind.c       matches the arguments of a call to the operator table
//   lower_value.c      literals that are elements
//   lower_apply.c      turns a bound call into a node: resolve, or a message
//   lower_variants.c   lowers the graph again, with some of its sizes bound to numbers
//   lower_table.c      constants of several elements, broadcast to one shape before a call is applied
//   lower_target.c     computed targets, as elements of inputs
//   lower_need.c       conditions for calls that resolve cannot decide
//   lower_count.c      element counts that a call must check before later conditions are known
//   lower_edge.c       starts and ends of slices that depend on sizes
//   lower_fault.c      messages for calls that resolve rejects
//   lower_inline.c     calls of graphs
//   lower_lod.c        sequence offsets: which values have them, and which results declare them
//   lower_place.c      inplace: values that are given away
//   lower_rearrange.c  calls of rearrange; see lower_pattern.h
#ifndef FRONTEND_LOWER_INTERNAL_H
#define FRONTEND_LOWER_INTERNAL_H

#include "frontend/graph/facts.h"
#include "frontend/lower/lower.h"
#include "frontend/text/hash.h"

#include <stdlib.h>

// The meaning of a name in one graph. Symbols and tensors share a namespace.
typedef struct Name {
  const char *text;
  Span span; // where it was introduced
  enum { NAME_SYMBOL, NAME_INPUT, NAME_VALUE } kind;
  rsh_num num;  // SYMBOL
  bool unknown; // SYMBOL: used by an input's type before it is introduced, which is reported
  Value *value; // INPUT, VALUE; NULL: poisoned, its computation failed
  bool used;
  UT_hash_handle hh;
} Name;

// A graph of the module, as a call target.
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

// Shared by all graphs of a module.
typedef struct Library {
  OpEntry *ops;        // by name
  Callee *callees;     // by name
  int nodes;           // in all graphs so far: inlining can multiply them
  bool is_full;        // the limit was reached
  const Graph *broken; // the last graph that was lowered, if it has an error; else NULL
  int suggestions;     // remaining searches for "did you mean": each scans all names
} Library;

// What is known about the sizes of a graph before it is lowered. If lowering finds a new condition, it adds it here and
// lowers the graph again from the beginning, so that all sizes use the same atoms.
typedef struct Known {
  Facts facts;
  VEC(Guard) guard;    // over symbols, in the order of discovery
  VEC(Guard) required; // all except `where`, over the sizes known before them in the text
  VEC(Counted) counted;
  int kept_inputs, kept_nodes;    // inputs and nodes whose counts are in `counted`
  int64_t bound[RSH_MAX_SYMBOLS]; // for a variant: as Variant.bound
  bool checks_sizes;              // this is the first pass, which ends after the inputs
  bool sizes_are_checked;         // that pass is over: the conditions on inputs are in `required`
  bool finds_nothing;             // only the conditions and edges in the text are allowed
  Edge edge[RSH_MAX_SYMBOLS];     // in the order of discovery
  int edge_symbol[RSH_MAX_SYMBOLS], edge_count;
  int symbol_count; // largest number of symbols, edges included, in any pass so far
} Known;

// The first error of a call, held back until no error that precedes it in statuses.def applies.
typedef struct Problem {
  const char *kind; // NULL: no problem
  bool quiet;       // it follows from an error already reported
  bool is_new;      // the last one to be set, so that a note is about it
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
  bool is_session; // statements arrive one at a time (session.c): a name may be reassigned
  int wanted; // number of results that the expression should have: split(x) makes that many parts
  bool failed;
  bool has_conditions;   // the operator at hand has stated its conditions, even if it fails now
  bool lacks_conditions; // of an operator that failed, or reads the result of one
  Known *known;
  bool is_undecided; // some node is, so no later one can become symbolic
  bool has_no_edges; // sizes that would need edges are left undecided
  bool is_survey;    // of a model: its facts hold for all chains, which do not check them
  bool again;        // a new fact was found: this pass is discarded
  int stage;         // Guard.node for conditions found now; 0: the next node
  VEC(struct Layout *) layouts; // of the inputs, until all inputs have their values
  VEC(Problem)
  after_where; // inputs that are too large: reported after the conditions
} Lower;

// Results of an expression. count 0: poisoned, already reported.
typedef struct Values {
  Value **item;
  int count;
} Values;

enum { MAX_NODES = 1000000, MAX_RESULTS = 65536 };
enum { ENTRIES_SHOWN = 20 }; // of a list, in messages

// A declared type, of a result or a value.
typedef struct Declaration {
  const char *role; // "result"
  const char *name;
  const AstType *type;
} Declaration;

// The condition on an axis, or on the rank, by which a declared shape never agrees.
typedef struct Never {
  bool is_found;
  int axis;
  Guard guard;
} Never;

// --- lower.c
// The origin of a graph: `pass` fills l->graph from the beginning, using what is known so far, and may set l->again.
typedef struct Origin {
  void (*pass)(Lower *l, const void *of);
  const void *of;
  bool checks_sizes; // the first pass ends after the inputs, whose sizes may be differences
} Origin;
// The graph and its variants. NULL: an error was reported.
Graph *lower_origin(Arena *arena, Library *library, const Origin *origin, bool has_symbols,
                    Diag *diag);
// Creates a library with the operators; free it with library_free.
void library_start(Arena *arena, Library *library);
void library_free(Library *library);

// --- lower_known.c
// Lowers a graph, and adds new facts about its sizes to `known`.
void known_start(Arena *arena, Known *known, bool has_symbols); // nothing is known
Graph *lower_known(Arena *arena, Library *library, const Origin *origin, Diag *diag, Known *known);

// Lowers the graphs of a tree. Those that are not imported and have no error are added to the module.
void library_add(Arena *arena, Library *library, const Ast *ast, Module *module, Diag *diag);
void lower_statement(Lower *l, const Statement *statement);

// --- lower_name.c
void lower_error(Lower *l, Span span, const char *kind, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// Sets *p if it is empty. Always returns false, so that callers can return it.
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
static inline const char *size_label(const Lower *l, rsh_num n) { // "2*H + 1"
  return num_text(l->arena, l->graph, n);
}
void note_operand(Lower *l, Problem *p, const Value *value);
// The indices of an axis of this size: "; allowed: -3 to 2"; "" if it has none, or its size is open.
const char *indices_allowed(Lower *l, rsh_num size);
const OpEntry *op_entry(const Lower *l, rsh_op op);
bool symbol_new(Lower *l, const char *text, Span span, rsh_num *out); // false: reported
// For a size that a node determines: that of an axis of its result.
bool symbol_of_axis(Lower *l, const Value *value, int axis, Span span, rsh_num *out);
// The size of an axis of a value, or its rank (AXIS_RANK): as a symbol if only the call knows it. An axis that the
// value lacks has size 0. False: reported.
bool size_of_axis(Lower *l, Value *value, int axis, Span span, rsh_num *out);
// Turns the unknown sizes of a value into symbols, so that arguments of later calls can refer to them. False: an error
// was reported, also for an unknown rank.
bool sizes_open(Lower *l, Value *value, Span span);

// --- lower_hint.c
// "; did you mean 'x'?" with a name from `among`, or "".
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
// The type of an input. False: an error was reported.
bool lower_input_type(Lower *l, const AstType *type, rsh_dtype *dtype, rsh_shape *shape);
// False: an error was reported. Sizes that only the program can compare are left in output->declared.
bool check_result_type(Lower *l, const AstValue *result, const Value *value, Output *output);
// The same for a value that a statement names: the graph compares the sizes that only the program knows. Returns the
// value with its declared sizes; NULL: an error was reported.
Value *check_value_type(Lower *l, const struct StatementTarget *target, Value *value);
// t: f32[?, 3] = reshape(x, s) is reshape(t, [0, 3]) for what follows: the conditions hold, so no size changes, but
// rank and sizes are known. NULL: an error was reported.
Value *value_as_declared(Lower *l, Value *value, const rsh_shape *declared, Span span);
// Compares the rank and the sizes of a value with declared ones, which may be unknown numbers. False: an error was
// reported, or a condition never holds.
bool compare_declared(Lower *l, Value *value, const rsh_shape *declared, Span span, Never *never);
// Keeps a declaration for the text of the graph, if it may contradict the value.
void declare_value(Lower *l, const Value *value, const rsh_shape *declared, bool is_lost,
                   Span span);
// Returns whether a result has, or may have, the declared rank; the declared size on an axis.
bool check_result_rank(Lower *l, const Value *value, Output *output, int64_t rank);
bool check_result_size(Lower *l, const Value *value, Output *output, int axis, rsh_num size,
                       Span span);
void lower_where(Lower *l, const AstGraph *ast);
// True if the two are equal, or a condition `where a == b` says so.
bool sizes_agree(const Lower *l, rsh_num a, rsh_num b);

// --- lower_guard.c
typedef enum Verdict { NEVER, ALWAYS, DEPENDS } Verdict;
// Cancels common factors that are positive for all sizes: 8*B*S == 6*B*T becomes 4*S == 3*T.
void guard_cancel(const Lower *l, Guard *guard);
Verdict guard_verdict(rsh_symbols *symbols, const Guard *guard);
// Adds a condition as a guard, unless it is always true. False: it is never true.
bool guard_add(Lower *l, Guard guard);
bool guard_where(Lower *l, Guard guard); // of `where`
// Sizes that have to be equal; if that depends on symbols, a guard checks it. False: they never are.
bool sizes_must_agree(Lower *l, rsh_num a, rsh_num b, rsh_status status, Span span);
bool guard_agree(Lower *l, Guard guard); // the same, of a condition left == right
// A condition that decides the next node. True: it becomes a fact, and the graph is lowered again. It must be exactly
// that of the resolver. `is_checked_first`: it is checked in any case, before conditions found later.
bool guard_need(Lower *l, Guard guard, bool is_checked_first);
// --- lower_count.c
void counts_keep(Lower *l); // records the counts of all values so far, before more becomes known
void counts_add(Lower *l);  // adds them to the finished graph

// Called at the start of a graph: applies what is known, and adds the guards that it depends on.
void known_apply(Lower *l);
void known_facts(const Known *known, Facts *facts); // the same for empty facts

// --- lower_need.c
// rsh_resolve. If it leaves something undecided, puts edges into the lists of a slice, or adds the resolver's condition
// as a guard and lowers the graph again. If neither is possible, *missing is a condition that would help, or NULL.
rsh_status need_resolve(Lower *l, rsh_call *call, rsh_shape *out, rsh_fault *fault, Span span,
                        const char **missing);

// --- lower_edge.c
// Puts edges into the lists of a slice or a roll that depends on sizes. False: edges cannot express all of it.
bool edges_of_call(Lower *l, rsh_call *call);
// Makes quotients known by which a size is split into windows that it was padded to, or cropped from:
//   H of [(H+3)//4, 4] rows     H//4 windows, and H - 4*(H//4) rows
void edges_of_parts(Lower *l, const rsh_call *call, Value *const *operand, const rsh_shape *out);
// Makes the number of whole bytes known if an operator packs elements, or unpacks them:
//   u4[H, W] to u8     H*W//2
void edge_of_bytes(Lower *l, const rsh_call *call, const rsh_shape *out);
// The symbols that an edge over symbols is made of, as bits.
uint32_t edge_symbols(const rsh_symbols *raw, const Edge *edge);
// The edge of these numbers over atoms, or the number that it equals. False: it cannot be an edge; *out is unchanged.
bool edge_new(Lower *l, Edge p, rsh_num *out);
// a / b rounded down. False: one of them may be negative, b may be 0, or there is no room for an edge.
bool edge_quotient(Lower *l, rsh_num a, rsh_num b, rsh_num *out);
// The same, of a that may be negative. False: b may be below 1, or there is no room for edges.
bool edge_quotient_signed(Lower *l, rsh_num a, rsh_num b, rsh_num *out);
// A number as the difference of two that are not negative: H-2*B-3 is H less 2*B+3.
bool edge_split_signs(rsh_symbols *s, rsh_num n, rsh_num *above, rsh_num *below);
// Whether every broadcast of the two has size `of`: n is min(of, c) for a number c above 0, or either(of, T), whose T
// would have to be 0 or 1 next to `of` of 0.
bool edge_fits_only(const Lower *l, rsh_num n, rsh_num of);
// Whether the two must be equal to be broadcast: n is min(of, c) for a number c above 1, which is 1 only if `of` is.
bool edge_must_equal(const Lower *l, rsh_num n, rsh_num of);
// Whether n is min(above, 1), where `above` is a difference, or 0 if that is negative.
bool edge_is_positive(const Lower *l, rsh_num n, rsh_num *above, rsh_num *difference);
// Makes an edge of the quotient that a condition implies: N*M % 2 == 0 gives the size N*M/2. False: the condition
// implies none, the edge exists, or there is no room for it.
bool edge_of_multiple(Lower *l, const Guard *raw);
// Adds the fact that such a condition makes its edge an exact quotient: N*M == 2*q. False: there is no edge.
bool edges_divide(const Known *known, Facts *facts, const Guard *raw);
// Adds the facts about all edges, such as that one equals another number.
void edges_know(const Known *known, Facts *facts);
// Adds the symbols of known edges to the graph, each when its index is reached.
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
// Reports errors inside the arguments of a call that is not applied.
void visit_arguments(Lower *l, const Expr *call);

// --- lower_bind.c
// A call with all its arguments and their source positions.
typedef struct Binding {
  rsh_call call;
  const char *word;       // what the user wrote: "onnx.reshape", "rearrange"
  Span span, callee_span; // the call, its name
  Value **in;
  const Span *in_span; // call.in_count
  struct {
    bool given;
    bool unbound;     // given, but invalid: `problem` says why
    const char *name; // in messages, if a model has another name for it than the language
    Span span;
    const Span *entry;   // the spans of a list's entries, or NULL
    const Value *tensor; // a tensor that is (part of) the argument
    TargetData data;     // of a target that is data
  } arg[RSH_MAX_ARGS];
  Problem problem;    // the first error of the arguments
  bool poisoned;      // an operand failed: do not report consequences
  bool for_constants; // an expand of a tensor to the sizes of the constants in `x - [1, 2]`
} Binding;

// `piped` may be NULL.
Values call_operator(Lower *l, const Expr *call, const OpEntry *op, const Piped *piped);
// x + 1, -x: an operator of arithmetic.def.
Values call_arithmetic(Lower *l, const Expr *e);
// Targets that are whole tensors.
const char *data_words(Lower *l, const Binding *b, int arg); // a list that is data, in messages
// The target that splits the last axis into elements that a bitcast joins: "[0, -1, 2]" of u4[N, K] to u8.
const char *split_words(Arena *arena, const rsh_shape *operand, rsh_dtype from, rsh_dtype to);
void binding_data(Lower *l, Binding *b, int arg, const Value *value);

int param_find(const OpEntry *op, const char *name); // -1: no parameter has that name
void default_value(Lower *l, Binding *b);            // pad fills with zero by default

// --- lower_place.c
// Gives a value another name.
void place_rename(Value *value, Value *original);
// After a call that may work in place: if it does, forbids later reads of its operand.
void place_give_away(Lower *l, const Node *node, Span span);
// Where a value was given away; NULL: it may still be read.
const Span *place_given_away(const Value *value);

// --- lower_binding.c
// Operands are few, or many at once (concat): they are collected, then set.
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
// The operand, or its elements in row-major order if the call looks them up in memory that has strides.
Value *apply_row_major(Lower *l, const rsh_call *pick, Value *operand, Span span);
// Counts nodes before they are made. False: the module would have too many, which is reported.
bool nodes_reserve(Lower *l, int count, Span span);
// Appends a node with results of these shapes.
Node *node_new(Lower *l, const rsh_call *call, Value **in, const rsh_shape *shape, Span span);

// --- lower_table.c
enum { MOST_ENTRIES = 1 << 20 };
// Sets an argument with one entry for each index of these sizes.
void binding_table(Lower *l, Binding *b, int arg, const Table *table, const int32_t *dims,
                   int rank);
// load("mean.npy") as an argument: a constant read at compile time, from the folder of the source file.
bool is_loaded(const Lower *l, const Expr *e);
void bind_loaded(Lower *l, Binding *b, int arg, const Expr *e);
// The elements of a file with one axis, as bits. NULL: a problem is noted.
rsh_num *loaded_values(Lower *l, Binding *b, int arg, const Expr *e, int *count);
// The results of a call whose tables are broadcast to one shape, and its operand to it; or one message.
Values binding_apply(Lower *l, Binding *b);

// --- lower_target.c
// Returns whether a target can be read from this value at run time.
bool is_readable_target(const Value *value);
// Replaces element `place` of a value by the element of an input that it equals. False: none is known.
bool target_element(const Value **value, int64_t *place);
// Element `place` of a constant as a number, with *value set to NULL. False: it is not a constant.
bool target_constant(const Value **value, int64_t place, rsh_num *out);
// A number for an entry that is data.
rsh_num data_entry(Lower *l);
// A whole tensor as a list, with as many entries as it has elements, if known. A single integer is also a list of
// itself, except in a target.
void data_whole(Lower *l, rsh_op op, const Value *tensor, rsh_arg *arg, TargetData *data);

// --- lower_fault.c
void fault_problem(Lower *l, const Binding *b, rsh_status status, const rsh_fault *fault,
                   Problem *p);

// --- lower_inline.c
Values call_graph(Lower *l, const Expr *call, const Callee *callee, const Piped *piped);

// --- lower_rearrange.c
Values call_rearrange(Lower *l, const Expr *call, const Piped *piped);

// --- lower_layout.c
// The value of an input as stored in memory. NULL: an error was reported.
Value *layout_input(Lower *l, const AstValue *input, rsh_dtype dtype, const rsh_shape *shape);
// After all inputs have their values: adds the nodes from memory to the logical values that their names mean.
void layout_names(Lower *l);
// The declared alignment; 0: none, or an invalid one, which is reported.
uint32_t lower_align(Lower *l, const AstType *type, rsh_dtype dtype);
// The value that stores a result. NULL: an error was reported.
Value *layout_result(Lower *l, const AstValue *result, Value *value);

// --- lower_lod.c
// Passes the offsets of a node's first operand to a result, if they still apply.
void lod_pass_on(Lower *l, const Node *node, Value *out);
// Applies the declaration of an input to the values of its memory and of its name. False: an error was reported.
bool lod_declare(Lower *l, const AstValue *input, Value *stored);
// Checks a result or a value against its declaration. False: an error was reported.
bool lod_check(Lower *l, const Declaration *d, const Value *value);

// --- lower_index.c
Values lower_index(Lower *l, const Expr *e);

#endif
