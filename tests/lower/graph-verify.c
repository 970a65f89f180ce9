// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// Graphs with one thing changed: graph_verify names the broken invariant, before and after folding.
#include "frontend/graph/fold_graph.h"
#include "frontend/graph/graph_verify.h"
#include "frontend/lower/lower.h"
#include "grammar/parse.h"

#include <stdio.h>
#include <string.h>

static const char text[] = "graph g(x: f32[B, 3], k: f32[N]) -> (y, z) where B >= 2 {\n"
                           "    y = relu(transpose(x))\n"
                           "    z = k[:B]\n"
                           "}\n";

static int failures;

static Graph *make(Arena *arena, bool folds) {
  Diag *diag = ARENA_NEW(arena, Diag);
  Source *source = source_from_text(arena, "g", text, strlen(text));
  *diag = (Diag){.arena = arena, .file = "g", .source = source};
  Graph *graph = lower_module(arena, parse_source(arena, source, diag), diag)->graph[0];
  if (folds)
    fold_graph(arena, graph, diag);
  diag_print(diag, stderr, false);
  return graph;
}

static void expect(const char *wrong, const char *what) {
  if (what ? !wrong || !strstr(wrong, what) : wrong != NULL) {
    fprintf(stderr, "want '%s', got '%s'\n", what ? what : "", wrong ? wrong : "");
    failures++;
  }
}

// The moves of a folded value, made mutable.
static rsh_moves *moves_of(Value *v) { return (rsh_moves *)(uintptr_t)v->moves; }

int main(void) {
  Arena *arena = arena_new();
#define BROKEN(what, ...)                                                                          \
  do {                                                                                             \
    Graph *g = make(arena, false);                                                                 \
    Node *n = g->node.item[0];                                                                     \
    (void)n;                                                                                       \
    __VA_ARGS__;                                                                                   \
    expect(graph_verify(g), what);                                                                 \
  } while (0)
  BROKEN(NULL, (void)0);
  BROKEN("the wrong number", g->value.item[1]->id = 7);
  BROKEN("an input that is computed", g->value.item[0]->node = n);
  BROKEN("a result of another node", n->out[0]->node = g->node.item[1]);
  BROKEN("an invalid rank", g->value.item[0]->shape.rank = -2);
  BROKEN("a size below 0", g->value.item[0]->shape.dim[1] = rsh_int(-3));
  BROKEN("not an operator", n->call.op = RSH_OP_COUNT);
  BROKEN("used before it is computed", n->in[0] = n->out[0]);
  BROKEN("type differs from its value", n->in[0]->dtype = RSH_F64);
  BROKEN("later symbol", g->symbol.item[0] = g->symbol.item[g->symbol.count - 1]);
  BROKEN("without a divisor", g->symbol.item[0].divisor = 0);
  BROKEN("without a status", g->guard.item[0].status = RSH_ok);
  BROKEN("not one of its values", g->output[0].value = ARENA_NEW(arena, Value));
#define UNFOLDED(what, ...)                                                                        \
  do {                                                                                             \
    Graph *g = make(arena, true);                                                                  \
    rsh_moves *m = moves_of(g->output[0].value);                                                   \
    __VA_ARGS__;                                                                                   \
    expect(graph_verify_moves(g), what);                                                           \
  } while (0)
  UNFOLDED(NULL, (void)m);
  UNFOLDED("not one of its values", m->move[0].source = 99);
  UNFOLDED("without memory", m->move[0].source = g->output[0].value->id);
  UNFOLDED("an invalid chain", m->move[0].map = 99);
  UNFOLDED("the wrong number of elements", g->output[0].value->shape.dim[1] = rsh_int(4),
           m->axis[0].extent = m->axis[1].extent = rsh_int(3));
  arena_free(arena);
  return failures != 0;
}
