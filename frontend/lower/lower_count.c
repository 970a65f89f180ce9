// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element counts that must fit 64 bits, in text order: a call that counts elements cannot use facts about sizes
// from later statements.
//
//   graph f(x: u8[A, B, C]) -> y {
//       y, _z = split(x, 0, sizes=[1, 2])      A is 3 from here on; before, A*B*C are counted, not 3*B*C
#include "frontend/lower/lower_internal.h"

// The sizes over the symbols themselves: if W is 16*w, w is W over 16. False: not all of them can be expressed.
static bool to_raw(Facts *facts, const rsh_shape *shape, Counted *counted) {
  counted->shape.rank = shape->rank;
  for (int32_t i = 0; i < shape->rank; i++) {
    Guard size = {.kind = WHERE_EQ, .left = shape->dim[i], .right = rsh_int(1)}, raw;
    if (rsh_is_unknown(shape->dim[i]) || !facts_to_raw(facts, &size, &raw))
      return false;
    counted->shape.dim[i] = raw.left;
    counted->divisor[i] = raw.right.n;
  }
  return true;
}

// The sizes as they are known now; of unknown rank if some cannot be expressed.
static rsh_shape sizes_now(Facts *facts, const Counted *counted) {
  rsh_shape shape = {.rank = counted->shape.rank};
  for (int32_t i = 0; i < shape.rank; i++) {
    Guard size = {.kind = WHERE_EQ, .left = counted->shape.dim[i]}, now;
    if (!facts_from_raw(facts, &size, &now) ||
        !rsh_div(facts->symbols, now.left, rsh_int(counted->divisor[i]), &shape.dim[i]))
      return (rsh_shape){.rank = RSH_RANK_UNKNOWN};
  }
  return shape;
}

static bool is_counted(Lower *l, const rsh_shape *shape) {
  rsh_num count;
  if (!graph_count(l->graph->symbols, shape, &count) || rsh_is_known(count))
    return true;
  for (int i = 0; i < l->known->counted.count; i++) {
    rsh_shape now = sizes_now(&l->known->facts, &l->known->counted.item[i]);
    if (graph_covers(l->graph->symbols, &now, shape))
      return true;
  }
  return false;
}

static void keep(Lower *l, const Value *value, int node) {
  rsh_symbols *raw = l->known->facts.raw;
  Counted counted = {.node = node};
  if (raw->poly_count < raw->poly_capacity / 2 && raw->term_count < raw->term_capacity / 2 &&
      !is_counted(l, &value->shape) && to_raw(&l->known->facts, &value->shape, &counted))
    VEC_PUSH(l->arena, l->known->counted, counted);
}

// Counts that were kept before are not kept again, since they would depend on later conditions.
void counts_keep(Lower *l) {
  const Graph *graph = l->graph;
  Known *known = l->known;
  if (l->stage < 0)
    return;
  for (int i = known->kept_inputs; i < graph->input_count; i++)
    keep(l, graph->value.item[i], GUARD_WHERE);
  for (int k = known->kept_nodes; k < graph->node.count; k++)
    for (int32_t i = 0; i < graph->node.item[k]->call.out_count; i++)
      keep(l, graph->node.item[k]->out[i], k);
  known->kept_inputs = graph->input_count;
  if (known->kept_nodes < graph->node.count)
    known->kept_nodes = graph->node.count;
}

// The node before which a condition of an earlier pass is checked: facts may leave fewer nodes than that pass had.
static int node_now(const Lower *l, int node) {
  return node < l->graph->node.count ? node : l->graph->node.count;
}

void counts_add(Lower *l) {
  Graph *graph = l->graph;
  for (int i = 0; i < graph->guard.count; i++)
    graph->guard.item[i].node = node_now(l, graph->guard.item[i].node);
  for (int i = 0; i < l->known->guard.count; i++) {
    int node = node_now(l, l->known->guard.item[i].node);
    if (node >= graph->known_nodes)
      graph->known_nodes = node + 1;
  }
  for (int i = 0; i < l->known->counted.count; i++) {
    Counted counted = l->known->counted.item[i];
    counted.now = sizes_now(&l->known->facts, &counted);
    VEC_PUSH(l->arena, graph->counted, counted);
  }
}
