// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts nodes topologically. Keeps the order of the file where possible.
//
//   0 Add(a, b) -> c    1 Relu(x) -> a    2 Neg(a) -> b        1 2 0
#include "frontend/onnx/onnx_internal.h"

#include <string.h>

// A name defined by a node of the graph, or within a subgraph.
typedef struct Given {
  const char *name;
  size_t node;
  UT_hash_handle hh;
} Given;

typedef struct Scope {
  Given *own;
  const struct Scope *outer; // of the enclosing subgraph; NULL: the node's own
} Scope;

typedef enum State { NEW, OPEN, DONE } State;

typedef struct Order {
  Arena *arena;
  Onnx__NodeProto *const *node;
  size_t count;
  Given *given; // by nodes of the graph
  State *state;
  VEC(size_t) path; // the nodes being visited, each read by the one before it
  VEC(size_t) done;
} Order;

static void give(Arena *arena, Given **given, const char *name, size_t node) {
  Given *found = NULL;
  if (!*name)
    return;
  HASH_FIND_STR(*given, name, found);
  if (found)
    return;
  found = ARENA_NEW(arena, Given);
  *found = (Given){.name = name, .node = node};
  HASH_ADD_KEYPTR(hh, *given, found->name, strlen(found->name), found);
}

static void add_read(Arena *arena, const Scope *scope, const char *name, OnnxNames *reads) {
  Given *found = NULL;
  for (; scope; scope = scope->outer) {
    HASH_FIND_STR(scope->own, name, found);
    if (found)
      return;
  }
  if (*name)
    VEC_PUSH(arena, *reads, name);
}

static void add_reads(Arena *arena, const Scope *scope, const Onnx__NodeProto *node,
                      OnnxNames *reads);

// Collects the outer names that a subgraph reads.
static void add_body(Arena *arena, const Scope *outer, const Onnx__GraphProto *graph,
                     OnnxNames *reads) {
  Scope scope = {NULL, outer};
  for (size_t i = 0; i < graph->n_initializer; i++)
    give(arena, &scope.own, graph->initializer[i]->name, 0);
  for (size_t i = 0; i < graph->n_input; i++)
    give(arena, &scope.own, graph->input[i]->name, 0);
  for (size_t i = 0; i < graph->n_node; i++)
    for (size_t k = 0; k < graph->node[i]->n_output; k++)
      give(arena, &scope.own, graph->node[i]->output[k], 0);
  for (size_t i = 0; i < graph->n_node; i++)
    add_reads(arena, &scope, graph->node[i], reads);
  for (size_t i = 0; i < graph->n_output; i++)
    add_read(arena, &scope, graph->output[i]->name, reads);
  HASH_CLEAR(hh, scope.own);
}

static void add_reads(Arena *arena, const Scope *scope, const Onnx__NodeProto *node,
                      OnnxNames *reads) {
  for (size_t i = 0; i < node->n_input; i++)
    add_read(arena, scope, node->input[i], reads);
  const Onnx__GraphProto *body;
  for (BodyPlace at = {0}; (body = onnx_next_body(node, &at));)
    add_body(arena, scope, body, reads);
}

void onnx_node_reads(Arena *arena, const Onnx__NodeProto *node, OnnxNames *reads) {
  add_reads(arena, NULL, node, reads);
}

// "'b' <- 'a' <- 'b'", from the first of these nodes in the file.
static OnnxCycle cycle_of(const Order *o, size_t first) {
  int begin = o->path.count - 1;
  const char *text = "", *name = NULL;
  while (o->path.item[begin] != first)
    begin--;
  for (int i = begin; i <= o->path.count; i++) {
    const Onnx__NodeProto *node = o->node[i < o->path.count ? o->path.item[i] : first];
    name = node->n_output > 0 ? node->output[0] : "";
    text = arena_printf(o->arena, "%s%s'%s'", text, *text ? " <- " : "", name);
  }
  return (OnnxCycle){first, text};
}

static bool finish_node(Order *o, OnnxNames *reads, int *next, OnnxCycle *cycle) {
  size_t node = o->path.item[o->path.count - 1];
  int depth = o->path.count - 1;
  while (next[depth] < reads[depth].count) {
    Given *given;
    HASH_FIND_STR(o->given, reads[depth].item[next[depth]], given);
    next[depth]++;
    if (!given)
      continue;
    size_t from = given->node;
    if (o->state[from] == OPEN) {
      *cycle = cycle_of(o, from);
      return false;
    }
    if (o->state[from] == NEW) {
      VEC_PUSH(o->arena, o->path, from);
      o->state[from] = OPEN;
      next[depth + 1] = 0;
      reads[depth + 1] = (OnnxNames){0};
      onnx_node_reads(o->arena, o->node[from], &reads[depth + 1]);
      return true;
    }
  }
  o->state[node] = DONE;
  VEC_PUSH(o->arena, o->done, node);
  o->path.count--;
  return true;
}

const size_t *onnx_order(Arena *arena, Onnx__NodeProto *const *node, size_t count,
                         OnnxCycle *cycle) {
  Order o = {.arena = arena, .node = node, .count = count};
  OnnxNames *reads = ARENA_ARRAY(arena, OnnxNames, count + 2);
  int *next = ARENA_ARRAY(arena, int, count + 2);
  o.state = ARENA_ARRAY(arena, State, count + 1);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < node[i]->n_output; k++)
      give(arena, &o.given, node[i]->output[k], i);
  bool good = true;
  for (size_t i = 0; i < count && good; i++) {
    if (o.state[i] != NEW)
      continue;
    VEC_PUSH(arena, o.path, i);
    o.state[i] = OPEN;
    next[0] = 0;
    reads[0] = (OnnxNames){0};
    onnx_node_reads(arena, node[i], &reads[0]);
    while (good && o.path.count > 0)
      good = finish_node(&o, reads, next, cycle);
  }
  HASH_CLEAR(hh, o.given);
  VEC_PUSH(arena, o.done, 0); // never NULL, even without nodes
  return good ? o.done.item : NULL;
}
