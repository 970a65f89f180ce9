// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Completion: determines the valid continuations at the cursor from the tokens before it. Only names come from the
// tree, since the text around the cursor is seldom valid while it is typed.
#include "driver/lsp/lsp.h"

#include "driver/lsp/lsp_call.h"
#include "driver/script/script.h"
#include "frontend/text/words.h"
#include "grammar/parser.h"

#include <string.h>

// Item kinds of LSP.
enum {
  ITEM_FUNCTION = 3,
  ITEM_VARIABLE = 6,
  ITEM_PROPERTY = 10,
  ITEM_KEYWORD = 14,
  ITEM_CONSTANT = 21,
  ITEM_TYPE = 25
};

// Sort order of the items.
enum { RANK_ARGUMENT, RANK_NAME, RANK_OPERATOR, RANK_TYPE, RANK_WORD };

typedef struct Items {
  Request *r;
  Span word; // the prefix already typed
  json_t *all;
} Items;

static void complete_item(Items *s, const char *label, int kind, int rank, const char *detail,
                          const char *text) {
  json_t *item = json_pack("{s:o, s:i, s:o, s:o}", "label", text_json(label), "kind", kind,
                           "sortText", json_sprintf("%d%s", rank, label), "textEdit",
                           edit_of(&s->r->analysis->lines, s->word, label));
  if (detail)
    json_object_set_new(item, "detail", text_json(detail));
  if (text)
    json_object_set_new(item, "documentation", text_json(text));
  json_array_append_new(s->all, item);
}

// ---- candidates

static void add_operators(Items *s) {
  Arena *arena = s->r->arena;
  for (int op = 0; op < RSH_OP_COUNT; op++) {
    const char *name = rsh_op_name((rsh_op)op);
    complete_item(s, name, ITEM_FUNCTION, RANK_OPERATOR, op_signature(arena, name),
                  rsh_op_summary((rsh_op)op));
  }
  complete_item(s, "rearrange", ITEM_FUNCTION, RANK_OPERATOR, op_signature(arena, "rearrange"),
                "named axes reordered, split, joined, repeated or stacked, as in einops");
}

// A graph may call those above it.
static void add_graphs(Items *s, const AstGraph *inside) {
  const Ast *ast = s->r->analysis->p.ast;
  for (int i = 0; i < ast->graph_count && &ast->graph[i] != inside; i++)
    complete_item(s, ast->graph[i].name, ITEM_FUNCTION, RANK_NAME,
                  analysis_header(s->r->analysis, s->r->arena, &ast->graph[i]), NULL);
}

// True if the cursor is in the statement that assigns the name.
static bool is_given_here(const Items *s, const Entity *entity) {
  const Statement *given = entity->given;
  return given && s->word.begin <= (given->is_loop ? given->value->span : given->span).end;
}

// Adds the names of a graph, or of the file, that are defined before the cursor.
static void add_names(Items *s, const AstGraph *graph) {
  const Analysis *a = s->r->analysis;
  for (int i = 0; i < a->names.entity.count; i++) {
    const Entity *entity = &a->names.entity.item[i];
    const Shown *shown = analysis_shown(a, entity);
    bool is_size = entity->kind == ENTITY_SIZE;
    if (entity->kind == ENTITY_GRAPH || entity->graph != graph ||
        entity->span.begin >= s->word.begin || is_given_here(s, entity))
      continue;
    complete_item(s, entity->name, is_size ? ITEM_CONSTANT : ITEM_VARIABLE, RANK_NAME,
                  shown     ? shown_type(s->r->arena, shown)
                  : is_size ? "a size"
                            : NULL,
                  NULL);
  }
}

// Names in brackets of an unfinished header, which has no tree yet.
static void complete_sizes(Items *s, int first, int end) {
  const Analysis *a = s->r->analysis;
  VEC(const char *) names = {0};
  int depth = 0;
  for (int i = first; i < end; i++) {
    const Word *word = &a->word.item[i];
    depth += (word->kind == '[') - (word->kind == ']');
    if (depth <= 0 || word->kind != RS_NAME || word->span.end >= s->word.end)
      continue;
    const char *name = analysis_text(a, s->r->arena, word->span);
    bool is_new = true;
    for (int k = 0; k < names.count; k++)
      is_new = is_new && strcmp(names.item[k], name) != 0;
    if (!is_new)
      continue;
    VEC_PUSH(s->r->arena, names, name);
    complete_item(s, name, ITEM_CONSTANT, RANK_NAME, "a size", NULL);
  }
}

static void add_types(Items *s) {
  for (int i = 0; i < RSH_DTYPE_COUNT; i++)
    complete_item(s, rsh_dtype_name((rsh_dtype)i), ITEM_TYPE, RANK_TYPE, "element type", NULL);
}

static void add_words(Items *s, const char *const *words) {
  for (; *words; words++)
    complete_item(s, *words, ITEM_KEYWORD, RANK_WORD, NULL, NULL);
}

