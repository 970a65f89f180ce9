// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps in a row, for the command line and for the library: text -> tree -> graphs -> moves -> plans -> code.
// Each reports to Pipeline.diag, prints nothing, and is called once.
#ifndef LIBRARY_PIPELINE_H
#define LIBRARY_PIPELINE_H

#include "codegen/emit.h"
#include "codegen/plan/tuning.h"
#include "frontend/onnx/onnx_file.h"

struct Options;
struct Progress;

typedef struct Pipeline {
  const struct Options *options; // of the command line; no step looks at them
  Arena *arena;
  Diag diag;
  Source *source;
  Ast *ast;              // NULL: a model, which has no tree
  const OnnxFile *model; // NULL: a text
  Module *module;
  const Stamp *stamp;         // once it was asked for
  const SourceReader *reader; // of imported files; NULL: the disk
  const char *prefix;         // of functions and macros; NULL: none
  const Processor *processor; // that plans are made for
  Tuning *tuning;             // NULL: the cost model chooses
  VEC(const Plan *) plan; // of the graphs that came through without an error, in order of the file
  // Told of each of `total` graphs before its turn, and of `total` at the end; NULL: nobody is.
  void (*watch)(struct Pipeline *p, const char *what, int total, int done, const char *name);
  struct Progress *progress; // its
} Pipeline;

// Text to tree. False: a mistake was reported.
bool pipeline_read_text(Pipeline *p, Source *source);
// Reports a text without a graph; with `statements_do` they are enough.
void pipeline_check_has_graphs(Pipeline *p, bool statements_do);
// Tree to graphs.
void pipeline_lower(Pipeline *p);
// A model, which has no tree, to graphs.
void pipeline_read_model(Pipeline *p, const OnnxFile *file);
// Graphs to moves. Those with a mistake leave the module; those of others are still found.
void pipeline_fold(Pipeline *p);
// Moves to plans. With `gives_memory` placed inputs have memory of their own, and are moved to their place.
void pipeline_plan(Pipeline *p, bool gives_memory);
// As --dump=plan shows them.
void pipeline_print_plans(const Pipeline *p, const EmitOptions *options, FILE *out);
// Whether code can be made of all; else it is reported why not.
bool pipeline_can_emit(Pipeline *p);

// What header and object say about how they are made.
const Stamp *pipeline_stamp(Pipeline *p, const EmitOptions *options);
// A hash of all that decides the code that this build makes for this machine, as 64 digits. NULL: the source is large, and
// takes longer to hash than to compile.
const char *pipeline_key(const Pipeline *p, const EmitOptions *options);
// Plans to code. False: reported.
bool pipeline_emit(Pipeline *p, const EmitOptions *options, EmitKind kind, Bytes *out);
// Plans to the header of that code; `guard` is its base name.
Bytes pipeline_header(Pipeline *p, const EmitOptions *options, const char *guard);

#endif
