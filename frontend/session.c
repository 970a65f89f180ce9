// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers statements like those of a graph, but one at a time; a name may be reassigned.
#include "frontend/session.h"

#include "frontend/graph/fold_graph.h"
#include "frontend/lower/lower_internal.h"

#include <string.h>

struct Session {
  Library library;
  Lower lower;
  Known known;
};

Session *session_new(Arena *arena, Diag *diag) {
  Session *s = ARENA_NEW(arena, Session);
  library_start(arena, &s->library);
  known_start(arena, &s->known, false);
  s->lower = (Lower){.arena = arena,
                     .diag = diag,
                     .library = &s->library,
                     .graph = ARENA_NEW(arena, Graph),
                     .known = &s->known,
                     .is_session = true};
  s->lower.graph->name = "script";
  return s;
}

void session_free(Session *s) {
  HASH_CLEAR(hh, s->lower.names);
  library_free(&s->library);
}

// ---- graphs

void session_add_graphs(Session *s, const Ast *ast) {
  for (int i = 0; i < ast->graph_count; i++) {
    Callee *old;
    HASH_FIND_STR(s->library.callees, ast->graph[i].name, old);
    if (old)
      HASH_DEL(s->library.callees, old);
  }
  Module module = {.graph = ARENA_ARRAY(s->lower.arena, Graph *, ast->graph_count)};
  library_add(s->lower.arena, &s->library, ast, &module, s->lower.diag);
}

bool session_can_call(const Session *s, const char *name) {
  const OpEntry *op;
  HASH_FIND_STR(s->library.ops, name, op);
  return op || strcmp(name, "rearrange") == 0 || session_graph(s, name);
}

const Graph *session_graph(const Session *s, const char *name) {
  const Callee *callee;
  HASH_FIND_STR(s->library.callees, name, callee);
  return callee ? callee->graph : NULL;
}

int session_callables(const Session *s, const char **name, int room) {
  int count = 0;
  if (count < room)
    name[count++] = "rearrange";
  for (const OpEntry *op = s->library.ops; op && count < room; op = op->hh.next)
    name[count++] = op->name;
  for (const Callee *c = s->library.callees; c && count < room; c = c->hh.next)
    name[count++] = c->name;
  return count;
}

// ---- names

Value *session_input(Session *s, const char *name, rsh_dtype dtype, const rsh_shape *shape,
                     Span span) {
  Value *value = value_new(&s->lower, dtype, shape, span);
  value->name = name;
  return value;
}

void session_name(Session *s, const char *text, Value *value, Span span) {
  Name *old = name_find(&s->lower, text);
  if (old)
    HASH_DEL(s->lower.names, old);
  if (!value)
    return;
  Name *name = name_add(&s->lower, text, span);
  name->kind = NAME_VALUE;
  name->value = value;
}

Value *session_find(const Session *s, const char *name) {
  const Name *found = name_find(&s->lower, name);
  return found ? found->value : NULL;
}

int session_names(const Session *s, const char **name, int room) {
  int count = 0;
  for (const Name *n = s->lower.names; n && count < room; n = n->hh.next)
    if (n->text[0] != '#') // hidden
      name[count++] = n->text;
  return count;
}

// ---- marks

SessionMark session_mark(const Session *s) {
  const Graph *graph = s->lower.graph;
  return (SessionMark){graph->value.count, graph->node.count, graph->fill.count,
                       graph->table.count};
}

bool session_rewind(Session *s, SessionMark mark) {
  Graph *graph = s->lower.graph;
  for (const Name *n = s->lower.names; n; n = n->hh.next)
    if (n->value && n->value->id >= mark.values)
      return false;
  graph->value.count = mark.values;
  graph->node.count = mark.nodes;
  graph->fill.count = mark.fills;
  graph->table.count = mark.tables;
  return true;
}

// ---- statements and expressions

// Data never decides a shape here: shapes are resolved when a statement is read.
static bool is_decided(Session *s, int first_node, Span span) {
  const Graph *graph = s->lower.graph;
  for (int i = first_node; i < graph->node.count; i++)
    if (graph->node.item[i]->data || graph->node.item[i]->is_undecided) {
      diag_error(s->lower.diag, span, "unsupported",
                 "a shape that is read from a tensor is not known here: write ints(...) around the "
                 "tensor to get its values as a list");
      return false;
    }
  return true;
}

// Checks the views among the values from `first` on, which the statement made.
static bool has_kept_views(Session *s, int first) {
  const DiagMark mark = diag_mark(s->lower.diag);
  for (int i = first; i < s->lower.graph->value.count; i++) {
    Value *value = s->lower.graph->value.item[i];
    if (!value->is_view || !value->name) // without a name: in a graph that the statement calls
      continue;
    Value *const *inputs;
    Graph *graph = session_subgraph(s, &value, 1, &inputs);
    graph->output[0].value->is_view = true;
    graph->output[0].value->view_span = value->view_span;
    fold_graph(s->lower.arena, graph, s->lower.diag);
  }
  return s->lower.diag->errors == mark.errors;
}

