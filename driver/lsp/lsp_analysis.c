// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/lsp/lsp_analysis.h"

#include "driver/script/script.h"
#include "grammar/parser.h"

#include <stdlib.h>
#include <string.h>

// ---- reading

static void read_tokens(Analysis *a) {
  Diag quiet = {.arena = a->arena, .source = a->p.diag.source};
  Parser parser;
  Word word;
  RS_STYPE value;
  parser_start(&parser, a->arena, a->source, &quiet);
  while ((word.kind = rs_scan(&value, &word.span, parser.scanner)) != RS_YYEOF)
    VEC_PUSH(a->arena, a->word, word);
  parser_end(&parser);
}

static int by_begin(const void *left, const void *right) {
  const Shown *a = left, *b = right;
  if (a->begin != b->begin)
    return a->begin < b->begin ? -1 : 1;
  return a->value->id - b->value->id;
}

// Skips values from called graphs: their names are in other graphs.
static void show_values(Analysis *a, const Graph *graph) {
  Span own = graph->ast->span;
  for (int i = 0; i < graph->value.count; i++) {
    const Value *value = graph->value.item[i];
    if (!value->name || value->span.begin < own.begin || value->span.end > own.end)
      continue;
    Shown shown = {value->span.begin, graph, value};
    VEC_PUSH(a->arena, a->shown, shown);
  }
}

// Runs the same steps as `check`. After a syntax error, messages of later steps would refer to an incomplete tree
// and are discarded; the graphs that were parsed are still lowered, for their sizes.
static void compile(Analysis *a, Source *source) {
  Pipeline *p = &a->p;
  if (pipeline_read_text(p, source)) {
    check_all(p);
    return;
  }
  DiagMark mark = diag_mark(&p->diag);
  pipeline_lower(p);
  pipeline_fold(p);
  pipeline_plan(p, false);
  diag_rewind(&p->diag, mark);
}

Analysis *analysis_new(const Options *options, const SourceReader *reader, const char *name,
                       const char *text, size_t length) {
  Arena *arena = arena_new();
  Analysis *a = ARENA_NEW(arena, Analysis);
  a->arena = arena;
  a->options = *options;
  a->options.arena = arena;
  a->options.command = COMMAND_CHECK;
  a->options.file = arena_text(arena, name, strlen(name));
  pipeline_start(&a->p, &a->options);
  a->p.watch = NULL;
  a->p.reader = reader;
  bool is_too_large = length > SOURCE_MAX_BYTES;
  Source *source =
      source_from_text(arena, name, is_too_large ? "" : text, is_too_large ? 0 : length);
  a->source = source;
  a->lines = lines_of(arena, source);
  if (is_too_large) {
    diag_error_file(&a->p.diag, "bad_file", "larger than 64 MiB");
    a->p.ast = ARENA_NEW(arena, Ast);
    return a;
  }
  compile(a, source);
  read_tokens(a);
  names_read(&a->names, arena, a->p.ast);
  const Module *module = a->p.module;
  for (int i = 0; module && i < module->graph_count; i++)
    show_values(a, module->graph[i]);
  for (int i = 0; module && i < module->broken_count; i++)
    show_values(a, module->broken[i]);
  if (a->shown.count > 0)
    qsort(a->shown.item, (size_t)a->shown.count, sizeof *a->shown.item, by_begin);
  return a;
}

void analysis_free(Analysis *a) {
  if (a)
    arena_free(a->arena);
}

// ---- queries

const Shown *analysis_shown(const Analysis *a, const Entity *entity) {
  int low = 0, high = a->shown.count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (a->shown.item[middle].begin < entity->span.begin)
      low = middle + 1;
    else
      high = middle;
  }
  bool is_there = low < a->shown.count && a->shown.item[low].begin == entity->span.begin &&
                  strcmp(a->shown.item[low].value->name, entity->name) == 0;
  return is_there ? &a->shown.item[low] : NULL;
}

// The steps of a rearrange share its span: the last one is the result.
static const Node *node_at(const Graph *graph, Span span) {
  for (int i = graph->node.count - 1; i >= 0; i--) {
    Span of = graph->node.item[i]->span;
    if (of.begin == span.begin && of.end == span.end)
      return graph->node.item[i];
  }
  return NULL;
}

const Shown *analysis_result(const Analysis *a, const Expr *call, Shown *out) {
  const Module *module = a->p.module;
  int count = module ? module->graph_count + module->broken_count : 0;
  for (int i = 0; i < count; i++) {
    const Graph *graph =
        i < module->graph_count ? module->graph[i] : module->broken[i - module->graph_count];
    Span own = graph->ast->span;
    if (call->span.begin < own.begin || call->span.end > own.end)
      continue;
    const Node *node = node_at(graph, call->span);
    if (!node || node->call.out_count != 1)
      return NULL;
    *out = (Shown){call->span.begin, graph, node->out[0]};
    return out;
  }
  return NULL;
}

const char *shown_type(Arena *arena, const Shown *shown) {
  const Value *value = shown->value;
  return value->storage ? value_text(arena, shown->graph, value)
                        : type_text(arena, shown->graph, value->dtype, &value->shape);
}

static const OutputPlan *output_of(const Pipeline *p, Span graph, const char *name,
                                   const Plan **plan) {
  for (int i = 0; i < p->plan.count; i++)
    for (int k = 0; k < p->plan.item[i]->output_count; k++) {
      *plan = p->plan.item[i];
      if ((*plan)->graph->span.begin == graph.begin &&
          strcmp((*plan)->output[k].output->name, name) == 0)
        return &(*plan)->output[k];
    }
  return NULL;
}

