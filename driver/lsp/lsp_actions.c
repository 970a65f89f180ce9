// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Offers the fixes that messages name, as edits:
//
//   ...; did you mean 'transpose'?        the word at the place of the message becomes transpose
//   ...; add 'where W % 16 == 0', or ...  the condition joins those of the graph
//   ...; begin its name with '_' ...      the underscore is added
//   '=' is not a comparison; write '=='   the operator is replaced
//
// For a dynamic graph whose plan names a helpful condition, that condition is offered too.
#include "driver/lsp/lsp.h"

#include "grammar/parser.h"

#include <string.h>

typedef struct Actions {
  Request *r;
  Span range;
  json_t *all;
} Actions;

static void add_action(Actions *s, const char *title, const char *kind, const Diagnostic *d,
                       json_t *edit) {
  json_t *action = json_pack("{s:o, s:s, s:{s:{s:[o]}}}", "title", text_json(title), "kind", kind,
                             "edit", "changes", s->r->document->uri, edit);
  if (d) {
    const Analysis *a = s->r->analysis;
    json_object_set_new(action, "diagnostics",
                        json_pack("[{s:o, s:s, s:s, s:o}]", "range",
                                  lines_range(&a->lines, d->span), "code", d->kind, "source",
                                  "reshapec", "message",
                                  text_json(diag_shown(&a->p.diag, d).message)));
    json_object_set_new(action, "isPreferred", json_true());
  }
  json_array_append_new(s->all, action);
}

// The quoted text after these words in a message: "transpose" of "did you mean 'transpose'?"; NULL: none.
static const char *quoted_after(Arena *arena, const char *message, const char *words) {
  const char *at = NULL;
  for (const char *next = message; (next = strstr(next, words)); next++)
    at = next + strlen(words); // the last: names of users come before
  const char *end = at ? strchr(at, '\'') : NULL;
  return end ? arena_text(arena, at, (size_t)(end - at)) : NULL;
}

// ---- where

// Inserts after the conditions of a graph, or else before '{'.
static json_t *where_edit(const Analysis *a, Arena *arena, const AstGraph *graph,
                          const char *condition) {
  uint32_t at = graph->name_span.end;
  if (graph->where_count > 0)
    at = graph->where[graph->where_count - 1].span.end;
  for (int i = analysis_word_before(a, at) + 1;
       i < a->word.count && graph->where_count == 0 && a->word.item[i].kind != '{'; i++)
    if (a->word.item[i].kind != RS_EOL)
      at = a->word.item[i].span.end;
  const char *text = arena_printf(arena, graph->where_count > 0 ? ", %s" : " where %s", condition);
  return edit_of(&a->lines, (Span){at, at}, text);
}

static void add_where(Actions *s, const AstGraph *graph, const char *condition,
                      const Diagnostic *d) {
  Arena *arena = s->r->arena;
  if (graph)
    add_action(s, arena_printf(arena, "Add 'where %s'", condition),
               d ? "quickfix" : "refactor.rewrite", d,
               where_edit(s->r->analysis, arena, graph, condition));
}

// ---- messages

// The name of an activation is quoted in the text.
static const char *as_written(const Analysis *a, Arena *arena, Span span, const char *word) {
  return a->source->text[span.begin] == '"' ? arena_printf(arena, "\"%s\"", word) : word;
}

static void add_fixes(Actions *s, const Diagnostic *d) {
  const Analysis *a = s->r->analysis;
  Arena *arena = s->r->arena;
  const char *word = quoted_after(arena, d->message, "did you mean '"),
             *condition = quoted_after(arena, d->message, "add 'where ");
  if (word) {
    json_t *edit = edit_of(&a->lines, d->span, as_written(a, arena, d->span, word));
    add_action(s, arena_printf(arena, "Change to '%s'", word), "quickfix", d, edit);
  } else if (condition) {
    add_where(s, analysis_graph_at(a, d->span.begin), condition, d);
  } else if (strcmp(d->kind, "unused_value") == 0) {
    json_t *edit = edit_of(&a->lines, (Span){d->span.begin, d->span.begin}, "_");
    add_action(s, "Begin its name with '_'", "quickfix", d, edit);
  } else if (strstr(d->message, "is not a comparison; write '=='")) {
    add_action(s, "Change to '=='", "quickfix", d, edit_of(&a->lines, d->span, "=="));
  }
}

static bool meets(const Actions *s, Span span) {
  return span.begin <= s->range.end && span.end >= s->range.begin;
}

// Adds the conditions that would decide operators in the range at compile time.
static void add_conditions(Actions *s, const Plan *plan) {
  for (int i = 0; i < plan->graph->node.count; i++) {
    const Node *node = plan->graph->node.item[i];
    if (node->is_undecided && node->missing && meets(s, node->span))
      add_where(s, plan->graph->ast, node->missing, NULL);
  }
}

// True if the client wants such actions; without a list it wants all.
static bool is_asked_for(const Request *r, const char *kind) {
  const json_t *only = json_object_get(json_object_get(r->params, "context"), "only"), *one;
  size_t i;
  json_array_foreach(only, i, one) {
    const char *prefix = json_is_string(one) ? json_string_value(one) : "-";
    size_t length = strlen(prefix);
    if (strncmp(kind, prefix, length) == 0 && (kind[length] == '\0' || kind[length] == '.'))
      return true;
  }
  return !json_is_array(only);
}

json_t *lsp_code_action(Request *r) {
  const Analysis *a = r->analysis;
  const json_t *range = json_object_get(r->params, "range");
  Actions s = {.r = r};
  if (!lines_byte(&a->lines, json_object_get(range, "start"), &s.range.begin) ||
      !lines_byte(&a->lines, json_object_get(range, "end"), &s.range.end))
    return lsp_refuse(r, LSP_INVALID_PARAMS, "params.range has no start and end");
  s.all = json_array();
  for (int i = 0; i < a->p.diag.list.count && is_asked_for(r, "quickfix"); i++) {
    const Diagnostic *d = &a->p.diag.list.item[i];
    if (d->has_span && analysis_is_own(a, d->span) && d->severity != SEVERITY_NOTE &&
        meets(&s, d->span))
      add_fixes(&s, d);
  }
  for (int i = 0; i < a->p.plan.count && is_asked_for(r, "refactor.rewrite"); i++)
    add_conditions(&s, a->p.plan.item[i]);
  return s.all;
}