bool session_statement(Session *s, const Statement *statement) {
  int first = s->lower.graph->node.count, values = s->lower.graph->value.count;
  s->lower.failed = false;
  lower_statement(&s->lower, statement);
  return !s->lower.failed && is_decided(s, first, statement->value->span) &&
         has_kept_views(s, values);
}

Value **session_values(Session *s, const Expr *e, int wanted, int *count) {
  int first = s->lower.graph->node.count;
  s->lower.failed = false;
  s->lower.wanted = wanted;
  Values values = lower_values(&s->lower, e);
  *count = values.count;
  bool good = !s->lower.failed && values.count > 0 && is_decided(s, first, e->span);
  return good ? values.item : NULL;
}

Value *session_value(Session *s, const Expr *e) {
  int first = s->lower.graph->node.count;
  s->lower.failed = false;
  Value *value = lower_value(&s->lower, e);
  bool good = !s->lower.failed && value && is_decided(s, first, e->span);
  return good ? value : NULL;
}

bool session_int(Session *s, const Expr *e, int64_t *n) {
  Problem problem = {0};
  rsh_num num;
  bool good = int_expr(&s->lower, e, &num, &problem);
  if (!good)
    problem_report(&s->lower, &problem);
  *n = good ? num.n : 0;
  return good;
}

// ---- subgraphs

typedef struct Subgraph {
  Arena *arena;
  const Graph *of;
  Graph *graph;
  bool *is_needed; // by id
  Value **copy;    // by id
  VEC(Value *) input;
} Subgraph;

// Backwards: operands of needed values are needed.
static void mark_needed(Subgraph *c) {
  for (int i = c->of->node.count - 1; i >= 0; i--) {
    const Node *node = c->of->node.item[i];
    bool needed = false;
    for (int k = 0; k < node->call.out_count; k++)
      needed = needed || c->is_needed[node->out[k]->id];
    for (int k = 0; needed && k < node->call.in_count; k++)
      c->is_needed[node->in[k]->id] = true;
  }
}

static Value *copy_value(Subgraph *c, const Value *value) {
  Value *copy = ARENA_NEW(c->arena, Value);
  *copy = *value;
  copy->id = c->graph->value.count;
  copy->original = NULL;
  copy->is_view = false; // checked when the value was named
  VEC_PUSH(c->arena, c->graph->value, copy);
  c->copy[value->id] = copy;
  return copy;
}

static void copy_node(Subgraph *c, const Node *node) {
  bool needed = false;
  for (int k = 0; k < node->call.out_count; k++)
    needed = needed || c->is_needed[node->out[k]->id];
  if (!needed)
    return;
  Node *copy = ARENA_NEW(c->arena, Node);
  *copy = *node;
  copy->call.symbols = NULL;
  copy->in = ARENA_ARRAY(c->arena, Value *, node->call.in_count);
  copy->out = ARENA_ARRAY(c->arena, Value *, node->call.out_count);
  const rsh_shape **shape = ARENA_ARRAY(c->arena, const rsh_shape *, node->call.in_count);
  for (int k = 0; k < node->call.in_count; k++) {
    copy->in[k] = c->copy[node->in[k]->id];
    shape[k] = &copy->in[k]->shape;
  }
  copy->call.in = shape;
  graph_take_constants(c->arena, c->graph, c->of, &copy->call);
  for (int k = 0; k < node->call.out_count; k++) {
    copy->out[k] = copy_value(c, node->out[k]);
    copy->out[k]->node = copy;
  }
  VEC_PUSH(c->arena, c->graph->node, copy);
}

Graph *session_subgraph(Session *s, Value *const *value, int count, Value *const **inputs) {
  Lower *l = &s->lower;
  Value **out = ARENA_ARRAY(l->arena, Value *, count);
  for (int i = 0; i < count; i++) // an output must be computed by a node
    out[i] = value[i]->node ? value[i] : apply_identity(l, value[i], value[i]->span);
  const Graph *of = l->graph;
  Subgraph c = {.arena = l->arena, .of = of, .graph = ARENA_NEW(l->arena, Graph)};
  c.is_needed = ARENA_ARRAY(l->arena, bool, of->value.count);
  c.copy = ARENA_ARRAY(l->arena, Value *, of->value.count);
  c.graph->name = of->name;
  for (int i = 0; i < count; i++)
    c.is_needed[out[i]->id] = true;
  mark_needed(&c);
  for (int i = 0; i < of->value.count; i++)
    if (c.is_needed[i] && !of->value.item[i]->node) {
      copy_value(&c, of->value.item[i]);
      VEC_PUSH(l->arena, c.input, of->value.item[i]);
    }
  c.graph->input_count = c.input.count;
  for (int i = 0; i < of->node.count; i++)
    copy_node(&c, of->node.item[i]);
  c.graph->output_count = count;
  c.graph->output = ARENA_ARRAY(l->arena, Output, count);
  for (int i = 0; i < count; i++) {
    Value *copy = c.copy[out[i]->id];
    const char *name = value[i]->name ? value[i]->name : "result";
    c.graph->output[i] = (Output){.name = name, .span = value[i]->span, .value = copy};
  }
  *inputs = c.input.item;
  return c.graph;
}
