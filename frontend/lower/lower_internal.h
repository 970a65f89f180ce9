// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rooms of lowering share. For lower*.c, and for onnx*.c, which lower models.
//
//   lower.c            modules, graphs, statements, results, names
//   lower_dims.c       integer expressions, symbols, types, where
//   lower_guard.c      conditions: what they say, and what becomes known by them
//   lower_expr.c       expressions that are tensors: names, pipes, calls
//   lower_index.c      subscripts
//   lower_hint.c       what to write instead of a name that is not known
//   lower_bind.c       arguments of a call against the operator table
//   lower_value.c      literals that are elements
//   lower_apply.c      a bound call becomes a node: resolve, or a message
//   lower_variants.c   the graph again, with some of its sizes bound to numbers
//   lower_table.c      constants of several elements
//   lower_target.c     computed targets, as elements of inputs
//   lower_need.c       what resolve cannot decide: the condition that decides it
//   lower_count.c      elements that a call must be able to count, before it knows more
//   lower_edge.c       where slices begin and end that sizes decide
//   lower_fault.c      what resolve refused, in words
//   lower_inline.c     calls of graphs
//   lower_lod.c        sequence offsets: which values have them, and what is promised
//   lower_place.c      inplace: values that are given away
//   lower_rearrange.c  calls of rearrange; lower_pattern.h has its rooms
#ifndef FRONTEND_LOWER_INTERNAL_H
#define FRONTEND_LOWER_INTERNAL_H

#include "frontend/graph/facts.h"
#include "frontend/lower/lower.h"
#include "frontend/text/hash.h"

#include <stdlib.h>

// What a name of one graph stands for. Symbols and tensors share their names' space.
typedef struct Name {
  const char *text;
  Span span; // where it was introduced
  enum { NAME_SYMBOL, NAME_INPUT, NAME_VALUE } kind;
  rsh_num num;  // SYMBOL
  bool unknown; // SYMBOL: an input's type names it without its being introduced, which is reported
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

typedef enum ParamKind {
  PARAM_INT,
  PARAM_BOOL,
  PARAM_TEXT,
  PARAM_DTYPE,
  PARAM_INTS,
  PARAM_TARGET,
  PARAM_NAME,
  PARAM_INDICES,
  PARAM_VALUE,
  PARAM_VALUES
} ParamKind;

// One entry of the arguments column of ops.def, taken apart.
typedef struct Param {
  const char *name, *other; // second spelling, or NULL
  ParamKind kind;
  bool required;
} Param;

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
  int nodes;       // made so far, of all graphs: inlining can multiply them
  bool is_full;    // there were too many
  int suggestions; // "did you mean" that may still be looked for: each walks all names
} Library;

// What is known of the sizes of a graph before it is lowered. A condition that is met on the way is added,
// and the graph lowered again from its beginning, so that all of its sizes are made of the same atoms.
typedef struct Known {
  Facts facts;
  VEC(Guard) guard; // raw, in the order in which they were met
  VEC(Guard) asked; // all but those of `where`: in the words of what comes before them in the text
  VEC(Counted) counted;
  int kept_inputs, kept_nodes;    // whose results are in it, as far as they have to be
  int64_t bound[RSH_MAX_SYMBOLS]; // of a variant: as Variant.bound
  bool asks_sizes;                // the first pass, if it ends with the inputs
  bool finds_nothing;             // no conditions and edges beside those that are written
  Edge edge[RSH_MAX_SYMBOLS];     // in the order in which they were met
  int edge_symbol[RSH_MAX_SYMBOLS], edge_count;
  int symbol_count; // of the graph, edges among them, as far as it has been lowered at any time
} Known;

// The first thing wrong with a call, held back until it is known that nothing before it in
// statuses.def is wrong as well.
typedef struct Problem {
  const char *kind; // NULL: nothing is wrong
  bool quiet;       // it follows from what was reported
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
  bool is_session; // of statements that come one by one (session.c): a name may be given again
  int wanted; // results that the expression being lowered should have: split(x) makes as many parts
  bool failed;
  Known *known;
  bool is_undecided; // some node is, so that nothing more can be made symbolic
  bool has_no_edges; // what cannot be seen now is left undecided
  bool again;        // something new is known: what is lowered here is thrown away
  int stage;         // Guard.node of conditions that are met now; 0: the node that comes next
  VEC(struct Layout *) layouts; // of the inputs, until all of them have their values
  VEC(Problem)
  after_where; // inputs that are too large: a call finds them so once its conditions hold
} Lower;

