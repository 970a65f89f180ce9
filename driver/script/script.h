// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scripts: statements outside of graphs, executed one by one on .npy files.
//
// Values other than tensors (integers, lists, texts, true and false) are literal expressions of the tree. A tensor is a
// node of a graph that is built lazily (session.h). So an expression of a script is evaluated by rewriting it to one of
// the graph language:
//
//   n = shape(x)[0] / 2                  n is the literal 4
//   y = reshape(load("x.npy"), [n, -1])    reshape(#1, [4, -1]), #1 being an input of the graph
//   save(y, "y.npy")                     extracts the required subgraph, folds, compiles and runs it
//
// The files:
//   script.c           statements in order, `run` and `run -e`
//   script_eval.c      expressions
//   script_call.c      the functions of scripts: those on files are in script_files.c, print and assert in
//                      script_print.c
//   script_literals.c  values
//   script_compute.c   evaluation of lazy values: the required subgraph, its kernel, files
//   script_jobs.c      iterations of loops in several processes
//   script_check.c     reports unknown names before anything is executed
#ifndef DRIVER_SCRIPT_H
#define DRIVER_SCRIPT_H

#include "driver/base/options.h"
#include "driver/base/pipeline.h"
#include "driver/base/progress.h"
#include "driver/script/dry_run.h"
#include "driver/script/named.h"
#include "driver/script/raw.h"
#include "frontend/data/npy.h"
#include "frontend/session.h"
#include "runtime/dtype.h"

#include "codegen/machine/jit.h"
#include "frontend/text/hash.h"

#include <stdlib.h>

typedef struct Variable {
  const char *name;
  Expr *value; // a literal
  UT_hash_handle hh;
} Variable;

typedef struct Loaded {
  const Value *value;
  Npy array;
} Loaded;

// A file of named tensors to which saves add, until the script ends or reads it.
typedef struct Container {
  const char *path;
  NamedWriter *writer; // NULL: it is complete
} Container;

typedef struct Save {
  Value *value;
  const char *path, *name; // name: in a file of named tensors; else NULL
  const char *type;        // element type in the file's terms; NULL: the array's own
  Span span;
} Save;

// A kernel compiled for one subgraph, reused by all subgraphs that differ only in their files.
typedef struct ScriptKernel {
  const char *text; // of the graph, without names
  const Plan *plan;
  Jit *jit;
  void *function;
} ScriptKernel;

enum { SCRIPT_KERNELS = 32 };

typedef struct Script {
  const Options *options;
  Arena *arena;
  Diag *diag;
  Session *session;
  Variable *variables;
  VEC(Loaded) loaded;
  VEC(Save) save;      // requested and pending: adjacent saves are computed together
  uint64_t save_bytes; // of the pending saves
  VEC(Container) container;
  DryRun dry;                    // --dry-run: what was read so far, and what would be written:
  VEC(const char *) unwritten;   // to these files
  NamedFile named;               // the file of named tensors that was read last
  VEC(NamedFile) opened;         // files of named tensors that were read, as they were then
  uint64_t header;               // bytes of the longest header read so far
  uint64_t made;                 // bytes of values
  int hidden;                    // number of tensors without a name in the script
  bool is_job;                   // a process that executes iterations of a loop
  bool has_read;                 // from standard input
  bool has_printed, has_written; // to standard output: text, an array
  ScriptKernel kernel[SCRIPT_KERNELS]; // the most recent ones
  int kernels;                         // made so far
} Script;

// ---- script.c
void script_start(Script *s, const Options *options, Diag *diag);
void script_end(Script *s);
// Executes one statement; *rest is the value of an expression without a name, NULL if there is none. False: reported.
bool script_statement(Script *s, const Statement *statement, Expr **rest);
void script_set(Script *s, const char *name, Expr *value); // sets a variable; NULL: removes it
bool script_knows(const Script *s, const char *name);      // true if the name is in use

