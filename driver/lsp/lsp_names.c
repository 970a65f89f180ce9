// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two passes over the tree: the first finds the definitions of names, the second their uses.
//
//   graph g(x: f32[N, 4]) -> y { y = f(x, n=N) }     defines g, x, N, y
//                                                    uses y (the result), f, x, n (an input of f), N
#include "driver/lsp/lsp_names.h"

#include "frontend/text/hash.h"
#include "runtime/op.h"

#include <stdlib.h>
#include <string.h>

typedef struct Entry { // of a scope: "3/x" for x of graph 3, "/x" of the file
  const char *key;
  int entity;
  UT_hash_handle hh;
} Entry;

typedef struct Reader {
  Names *names;
  Arena *arena;
  const Ast *ast;
  Entry *entries;
  int scope; // the graph; below 0: the file
} Reader;

const char *entity_words(EntityKind kind) {
  switch (kind) {
  case ENTITY_GRAPH:
    return "a graph";
  case ENTITY_INPUT:
    return "an input";
  case ENTITY_SIZE:
    return "a size";
  case ENTITY_VALUE:
  case ENTITY_VARIABLE:
    return "a value";
  }
  return "";
}

bool is_operator(const char *name) {
  for (int op = 0; op < RSH_OP_COUNT; op++)
    if (strcmp(rsh_op_name((rsh_op)op), name) == 0)
      return true;
  return strcmp(name, "rearrange") == 0;
}

static const char *key_of(const Reader *r, int scope, const char *name) {
  return scope < 0 ? arena_printf(r->arena, "/%s", name)
                   : arena_printf(r->arena, "%d/%s", scope, name);
}

// -1: the name is unknown there.
static int find(const Reader *r, int scope, const char *name) {
  const char *key = key_of(r, scope, name);
  Entry *entry;
  HASH_FIND_STR(r->entries, key, entry);
  return entry ? entry->entity : -1;
}

static void mention(Reader *r, Span span, int entity, bool defines) {
  if (entity < 0)
    return;
  Mention m = {span, entity, defines};
  VEC_PUSH(r->arena, r->names->mention, m);
}

// The first occurrence defines the name; for variables, each assignment is a definition.
static void introduce(Reader *r, Entity entity) {
  int scope = entity.kind == ENTITY_GRAPH ? -1 : r->scope;
  const char *name =
      entity.kind == ENTITY_GRAPH ? arena_printf(r->arena, "graph/%s", entity.name) : entity.name;
  int old = find(r, scope, name);
  if (old >= 0) {
    mention(r, entity.span, old, entity.kind == ENTITY_VARIABLE);
    return;
  }
  Entry *entry = ARENA_NEW(r->arena, Entry);
  entry->key = key_of(r, scope, name);
  entry->entity = r->names->entity.count;
  HASH_ADD_KEYPTR(hh, r->entries, entry->key, strlen(entry->key), entry);
  VEC_PUSH(r->arena, r->names->entity, entity);
  mention(r, entity.span, entry->entity, true);
}

static int graph_called(const Reader *r, const char *name) {
  return find(r, -1, arena_printf(r->arena, "graph/%s", name));
}

// ---- definitions

static void introduce_targets(Reader *r, const AstGraph *graph, const Statement *statement,
                              int count) {
  for (int i = 0; i < count; i++)
    for (int k = 0; k < statement[i].target_count; k++) {
      const struct StatementTarget *target = &statement[i].target[k];
      if (strcmp(target->name, "_") == 0) // discarded
        continue;
      introduce(r, (Entity){.kind = graph ? ENTITY_VALUE : ENTITY_VARIABLE,
                            .name = target->name,
                            .span = target->span,
                            .graph = graph,
                            .given = &statement[i],
                            .statement = i});
    }
  for (int i = 0; i < count; i++) // of a loop
    introduce_targets(r, graph, statement[i].body, statement[i].body_count);
}

static void introduce_graph(Reader *r, const AstGraph *graph) {
  introduce(r, (Entity){ENTITY_GRAPH, graph->name, graph->name_span, graph, NULL, 0});
  for (int i = 0; i < graph->input_count; i++) {
    const AstValue *input = &graph->input[i];
    introduce(r, (Entity){ENTITY_INPUT, input->name, input->span, graph, NULL, 0});
    for (int k = 0; k < input->type.dim_count; k++) {
      const Expr *dim = input->type.dim[k];
      if (dim->kind == EXPR_NAME && find(r, r->scope, dim->name) < 0)
        introduce(r, (Entity){ENTITY_SIZE, dim->name, dim->span, graph, NULL, 0});
    }
  }
  introduce_targets(r, graph, graph->statement, graph->statement_count);
}