// Results of an expression. count 0: poisoned, and reported.
typedef struct Values {
  Value **item;
  int count;
} Values;

enum { MAX_NODES = 1000000, MAX_RESULTS = 65536 };

// --- lower.c
// What a graph is lowered from: `pass` fills l->graph from the beginning, with what is known so far, and
// may set l->again.
typedef struct Origin {
  void (*pass)(Lower *l, const void *of);
  const void *of;
  bool asks_sizes; // the first pass ends with the inputs, whose sizes may be differences
} Origin;
// The graph and its variants. NULL: reported.
Graph *lower_origin(Arena *arena, Library *library, const Origin *origin, bool has_symbols,
                    Diag *diag);
// A new library with the operators; freed with library_free.
void library_start(Arena *arena, Library *library);
void library_free(Library *library);

// The graph with what is known of its sizes, which grows.
void known_start(Arena *arena, Known *known, bool has_symbols); // what nothing is known of
Graph *lower_known(Arena *arena, Library *library, const Origin *origin, Diag *diag, Known *known);

// Lowers the graphs of a tree; those of it that are not imported and have no error become part of the module.
void library_add(Arena *arena, Library *library, const Ast *ast, Module *module, Diag *diag);
void lower_statement(Lower *l, const Statement *statement);

// --- lower_name.c
void lower_error(Lower *l, Span span, const char *kind, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// Sets *p when it is empty. Always false, so that a caller can return it.
bool problem_set(Lower *l, Problem *p, Span span, const char *kind, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void problem_note(Lower *l, Problem *p, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void problem_report(Lower *l, const Problem *p);
Name *name_find(const Lower *l, const char *text);
// Reports `redefined` and gives NULL when the name is taken.
Name *name_add(Lower *l, const char *text, Span span);
// The graph's storage of polynomials and unknown numbers, which is there after.
rsh_symbols *graph_symbols(Lower *l);
Value *value_new(Lower *l, rsh_dtype dtype, const rsh_shape *shape, Span span);
const char *value_label(Lower *l, const Value *value); // "'x' (f32[2, 3])", or "f32[2, 3]"
void note_operand(Lower *l, Problem *p, const Value *value);
const OpEntry *op_entry(const Lower *l, rsh_op op);
bool symbol_new(Lower *l, const char *text, Span span, rsh_num *out); // false: reported
// Makes symbols of the unknown sizes of a value, so that the arguments of later calls can be put in terms
// of them. False: reported, as is an unknown rank.
bool sizes_open(Lower *l, Value *value, Span span);

// --- lower_hint.c
// "; did you mean 'x'?", or "". `among` has what could be meant.
const char *did_you_mean(Lower *l, const char *name, const char *const *among, int count);
const char *names_hint(Lower *l, const char *name, bool symbols); // among the names of the graph
// What else an element type could be called: "; did you mean 'f32'?", or what there is.
const char *dtype_hint(Lower *l, const char *name);
// Of an operator or graph: "; write 'concat(x, y, axis=0)'", or ""; `is_method`: it was called as x.NAME(...).
const char *callee_hint(Lower *l, const char *name, bool is_method);

// --- lower_variants.c
void lower_variants(Arena *arena, Library *library, const Origin *origin, const Diag *diag,
                    const Known *known, Graph *graph);

// --- lower_dims.c
bool int_expr(Lower *l, const Expr *e, rsh_num *out, Problem *p);
void lower_input_type(Lower *l, const AstValue *input);
// False: reported. What only the program can compare is left in output->declared.
bool check_result_type(Lower *l, const AstValue *result, const Value *value, Output *output);
void lower_where(Lower *l, const AstGraph *ast);
// True when the two are equal, or the graph says so with `where a == b`.
bool sizes_agree(const Lower *l, rsh_num a, rsh_num b);

// --- lower_guard.c
typedef enum Verdict { NEVER, ALWAYS, DEPENDS } Verdict;
// Takes out what divides both sides and is above 0 for all sizes: 8*B*S == 6*B*T is 4*S == 3*T.
void guard_cancel(const Lower *l, Guard *guard);
Verdict guard_verdict(rsh_symbols *symbols, const Guard *guard);
// A condition that must hold: false when it never can, and a guard unless it always does.
bool guard_add(Lower *l, Guard guard);
bool guard_where(Lower *l, Guard guard); // of `where`
// A condition without which the next node cannot be decided: true when it becomes a fact, and so all
// is lowered again. It has to be exactly that of the resolver.
// `is_asked_first`: it is asked in any case, and before those that are met after it.
bool guard_need(Lower *l, Guard guard, bool is_asked_first);
// --- lower_count.c
void counts_keep(Lower *l); // of all values so far, before more becomes known
void counts_add(Lower *l);  // to the graph that is done

// What became known before, with the guards it takes: at the beginning of a graph.
void known_apply(Lower *l);
void known_facts(const Known *known, Facts *facts); // the same in facts that know nothing yet

// --- lower_need.c
// rsh_resolve. What it leaves undecided becomes decided where a slice can be told of edges, which its lists then
// have, or where a guard can ask what the resolver would, and then all is lowered again; else *missing is a condition that would help, or NULL.
rsh_status need_resolve(Lower *l, rsh_call *call, rsh_shape *out, rsh_fault *fault, Span span,
                        const char **missing);

// --- lower_edge.c
// Puts edges into the lists of a slice or a roll where sizes decide. False: not all of it can be said by them.
bool edges_of_call(Lower *l, rsh_call *call);
// The edge of these numbers over atoms, or the number that it is seen to be. False: it cannot be one.
bool edge_new(Lower *l, Edge p, rsh_num *out);
// How often b goes into a, rounded down. False: one of them may be below 0, or b 0; or there is no room.
bool edge_quotient(Lower *l, rsh_num a, rsh_num b, rsh_num *out);
// Makes an edge of the quotient that a condition says there is: of N*M % 2 == 0 the size N*M/2. False: it is no such
// condition, or there is the edge already, or no room for it.
bool edge_of_multiple(Lower *l, const Guard *raw);
// Tells facts that such a condition makes its edge a quotient without a rest: N*M == 2*q. False: there is no edge.
bool edges_divide(const Known *known, Facts *facts, const Guard *raw);
// Tells facts what is known of all edges, which may be that one is another number.
void edges_know(const Known *known, Facts *facts);
// Gives the graph the symbols that stand for known edges, once their turn comes.
void edges_add(Lower *l);

// --- lower_expr.c
// What stands on the left of |>.
typedef struct Piped {
  Value *value; // NULL: poisoned
  Span span;
} Piped;

Values lower_values(Lower *l, const Expr *e);
Value *lower_value(Lower *l, const Expr *e); // exactly one; NULL: poisoned
bool is_tensor_expr(const Lower *l, const Expr *e);
// Reports what is wrong inside the arguments of a call that cannot be made.
void visit_arguments(Lower *l, const Expr *call);
const char *expr_words(const Expr *e); // "a list"

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
    bool unbound; // given, but not understood: `problem` says why
    Span span;
    const Span *entry;   // where the entries of a list stand, or NULL
    const Value *tensor; // a tensor that is (part of) the argument
    TargetData data;     // of a target that is data
  } arg[RSH_MAX_ARGS];
  Problem problem; // the first thing wrong with the arguments
  bool poisoned;   // an operand failed: say nothing about what follows from it
} Binding;

// `piped` is NULL where there is none.
Values call_operator(Lower *l, const Expr *call, const OpEntry *op, const Piped *piped);
// x + 1, -x: an operator of arithmetic.def.
Values call_arithmetic(Lower *l, const Expr *e);
// For steps that lowering makes up itself:
Binding *binding_new(Lower *l, rsh_op op, const char *word, Span span);
void binding_operands(Lower *l, Binding *b, Value *const *value, const Span *span, int count);
void binding_operand(Lower *l, Binding *b, Value *value, Span span);
void binding_list(Lower *l, Binding *b, int arg, const rsh_num *item, int count);
void binding_int(Lower *l, Binding *b, int arg, int64_t n);
// An element of some type, and how it is written.
void binding_value(Lower *l, Binding *b, int arg, const Fill *fill, const char *text);
// A target that is all of a tensor.
void binding_target(Lower *l, Binding *b, int arg, const Value *value);

int param_find(const OpEntry *op, const char *name); // -1: it has none of that name
void default_value(Lower *l, Binding *b); // pad fills with zero where nothing else is said

// --- lower_place.c
// Another name for a value.
void place_rename(Value *value, Value *original);
// After a call that may work in place: forbids its operand to be read again where it does.
void place_give_away(Lower *l, const Node *node, Span span);
// Whether a value may still be read: else where it was given away.
const Span *place_given_away(const Value *value);

// --- lower_value.c
// A literal as an element of this type, and its text. False: the reason is in *p.
bool literal_element(Lower *l, const Expr *e, rsh_dtype dtype, uint8_t bits[16], const char **text,
                     Problem *p);

// --- lower_apply.c
// The results, or one message.
Values binding_apply(Lower *l, Binding *b);
Value *apply_identity(Lower *l, Value *value, Span span);
// Counts nodes to be made. False: the module would have too many, and that is reported.
bool nodes_reserve(Lower *l, int count, Span span);
// A node with results of these shapes, appended.
Node *node_new(Lower *l, const rsh_call *call, Value **in, const rsh_shape *shape, Span span);

// --- lower_table.c
enum { MOST_ENTRIES = 1 << 20 };
// An argument that has an entry for each index of these sizes, which stay where they are.
void binding_table(Lower *l, Binding *b, int arg, const Table *table, const int32_t *dims,
                   int rank);
// load("mean.npy") as an argument: a constant that is read when the graph is compiled, from the folder of the file.
bool is_loaded(const Lower *l, const Expr *e);
void bind_loaded(Lower *l, Binding *b, int arg, const Expr *e);
// The elements of a file of one axis, as bits. NULL: a problem is noted.
rsh_num *loaded_values(Lower *l, Binding *b, int arg, const Expr *e, int *count);
// Before a call is applied: its tables get one shape, and its operand is broadcast to them.
void tables_settle(Lower *l, Binding *b);

// --- lower_target.c
// Whether a target can be read from this value when the program runs.
bool is_readable_target(const Value *value);
// The element of an input that element `place` of a value is. False: it is not known to be one.
bool target_element(const Value **value, int64_t *place);
// The same for all elements of a tensor that is a target.
bool target_in_parts(Arena *arena, const Value *tensor, TargetData *data);

// --- lower_fault.c
void fault_problem(Lower *l, const Binding *b, rsh_status status, const rsh_fault *fault,
                   Problem *p);

// --- lower_inline.c
Values call_graph(Lower *l, const Expr *call, const Callee *callee, const Piped *piped);

// --- lower_rearrange.c
Values call_rearrange(Lower *l, const Expr *call, const Piped *piped);

// --- lower_layout.c
// The value of an input as it lies in memory. NULL: reported.
Value *layout_input(Lower *l, const AstValue *input, rsh_dtype dtype, const rsh_shape *shape);
// Once all inputs have their values: the steps from those to what their names mean.
void layout_names(Lower *l);
// What a result is stored as. NULL: reported.
// What `align` says, 0 where it is not there or wrong, which is reported.
uint32_t lower_align(Lower *l, const AstType *type, rsh_dtype dtype);
Value *layout_result(Lower *l, const AstValue *result, Value *value);

// --- lower_lod.c
// What a result of a node has of its first operand.
void lod_pass_on(Lower *l, const Node *node, Value *out);
// An input as it is declared: the values of its memory and of its name, which may be one. False: reported.
bool lod_declare(Lower *l, const AstValue *input, Value *stored);
// A result against its declaration. False: reported.
bool lod_check_result(Lower *l, const AstValue *result, const Value *value);

// --- lower_index.c
Values lower_index(Lower *l, const Expr *e);

#endif
