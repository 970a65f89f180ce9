// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler's view of a text: tree, graphs and diagnostics. Each version of the text has a new analysis.
#ifndef DRIVER_LSP_ANALYSIS_H
#define DRIVER_LSP_ANALYSIS_H

#include "driver/base/pipeline.h"
#include "driver/lsp/lsp_names.h"
#include "driver/lsp/lsp_place.h"

typedef struct Word { // a token of the scanner, including ends of lines
  int kind;           // of reshape.y
  Span span;
} Word;

// A value of a graph, by the offset that introduces its name.
typedef struct Shown {
  uint32_t begin;
  const Graph *graph;
  const Value *value;
} Shown;

typedef struct Analysis {
  Arena *arena;
  Options options; // those of `check`
  Pipeline p;
  const Source *source;
  Lines lines;
  Names names;
  VEC(Word) word;
  VEC(Shown) shown; // in order of `begin`
} Analysis;

// `name`: imports are resolved relative to it, and messages use it.
Analysis *analysis_new(const Options *options, const SourceReader *reader, const char *name,
                       const char *text, size_t length);
void analysis_free(Analysis *a); // NULL is allowed

// The compiler's value for an entity; NULL: none, or an error in the text precedes it.
const Shown *analysis_shown(const Analysis *a, const Entity *entity);
// The result of a call; NULL: unknown, or several values.
const Shown *analysis_result(const Analysis *a, const Expr *call, Shown *out);
// "f32[2, 3]", as users write types.
const char *shown_type(Arena *arena, const Shown *shown);
// The plan of the result of this name; NULL: there is none, or the graph is wrong.
const OutputPlan *analysis_output(const Analysis *a, const AstGraph *graph, const char *name,
                                  const Plan **plan);
// The same for any value, as if it were the only result. Costs as much as compiling the graph.
const OutputPlan *analysis_output_alone(const Analysis *a, Arena *arena, const Entity *entity,
                                        const Plan **plan);

// The last token that begins before an offset, or -1.
int analysis_word_before(const Analysis *a, uint32_t offset);
// The text of a span in any file; each run of white space becomes one space.
const char *analysis_text(const Analysis *a, Arena *arena, Span span);
// "graph f(x: f32[N]) -> y: f32[N, 1] where N >= 2", as declared.
const char *analysis_header(const Analysis *a, Arena *arena, const AstGraph *graph);
// The graph of this text that contains an offset, header included; NULL: none.
const AstGraph *analysis_graph_at(const Analysis *a, uint32_t offset);
// True if a span is in the text itself, not in a file that it imports.
bool analysis_is_own(const Analysis *a, Span span);

#endif
