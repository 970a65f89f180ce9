// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A text, as far as the compiler understands it. It is made again for each version of the text.
#ifndef DRIVER_LSP_ANALYSIS_H
#define DRIVER_LSP_ANALYSIS_H

#include "driver/base/pipeline.h"
#include "driver/lsp/lsp_names.h"
#include "driver/lsp/lsp_place.h"

typedef struct Word { // a token of the scanner, ends of lines included
  int kind;           // of reshape.y
  Span span;
} Word;

// A value of a graph, by where its name is introduced.
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

// `name` is what imports are searched beside, and messages call it.
Analysis *analysis_new(const Options *options, const SourceReader *reader, const char *name,
                       const char *text, size_t length);
void analysis_free(Analysis *a); // NULL is allowed

// Where the compiler has the value that an entity names; NULL: it has none, or the text is wrong before it.
const Shown *analysis_shown(const Analysis *a, const Entity *entity);
// What a call gives; NULL: unknown, or several values.
const Shown *analysis_result(const Analysis *a, const Expr *call, Shown *out);
// "f32[2, 3]", as users declared it or would.
const char *shown_type(Arena *arena, const Shown *shown);
// The plan of a result of this name; NULL: it is none, or the graph is wrong.
const OutputPlan *analysis_output(const Analysis *a, const AstGraph *graph, const char *name,
                                  const Plan **plan);
// The same for any value, as if it were the only result. Takes as long as compiling the graph.
const OutputPlan *analysis_output_alone(const Analysis *a, Arena *arena, const Entity *entity,
                                        const Plan **plan);

// The last token that begins before an offset, or -1.
int analysis_word_before(const Analysis *a, uint32_t offset);
// The text of a span of any file, white space of any length as one space.
const char *analysis_text(const Analysis *a, Arena *arena, Span span);
// "graph f(x: f32[N]) -> y: f32[N, 1] where N >= 2", as declared.
const char *analysis_header(const Analysis *a, Arena *arena, const AstGraph *graph);
// The graph of this text that an offset is in, header included; NULL: none.
const AstGraph *analysis_graph_at(const Analysis *a, uint32_t offset);
// Whether a span is in the text itself, not in a file that it imports.
bool analysis_is_own(const Analysis *a, Span span);

#endif
