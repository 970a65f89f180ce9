// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/plan/volumes.h"

int64_t volume_limit(rsh_dtype type, int pointer) {
  int64_t bits = plan_element_bits(type), most = INT64_MAX >> (64 - pointer);
  return bits <= 8 ? most : most / (bits / 8);
}

static bool is_known(const Volume *volume) {
  for (int32_t i = 0; i < volume->shape->rank; i++)
    if (i != volume->inferred && !rsh_is_known(volume->shape->dim[i]))
      return false;
  return true;
}

static int larger(int a, int b) { return a > b ? a : b; }

// Inserts a volume in order of the nodes.
static void put(Arena *arena, const Graph *graph, Volumes *all, Volume volume) {
  const rsh_symbols *s = volume.divisor ? graph->raw : graph->symbols;
  for (int32_t i = 0; i < volume.shape->rank; i++)
    if (i != volume.inferred)
      volume.symbols = larger(volume.symbols, graph_symbols_of(s, volume.shape->dim[i]));
  VEC_PUSH(arena, all->list, volume);
  int at = all->list.count - 1;
  for (; at > 0 && all->list.item[at - 1].node > volume.node; at--)
    all->list.item[at] = all->list.item[at - 1];
  all->list.item[at] = volume;
}

static void add(Arena *arena, const Graph *graph, Volumes *all, Volume volume) {
  if (is_known(&volume))
    return; // checked at compile time
  for (int i = 0; i < all->list.count; i++) {
    Volume *old = &all->list.item[i];
    if (graph_covers(graph->symbols, old->now, volume.now)) {
      old->limit = volume.limit < old->limit ? volume.limit : old->limit;
      return;
    }
  }
  put(arena, graph, all, volume);
}

static bool is_reshape(const Graph *graph, int node) {
  return node >= 0 && node < graph->node.count &&
         rsh_op_family(graph->node.item[node]->call.op) == RSH_RESHAPES;
}

// The axis of the node's result that is not counted before its conditions; -1: none.
static int inferred_at(const Graph *graph, int node) {
  return is_reshape(graph, node) ? rsh_reshape_inferred(&graph->node.item[node]->call) : -1;
}

// A shape that was not counted at its own node is checked after the last node whose conditions are known.
static Volume volume_at(const Graph *graph, const rsh_shape *shape, int node) {
  int known = graph->known_nodes - 1;
  bool is_late = node < known;
  return (Volume){.shape = shape,
                  .now = shape,
                  .limit = INT64_MAX,
                  .node = larger(node, known),
                  .is_late = is_late,
                  .inferred = is_late ? -1 : inferred_at(graph, node)};
}

Volumes volumes_of(Arena *arena, const Plan *plan) {
  const Graph *graph = plan->graph;
  Volumes all = {0};
  for (int i = 0; i < graph->counted.count; i++) {
    const Counted *c = &graph->counted.item[i];
    put(arena, graph, &all,
        (Volume){.shape = &c->shape,
                 .now = &c->now,
                 .limit = INT64_MAX,
                 .node = c->node,
                 .inferred = inferred_at(graph, c->node),
                 .divisor = c->divisor});
  }
  for (int i = 0; i < graph->input_count; i++)
    add(arena, graph, &all, volume_at(graph, &graph->value.item[i]->shape, GUARD_WHERE));
  for (int k = 0; k < graph->node.count; k++)
    for (int32_t i = 0; i < graph->node.item[k]->call.out_count; i++)
      add(arena, graph, &all, volume_at(graph, &graph->node.item[k]->out[i]->shape, k));
  return all;
}

static bool is_before(const Graph *graph, const Volume *volume, const Guard *guard) {
  if (volume->node != guard->node)
    return volume->node < guard->node;
  return is_reshape(graph, volume->node) && !volume->is_late && guard->is_rule &&
         guard->status > RSH_overflow;
}

int volumes_before(const Volumes *volumes, int first, const Graph *graph, const Guard *guard) {
  while (first < volumes->list.count && is_before(graph, &volumes->list.item[first], guard))
    first++;
  return first;
}

// Without elements, there are no bytes, whatever the other sizes.
static void add_memory(Arena *arena, const Graph *graph, Volumes *all, const Value *value,
                       int pointer) {
  int64_t limit = volume_limit(value->dtype, pointer);
  if (limit < INT64_MAX && !rsh_shape_is_empty(&value->shape))
    add(arena, graph, all,
        (Volume){.shape = &value->shape, .now = &value->shape, .limit = limit, .inferred = -1});
}

static Volumes volumes_of_parameters(Arena *arena, const Plan *plan, int pointer) {
  const Graph *graph = plan->graph;
  Volumes all = {0};
  for (int i = 0; i < graph->input_count; i++)
    add_memory(arena, graph, &all, graph->value.item[i], pointer);
  for (int i = 0; i < graph->output_count; i++)
    add_memory(arena, graph, &all, graph->output[i].value, pointer);
  return all;
}

Volumes volumes_in_memory(Arena *arena, const Plan *plan, int pointer) {
  Volumes all = volumes_of_parameters(arena, plan, pointer);
  for (int i = 0; i < plan->stage_count; i++)
    add_memory(arena, plan->graph, &all, plan->stage[i].value, pointer);
  return all;
}

Volumes volumes_in_stages(Arena *arena, const Plan *plan, int pointer) {
  Volumes before = volumes_of_parameters(arena, plan, pointer), own = {0};
  Volumes all = volumes_in_memory(arena, plan, pointer);
  for (int i = 0; i < all.list.count; i++)
    if (i >= before.list.count || all.list.item[i].limit < before.list.item[i].limit)
      VEC_PUSH(arena, own.list, all.list.item[i]);
  return own;
}
