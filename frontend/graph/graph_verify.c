// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/graph/graph_verify.h"

static bool is_in(const Graph *g, const Value *v) {
  return v && v->id >= 0 && v->id < g->value.count && g->value.item[v->id] == v;
}

static const char *check_shape(const rsh_shape *shape) {
  if (shape->rank < RSH_RANK_UNKNOWN || shape->rank > RSH_MAX_RANK)
    return "an invalid rank";
  for (int32_t i = 0; i < shape->rank; i++)
    if (rsh_is_known(shape->dim[i]) && shape->dim[i].n < 0)
      return "a size below 0";
  return NULL;
}

static const char *check_value(const Graph *g, int id) {
  const Value *v = g->value.item[id];
  if (v->id != id)
    return "a value with the wrong number";
  if (id < g->input_count && (v->node || v->data))
    return "an input that is computed";
  if (v->node &&
      (v->result < 0 || v->result >= v->node->call.out_count || v->node->out[v->result] != v))
    return "a result of another node";
  return check_shape(&v->shape);
}

// Operands are computed before they are used, so their ids are lower than those of the results.
static const char *check_node(const Graph *g, const Node *n) {
  const rsh_call *call = &n->call;
  if ((unsigned)call->op >= RSH_OP_COUNT || call->in_count < 0 || call->out_count < 1)
    return "a node that is not an operator";
  for (int32_t k = 0; k < call->out_count; k++)
    if (!is_in(g, n->out[k]) || n->out[k]->node != n)
      return "a node whose result belongs to another node";
  for (int32_t i = 0; i < call->in_count; i++) {
    if (!is_in(g, n->in[i]) || n->in[i]->id >= n->out[0]->id)
      return "an operand that is used before it is computed";
    if (call->in[i] != &n->in[i]->shape || call->in_type[i] != n->in[i]->dtype)
      return "an operand whose type differs from its value's";
  }
  return NULL;
}

// Edges are computed from earlier symbols.
static const char *check_symbol(const Graph *g, int i) {
  const Symbol *s = &g->symbol.item[i];
  bool is_late = s->is_edge && (graph_symbols_of(g->raw, s->edge.at) > i ||
                                graph_symbols_of(g->raw, s->edge.size) > i ||
                                graph_symbols_of(g->raw, s->edge.least) > i);
  if (is_late)
    return "an edge of a later symbol";
  return s->divisor < 1 ? "a symbol without a divisor" : NULL;
}

static const char *check_guard(const Graph *g, const Guard *guard) {
  if (guard_symbols(g, guard) > g->symbol.count)
    return "a condition of something that is not a symbol";
  return guard->status <= RSH_ok ? "a condition without a status" : NULL;
}

const char *graph_verify(const Graph *g) {
  const char *wrong = NULL;
  for (int i = 0; !wrong && i < g->value.count; i++)
    wrong = check_value(g, i);
  for (int i = 0; !wrong && i < g->node.count; i++)
    wrong = check_node(g, g->node.item[i]);
  for (int i = 0; !wrong && i < g->symbol.count; i++)
    wrong = check_symbol(g, i);
  for (int i = 0; !wrong && i < g->guard.count; i++)
    wrong = check_guard(g, &g->guard.item[i]);
  for (int i = 0; !wrong && i < g->output_count; i++)
    wrong = is_in(g, g->output[i].value) ? NULL : "a result that is not one of its values";
  return wrong;
}

// ---- moves ----

// The number of elements that moves write; below 0: it is not constant.
static int64_t written(const rsh_moves *m) {
  int64_t all = 0;
  for (int32_t i = 0; i < m->count; i++) {
    int64_t one = 1;
    for (int32_t k = 0; k < m->move[i].axis_count; k++) {
      rsh_num extent = m->axis[m->move[i].first + k].extent;
      if (!rsh_is_known(extent) || __builtin_mul_overflow(one, extent.n, &one))
        return -1;
    }
    if (__builtin_add_overflow(all, one, &all))
      return -1;
  }
  return all;
}

static const char *check_moves(const Graph *g, const Value *v, const rsh_moves *m) {
  rsh_num volume;
  int64_t elements = m ? written(m) : -1;
  for (int32_t i = 0; m && i < m->count; i++) {
    int32_t source = m->move[i].source;
    if (rsh_is_fill(source) ? -1 - source >= g->fill.count : source >= g->value.count)
      return "moves from something that is not one of its values";
    if (!rsh_is_fill(source) && !graph_is_source(g, source) && !g->value.item[source]->is_staged)
      return "moves from a value without memory";
    if (m->move[i].map < 0 || m->move[i].map >= g->maps.count)
      return "moves through an invalid chain";
  }
  if (elements >= 0 && rsh_volume(g->symbols, &v->shape, &volume) == RSH_ok &&
      rsh_is_known(volume) && volume.n * rsh_moves_parts(m) != elements)
    return "moves that make the wrong number of elements";
  return NULL;
}

const char *graph_verify_moves(const Graph *g) {
  const char *wrong = NULL;
  for (int i = 0; !wrong && i < g->value.count; i++) {
    wrong = check_moves(g, g->value.item[i], g->value.item[i]->moves);
    wrong = wrong ? wrong : check_moves(g, g->value.item[i], g->value.item[i]->feed);
  }
  return wrong;
}