// ---- script_eval.c
// Rewrites the expression to one of the graph language, or to a literal. NULL: reported. A call without a value (save,
// print, assert) becomes script_nothing.
Expr *script_eval(Script *s, const Expr *e);
Expr *script_value(Script *s, const Expr *e); // the same; having no value is an error

// ---- script_call.c
bool script_print(Script *s, Expr *e); // same as print(e). False: reported
typedef struct ScriptFunction {        // a row of functions.def
  const char *name;
  int fewest, most;
  const char *shown, *help;
} ScriptFunction;
const ScriptFunction *script_function(const char *name); // NULL: none
int script_functions(const char **name, int room);
// `call` is the expression whose arguments `arg` has, evaluated.
Expr *script_call(Script *s, const ScriptFunction *f, const Expr *call, Expr **arg, int count);

// ---- script_literals.c
extern Expr *const script_nothing;
Expr *script_new(Script *s, ExprKind kind, Span span);
Expr *script_copy(Script *s, const Expr *e, Span span); // with another span
bool script_is_tensor(const Script *s, const Expr *e);  // for results of script_eval
// A tensor under a unique hidden name.
Expr *script_hide(Script *s, Value *value, Span span);
// Replaces tensors with hidden names, so that later assignments do not change the value. NULL: reported.
Expr *script_settle(Script *s, Expr *e);
Expr *script_integer(Script *s, int64_t n, Span span);
Expr *script_string(Script *s, const char *text, Span span);
Expr *script_truth(Script *s, bool truth, Span span);
enum { SCRIPT_LIST_MOST = 1 << 20 }; // entries of a list, those of lists in it counted
// NULL: it is too large, which is reported.
Expr *script_list(Script *s, Expr **item, int count, Span span);
// As `print` shows it: [1, "b"], a string without quotes.
void script_write(const Expr *e, FILE *out);
// For messages: the beginning of a long list, "text" with quotes.
const char *script_text(Script *s, const Expr *e);
// For messages: "an integer", "a tensor".
const char *script_kind(const Script *s, const Expr *e);
// Compares two literals. False: they cannot be compared, which is reported.
bool script_compare(Script *s, ConditionKind kind, const Expr *a, const Expr *b, bool *holds);

// ---- script_compute.c
// npy_read, with a message on a terminal. "-" is standard input.
bool script_read(Script *s, const char *path, rsh_dtype type, Npy *array, NpyError *error);
// Computes the arrays of values, all different; script_release frees them. False: reported at `span`.
bool script_compute(Script *s, Value *const *value, int count, Span span, Npy *out);
void script_release(Script *s, Npy *array, int count);
void script_free_kernels(Script *s);
// Completes the file of named tensors of this path; NULL: all files. False: reported.
bool script_complete(Script *s, const char *path);
// Drops the incomplete ones.
void script_drop(Script *s);
// Executes the pending saves.
bool script_flush(Script *s);
// The plan of a value, for explanations. NULL: reported.
const Plan *script_plan(Script *s, Value *value);

// ---- script_jobs.c
// Executes iteration i of a loop. False: it failed.
typedef bool ScriptIteration(void *of, int i);
// Executes iterations from `first` on, in options->jobs processes. Returns the first iteration that the caller must
// execute itself; `count`: none.
int script_share(Script *s, int first, int count, ScriptIteration *iterate, void *of);

// ---- script_check.c
// Reports names in a script that are not defined when they are read.
void script_check(Script *s, const Ast *ast);
bool script_uses(const Ast *ast, const char *name); // true if some statement uses the name
bool script_is_word(const char *name); // "nan" or "f32": it names a value without being defined

// ---- check.c
// Runs the steps from the tree or model to the plans, and reports everything that `reshapec check` reports.
void check_all(Pipeline *p);

// ---- script.c
// Runs the statements of p->ast, with the arguments of the command line.
Exit run_script(Pipeline *p);

#endif