const OutputPlan *analysis_output(const Analysis *a, const AstGraph *graph, const char *name,
                                  const Plan **plan) {
  return output_of(&a->p, graph->name_span, name, plan);
}

static bool has_error(const Diag *diag, Span span) {
  for (int i = 0; i < diag->list.count; i++) {
    const Diagnostic *d = &diag->list.item[i];
    if (d->severity == SEVERITY_ERROR && d->has_span && d->span.begin >= span.begin &&
        d->span.end <= span.end)
      return true;
  }
  return false;
}

// A graph whose statements end at the one that assigns the value, with the value as its result: contracts of other
// results and statements with errors are dropped.
static AstGraph graph_alone(const Analysis *a, Arena *arena, const AstGraph *graph,
                            const Entity *entity) {
  AstGraph alone = *graph;
  alone.statement = ARENA_ARRAY(arena, Statement, entity->statement + 1);
  alone.statement_count = 0;
  for (int i = 0; i <= entity->statement; i++) {
    if (has_error(&a->p.diag, graph->statement[i].span))
      continue;
    Statement *statement = &alone.statement[alone.statement_count++];
    *statement = graph->statement[i];
    statement->target = ARENA_ARRAY(arena, struct StatementTarget, statement->target_count);
    for (int k = 0; k < statement->target_count; k++) {
      statement->target[k] = graph->statement[i].target[k];
      statement->target[k].is_view = false;
    }
  }
  alone.input = ARENA_ARRAY(arena, AstValue, alone.input_count);
  for (int i = 0; i < alone.input_count; i++) {
    alone.input[i] = graph->input[i];
    alone.input[i].type.is_placed = false;
  }
  alone.result = ARENA_NEW(arena, AstValue);
  alone.result_count = 1;
  *alone.result = (AstValue){.name = entity->name, .span = entity->span};
  return alone;
}

const OutputPlan *analysis_output_alone(const Analysis *a, Arena *arena, const Entity *entity,
                                        const Plan **plan) {
  Options options = a->options;
  options.arena = arena;
  Pipeline q;
  pipeline_start(&q, &options);
  q.watch = NULL;
  q.diag.source = a->p.diag.source;
  Ast *ast = ARENA_NEW(arena, Ast);
  ast->graph_count = (int)(entity->graph - a->p.ast->graph) + 1;
  ast->graph = ARENA_ARRAY(arena, AstGraph, ast->graph_count);
  for (int i = 0; i < ast->graph_count - 1; i++) {
    ast->graph[i] = a->p.ast->graph[i];
    ast->graph[i].is_imported = true; // it can only be called
  }
  ast->graph[ast->graph_count - 1] = graph_alone(a, arena, entity->graph, entity);
  q.ast = ast;
  pipeline_lower(&q);
  pipeline_fold(&q);
  pipeline_plan(&q, false);
  return output_of(&q, entity->graph->name_span, entity->name, plan);
}

// ---- the text

int analysis_word_before(const Analysis *a, uint32_t offset) {
  int low = 0, high = a->word.count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (a->word.item[middle].span.begin < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low - 1;
}

const char *analysis_text(const Analysis *a, Arena *arena, Span span) {
  const Source *source = source_at(a->p.diag.source, span.begin);
  char *text = arena_text(arena, source_text(source, span.begin), span.end - span.begin),
       *to = text;
  for (const char *at = text; *at;) {
    size_t blank = strspn(at, " \t\r\n");
    *to++ = blank > 0 ? ' ' : *at;
    at += blank > 0 ? blank : 1;
  }
  *to = '\0';
  return text;
}

static const char *value_declared(const Analysis *a, Arena *arena, const AstValue *value) {
  const char *type = value->type.dtype ? analysis_text(a, arena, value->type.span) : NULL;
  return arena_printf(arena, "%s%s%s%s%s", value->is_view ? "view " : "",
                      value->is_inplace ? "inplace " : "", value->name, type ? ": " : "",
                      type ? type : "");
}

const char *analysis_header(const Analysis *a, Arena *arena, const AstGraph *graph) {
  const char *text = arena_printf(arena, "graph %s(", graph->name);
  for (int i = 0; i < graph->input_count; i++)
    text = arena_printf(arena, "%s%s%s", text, i ? ", " : "",
                        value_declared(a, arena, &graph->input[i]));
  text = arena_printf(arena, "%s) -> %s", text, graph->result_count == 1 ? "" : "(");
  for (int i = 0; i < graph->result_count; i++)
    text = arena_printf(arena, "%s%s%s", text, i ? ", " : "",
                        value_declared(a, arena, &graph->result[i]));
  text = arena_printf(arena, "%s%s", text, graph->result_count == 1 ? "" : ")");
  for (int i = 0; i < graph->where_count; i++)
    text = arena_printf(arena, "%s%s%s", text, i ? ", " : " where ",
                        analysis_text(a, arena, graph->where[i].span));
  return text;
}

const AstGraph *analysis_graph_at(const Analysis *a, uint32_t offset) {
  for (int i = 0; i < a->p.ast->graph_count; i++) {
    const AstGraph *graph = &a->p.ast->graph[i];
    if (!graph->is_imported && graph->span.begin <= offset && offset <= graph->span.end)
      return graph;
  }
  return NULL;
}

bool analysis_is_own(const Analysis *a, Span span) {
  return span.begin >= a->source->begin && span.begin <= a->source->begin + a->source->length;
}
