// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of compilation, for the command line and for the library: text -> tree -> graphs -> moves -> plans -> code.
// Each reports to Pipeline.diag, prints nothing, and is called once.
#ifndef LIBRARY_PIPELINE_H
#define LIBRARY_PIPELINE_H

#include "codegen/emit.h"
#include "codegen/plan/tuning.h"
#include "frontend/onnx/onnx_file.h"

struct Options;
struct Progress;

typedef struct Pipeline {
  const struct Options *options; // of the command line; no step reads them
  Arena *arena;
  Diag diag;
  Source *source;
  Ast *ast;              // NULL: a model, which has no tree
  const OnnxFile *model; // NULL: a text
  Module *module;
  const Stamp *stamp;         // made on demand; NULL before
  const SourceReader *reader; // of imported files; NULL: the disk
  const char *prefix;         // of functions and macros; NULL: none
  const Processor *processor; // the target of plans
  Tuning *tuning;             // NULL: the cost model chooses
  VEC(const Plan *) plan;     // of the graphs without errors, in order of the file
  // Called before each of `total` graphs, and at the end with done == total; NULL: no progress reports.
  void (*watch)(struct Pipeline *p, const char *what, int total, int done, const char *name);
  struct Progress *progress; // state of `watch`
} Pipeline;

// Text to tree. False: an error was reported.
bool pipeline_read_text(Pipeline *p, Source *source);
// Reports a text without a graph; with `statements_do`, statements are enough.
void pipeline_check_has_graphs(Pipeline *p, bool statements_do);
// Tree to graphs.
void pipeline_lower(Pipeline *p);
// A model, which has no tree, to graphs.
void pipeline_read_model(Pipeline *p, const OnnxFile *file);
// Graphs to moves. Removes graphs with errors from the module, and continues with the others.
void pipeline_fold(Pipeline *p);
// Moves to plans. With `gives_memory`, placed inputs have their own memory, and are moved to their place.
void pipeline_plan(Pipeline *p, bool gives_memory);
// As --dump=plan shows them.
void pipeline_print_plans(const Pipeline *p, const EmitOptions *options, FILE *out);
// Returns whether code can be emitted for all graphs; reports why not.
bool pipeline_can_emit(Pipeline *p);

// How the header and the object were made, as both record it.
const Stamp *pipeline_stamp(Pipeline *p, const EmitOptions *options);
// A hash, as 64 digits, of everything that determines the code of this build for this machine. NULL: the source is so
// large that it takes longer to hash than to compile.
const char *pipeline_key(const Pipeline *p, const EmitOptions *options);
// Plans to code. False: an error was reported.
bool pipeline_emit(Pipeline *p, const EmitOptions *options, EmitKind kind, Bytes *out);
// Plans to the header of that code; `guard` is its base name.
Bytes pipeline_header(Pipeline *p, const EmitOptions *options, const char *guard);

#endif