static void complete_functions(Items *s) {
  enum { MOST_FUNCTIONS = 64 };
  const char *name[MOST_FUNCTIONS];
  int count = script_functions(name, MOST_FUNCTIONS);
  for (int i = 0; i < count; i++) {
    const ScriptFunction *function = script_function(name[i]);
    complete_item(s, name[i], ITEM_FUNCTION, RANK_OPERATOR, function->shown, function->help);
  }
}

// Adds the named arguments (axis=) of the call around the cursor.
static void add_arguments(Items *s, const OpenCall *open) {
  Param param[RSH_MAX_ARGS];
  for (int op = 0; op < RSH_OP_COUNT; op++) {
    int count = strcmp(rsh_op_name((rsh_op)op), open->name) == 0
                    ? params_of(s->r->arena, (rsh_op)op, param)
                    : 0;
    for (int i = 0; i < count; i++)
      complete_item(s, arena_printf(s->r->arena, "%s=", param[i].name), ITEM_PROPERTY,
                    RANK_ARGUMENT, param_text(param[i].kind), NULL);
  }
}

// ---- the cursor

typedef enum Where { IN_FILE, IN_HEADER, IN_BODY } Where;

static Where where_is(const Analysis *a, uint32_t offset) {
  Where where = IN_FILE;
  for (int i = 0; i < a->word.count && a->word.item[i].span.end <= offset; i++) {
    int kind = a->word.item[i].kind;
    if (kind == RS_GRAPH)
      where = IN_HEADER;
    else if (kind == '{' && where == IN_HEADER)
      where = IN_BODY;
    else if (kind == '}')
      where = IN_FILE;
  }
  return where;
}

// The graph around the cursor, closed or not.
static const AstGraph *graph_around(const Analysis *a, uint32_t offset) {
  const AstGraph *last = NULL;
  for (int i = 0; i < a->p.ast->graph_count; i++)
    if (!a->p.ast->graph[i].is_imported && a->p.ast->graph[i].span.begin <= offset)
      last = &a->p.ast->graph[i];
  return last;
}

// The name that ends at the cursor, including dots.
static Span word_at(const char *text, uint32_t at) {
  uint32_t begin = at;
  while (begin > 0 && (is_word_byte(text[begin - 1]) ||
                       (text[begin - 1] == '.' && begin > 1 && is_word_byte(text[begin - 2]))))
    begin--;
  return (Span){begin, at};
}

// True in a comment, a string or a number: nothing is completed there.
static bool is_in_text(const Analysis *a, Span word) {
  const char *text = a->source->text;
  int before = analysis_word_before(a, word.begin);
  uint32_t end = before >= 0 ? a->word.item[before].span.end : 0;
  if (text[word.begin] >= '0' && text[word.begin] <= '9')
    return true;
  if (before >= 0 && text[a->word.item[before].span.begin] == '"' &&
      (word.begin < end || a->word.item[before].kind == RS_BAD))
    return true;
  return end < word.begin && memchr(text + end, '#', word.begin - end) != NULL;
}

// In a header: types after ':', sizes in brackets and after `where`, keywords elsewhere.
static void complete_header(Items *s) {
  static const char *const words[] = {"where",   "view",  "inplace", "in",  "layout",
                                      "strides", "align", "placed",  "lod", NULL};
  const Analysis *a = s->r->analysis;
  int end = analysis_word_before(a, s->word.begin) + 1, first = end, brackets = 0, last = 0;
  bool has_where = false;
  while (first > 0 && a->word.item[first - 1].kind != RS_GRAPH) {
    int kind = a->word.item[--first].kind;
    brackets += (kind == '[') - (kind == ']');
    has_where = has_where || kind == RS_WHERE;
    last = last == 0 && kind != RS_EOL ? kind : last;
  }
  if (last == ':') {
    add_types(s);
  } else if (brackets > 0 || has_where) {
    complete_sizes(s, first, end);
    if (brackets <= 0)
      add_words(s, (const char *const[]){"in", NULL});
  } else {
    add_words(s, words);
  }
}

static void complete_expression(Items *s, const AstGraph *graph, bool is_script) {
  static const char *const words[] = {"true", "false",   "None", "inf",
                                      "nan",  "newaxis", "view", NULL};
  OpenCall open;
  if (call_open_at(s->r->analysis, s->r->arena, s->word.begin, &open))
    add_arguments(s, &open);
  add_names(s, graph);
  add_graphs(s, graph);
  add_operators(s);
  if (is_script)
    complete_functions(s);
  add_types(s);
  add_words(s, words);
}

json_t *lsp_completion(Request *r) {
  static const char *const words[] = {"graph", "import", "for", NULL};
  const Analysis *a = r->analysis;
  Items s = {.r = r, .word = word_at(a->source->text, r->at), .all = json_array()};
  Where where = where_is(a, s.word.begin);
  if (!is_in_text(a, s.word)) {
    const AstGraph *graph = where == IN_FILE ? NULL : graph_around(a, s.word.begin);
    if (where == IN_HEADER)
      complete_header(&s);
    else
      complete_expression(&s, graph, where == IN_FILE);
    if (where == IN_FILE)
      add_words(&s, words);
  }
  return json_pack("{s:b, s:o}", "isIncomplete", 0, "items", s.all);
}