// ---- uses

static void use_name(Reader *r, const Expr *e) {
  int entity = find(r, r->scope, e->name);
  bool is_there = entity >= 0 && r->names->entity.item[entity].span.begin == e->span.begin;
  if (!is_there)
    mention(r, e->span, entity, false);
}

static void use_callee(Reader *r, const Expr *e) {
  int graph = is_operator(e->call.callee) ? -1 : graph_called(r, e->call.callee);
  if (graph < 0)
    return;
  mention(r, e->call.callee_span, graph, false);
  const AstGraph *callee = r->names->entity.item[graph].graph;
  for (int i = 0; i < e->call.count; i++)
    if (e->call.arg[i].name)
      mention(r, e->call.arg[i].name_span,
              find(r, (int)(callee - r->ast->graph), e->call.arg[i].name), false);
}

static void use_one(void *of, const Expr *e) {
  if (e->kind == EXPR_NAME)
    use_name(of, e);
  else if (e->kind == EXPR_CALL)
    use_callee(of, e);
}

static void use(Reader *r, const Expr *e) { expr_visit(e, use_one, r); }

static void use_type(Reader *r, const AstType *type) {
  for (int i = 0; i < type->dim_count; i++)
    use(r, type->dim[i]);
  use(r, type->strides);
}

static void use_statements(Reader *r, const Statement *statement, int count) {
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < statement[i].target_count; k++)
      use_type(r, &statement[i].target[k].type);
    use(r, statement[i].value);
    use_statements(r, statement[i].body, statement[i].body_count);
  }
}

static void use_in_graph(Reader *r, const AstGraph *graph) {
  for (int i = 0; i < graph->input_count; i++)
    use_type(r, &graph->input[i].type);
  for (int i = 0; i < graph->result_count; i++) {
    mention(r, graph->result[i].span, find(r, r->scope, graph->result[i].name), false);
    use_type(r, &graph->result[i].type);
  }
  for (int i = 0; i < graph->where_count; i++) {
    use(r, graph->where[i].left);
    use(r, graph->where[i].right);
  }
  use_statements(r, graph->statement, graph->statement_count);
}

static int by_offset(const void *left, const void *right) {
  const Mention *a = left, *b = right;
  return (a->span.begin > b->span.begin) - (a->span.begin < b->span.begin);
}

void names_read(Names *names, Arena *arena, const Ast *ast) {
  Reader r = {.names = names, .arena = arena, .ast = ast};
  for (r.scope = 0; r.scope < ast->graph_count; r.scope++)
    introduce_graph(&r, &ast->graph[r.scope]);
  r.scope = -1;
  introduce_targets(&r, NULL, ast->statement, ast->statement_count);
  for (r.scope = 0; r.scope < ast->graph_count; r.scope++)
    use_in_graph(&r, &ast->graph[r.scope]);
  r.scope = -1;
  use_statements(&r, ast->statement, ast->statement_count);
  HASH_CLEAR(hh, r.entries);
  if (names->mention.count > 0)
    qsort(names->mention.item, (size_t)names->mention.count, sizeof(Mention), by_offset);
}

const Mention *names_at(const Names *names, uint32_t offset) {
  int low = 0,
      high = names->mention.count; // the last that begins at the offset or before is low - 1
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (names->mention.item[middle].span.begin <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  const Mention *m = low > 0 ? &names->mention.item[low - 1] : NULL;
  return m && offset <= m->span.end ? m : NULL;
}

typedef struct CallSearch {
  uint32_t offset;
  const Expr *found;
} CallSearch;

static void look_at(void *of, const Expr *e) {
  CallSearch *s = of;
  if (e->kind == EXPR_CALL && e->call.callee_span.begin <= s->offset &&
      s->offset <= e->call.callee_span.end)
    s->found = e;
}

static void look_in(const Statement *statement, int count, CallSearch *s) {
  for (int i = 0; i < count; i++) {
    expr_visit(statement[i].value, look_at, s);
    look_in(statement[i].body, statement[i].body_count, s);
  }
}

const Expr *call_at(const Ast *ast, uint32_t offset) {
  CallSearch s = {.offset = offset};
  for (int i = 0; i < ast->graph_count; i++)
    look_in(ast->graph[i].statement, ast->graph[i].statement_count, &s);
  look_in(ast->statement, ast->statement_count, &s);
  return s.found;
}
