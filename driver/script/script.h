// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scripts: statements outside of graphs, carried out one after the other on .npy files.
//
// What is no tensor (integers, lists, texts, true and false) is an expression without names: the values of
// variables are literals of the tree. What is a tensor is a part of a graph that grows (session.h). So an
// expression of a script is evaluated by making it one of the language of graphs:
//
//   n = shape(x)[0] / 2                  n is the literal 4
//   y = reshape(load("x.npy"), [n, -1])    reshape(#1, [4, -1]), #1 being an input of the graph
//   save(y, "y.npy")                     here the graph is cut, folded, compiled and run
//
// The parts:
//   script.c           statements in order, `run` and `run -e`
//   script_eval.c      expressions
//   script_call.c      the functions of scripts: load, save, print ...
//   script_compute.c   where data leaves: the cut, its kernel, files
//   script_jobs.c      iterations of loops in several processes
//   script_check.c     names that are not there, before anything is done
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

// A file of named tensors that saves add to, until the script ends or reads it.
typedef struct Container {
  const char *path;
  NamedWriter *writer; // NULL: it is complete
} Container;

typedef struct Save {
  Value *value;
  const char *path, *name; // name: in a file of named tensors; else NULL
  const char *type;        // as it calls the elements; NULL: their own
  Span span;
} Save;

// A kernel that was compiled for one cut, for all that are the same but for their files.
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
  VEC(Save) save;      // asked for and not yet done: those in a row are computed together
  uint64_t save_bytes; // of these
  VEC(Container) container;
  DryRun dry;                    // --dry-run: what was read so far, and would have been written:
  VEC(const char *) unwritten;   // to these files
  NamedFile named;               // the file of this kind that was read last
  uint64_t header;               // of the longest header of one that was read
  int hidden;                    // tensors without a name of the script's own
  bool is_job;                   // a process that carries out iterations of a loop
  bool has_read;                 // standard input
  bool has_printed, has_written; // to standard output: text, an array
  ScriptKernel kernel[SCRIPT_KERNELS]; // the last ones
  int kernels;                         // made so far
} Script;

// ---- script.c
void script_start(Script *s, const Options *options, Diag *diag);
void script_end(Script *s);
// Carries out one statement; *rest is what an expression without a name gives, NULL where that is nothing.
// False: reported.
bool script_statement(Script *s, const Statement *statement, Expr **rest);
void script_set(Script *s, const char *name, Expr *value); // a variable; NULL: it is gone
bool script_knows(const Script *s, const char *name);      // whether something has this name

// ---- script_eval.c
// The expression as one of the language of graphs, or a literal. NULL: reported; of what gives nothing
// (save, print, assert) script_nothing.
Expr *script_eval(Script *s, const Expr *e);
extern Expr *const script_nothing;
Expr *script_value(Script *s, const Expr *e);          // the same where nothing is a mistake
bool script_is_tensor(const Script *s, const Expr *e); // of what script_eval gave
// A tensor as a name that nothing else has.
Expr *script_hide(Script *s, Value *value, Span span);
// Tensors in it become hidden names, so that it means the same whatever names mean later. NULL: reported.
Expr *script_settle(Script *s, Expr *e);
Expr *script_integer(Script *s, int64_t n, Span span);
Expr *script_string(Script *s, const char *text, Span span);
Expr *script_truth(Script *s, bool truth, Span span);
Expr *script_list(Script *s, Expr **item, int count, Span span);
// For people: [1, 2], "text" with quotes or without.
const char *script_text(Script *s, const Expr *e, bool quotes);
// Compares two literals. False: there is no such comparison, and that is reported.
bool script_compare(Script *s, ConditionKind kind, const Expr *a, const Expr *b, bool *holds);

// ---- script_call.c
bool script_print(Script *s, Expr *e); // as print(e) does. False: reported
typedef struct ScriptFunction {        // a row of functions.def
  const char *name;
  int fewest, most;
  const char *shown, *help;
} ScriptFunction;
const ScriptFunction *script_function(const char *name); // NULL: none
int script_functions(const char **name, int room);
// `piped` is NULL, or what stands left of |>.
Expr *script_call(Script *s, const ScriptFunction *f, const Expr *call, Expr *piped);

// ---- script_compute.c
// npy_read, and on a terminal a word about it. "-" is standard input.
bool script_read(Script *s, const char *path, rsh_dtype type, Npy *array, NpyError *error);
// The arrays of values, each once in the list; to be given to script_release. False: reported at `span`.
bool script_compute(Script *s, Value *const *value, int count, Span span, Npy *out);
void script_release(Script *s, Npy *array, int count);
void script_free_kernels(Script *s);
// Completes the file of named tensors of this path, or all of NULL. False: reported.
bool script_complete(Script *s, const char *path);
// Drops those that are not complete.
void script_drop(Script *s);
// Does the saves that were asked for.
bool script_flush(Script *s);
// The plan of a value, for explanations. NULL: reported.
const Plan *script_plan(Script *s, Value *value);

// ---- script_jobs.c
// Carries out iteration i of a loop. False: it could not be done.
typedef bool ScriptIteration(void *of, int i);
// Iterations from `first` on, in options->jobs processes. Which one must be carried out next, without processes; `count`:
// none.
int script_share(Script *s, int first, int count, ScriptIteration *iterate, void *of);

// ---- script_check.c
// Reports names in a script that are not there when they are read.
void script_check(Script *s, const Ast *ast);
bool script_uses(const Ast *ast, const char *name); // whether an expression has it

// ---- check.c
// Runs the steps from the tree or model to the plans, and reports all that `reshapec check` does.
void check_all(Pipeline *p);

// ---- script.c
// All of it: the statements of p->ast, with the words of the command line.
Exit run_script(Pipeline *p);

#endif
