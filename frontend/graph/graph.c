// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs: symbols and edges, counts of elements, kinds of graph, and unique tables of constants.
#include "frontend/graph/graph.h"

#include <string.h>

uint32_t graph_roots(const Graph *graph, uint32_t symbols) {
  uint32_t roots = 0;
  for (int i = 0; i < graph->symbol.count; i++) {
    const Symbol *symbol = &graph->symbol.item[i];
    if ((symbols >> i & 1) == 0)
      continue;
    roots |= !symbol->is_edge
                 ? UINT32_C(1) << i
                 : graph_roots(graph, rsh_atoms_of(graph->raw, symbol->edge.at) |
                                          rsh_atoms_of(graph->raw, symbol->edge.size) |
                                          rsh_atoms_of(graph->raw, symbol->edge.least));
  }
  return roots;
}

const rsh_shape *value_dims(const Value *value) { return &value_logical(value)->shape; }

rsh_shape value_known_dims(const Graph *graph, const Value *value) {
  rsh_shape shape = *value_dims(value);
  for (int k = 0; k < graph->output_count; k++) {
    const rsh_shape *declared = graph->output[k].declared;
    if (!declared || graph->output[k].logical != value_logical(value))
      continue;
    for (int32_t i = 0; shape.rank == RSH_RANK_UNKNOWN && i < declared->rank; i++)
      shape.dim[i] = (rsh_num){INT64_MAX, RSH_UNKNOWN}; // nothing is known of it
    shape.rank = declared->rank;
    for (int32_t i = 0; i < shape.rank; i++)
      if (rsh_is_unknown(shape.dim[i]) && !rsh_is_unknown(declared->dim[i]))
        shape.dim[i] = declared->dim[i];
  }
  return shape;
}

bool graph_is_alias(const Graph *graph, const Value *value, const rsh_moves *moves, int32_t *source,
                    rsh_num *offset) {
  if (!rsh_moves_is_alias(graph->symbols, moves, source, offset))
    return false;
  if (moves->count == 0)
    return true;
  int have = rsh_dtype_bits(graph->value.item[*source]->dtype), want = rsh_dtype_bits(value->dtype);
  return want >= have ? have == 0 || rsh_mul(graph->symbols, *offset, rsh_int(want / have), offset)
                      : rsh_div(graph->symbols, *offset, rsh_int(have / want), offset);
}

const rsh_step *graph_map_steps(Arena *arena, const Graph *graph, int32_t map, int *count) {
  *count = 0;
  for (int32_t m = map; m != 0; m = graph->maps.map[m].before)
    ++*count;
  rsh_step *step = ARENA_ARRAY(arena, rsh_step, *count);
  for (int i = *count; i > 0; map = graph->maps.map[map].before)
    step[--i] = graph->maps.map[map].step;
  return step;
}

void graph_atoms(const Graph *graph, const int64_t *symbol, int64_t *atom) {
  for (int i = 0; i < graph->symbol.count; i++)
    atom[i] = symbol[i] / graph->symbol.item[i].divisor;
}

// The value of a symbol whose edge is known in terms of the others. A condition refuses sizes that make it less than 0,
// so any value does; but those computed from it must fit, or that would be reported instead.
//   either(S-1, S) of S = 0     0, and 12*S / either(S-1, S) is 0
static bool edge_value(const Graph *graph, const Edge *edge, const int64_t *symbol, int64_t *out) {
  int64_t at, size, least;
  bool fits = rsh_eval(graph->raw, edge->at, symbol, &at) &&
              rsh_eval(graph->raw, edge->size, symbol, &size) &&
              rsh_eval(graph->raw, edge->least, symbol, &least) &&
              rsh_edge(edge->kind, at, size, least, out) == RSH_ok;
  if (fits && *out < 0)
    *out = 0;
  return fits;
}

bool graph_count(rsh_symbols *s, const rsh_shape *shape, rsh_num *out) {
  rsh_shape others = {.rank = shape->rank < 0 ? shape->rank : 0};
  for (int32_t i = 0; i < shape->rank; i++)
    if (!rsh_is(shape->dim[i], 0))
      others.dim[others.rank++] = shape->dim[i];
  return rsh_volume(s, &others, out) == RSH_ok && !rsh_is_unknown(*out);
}

// Whether a size is a product of sizes of a shape that are not taken yet; takes those.
static bool take(rsh_symbols *s, rsh_num size, const rsh_shape *of, bool *is_taken) {
  for (int32_t i = 0; i < of->rank && !rsh_is(size, 1); i++) {
    rsh_num rest;
    if (is_taken[i] || rsh_is(of->dim[i], 1) || !rsh_div(s, size, of->dim[i], &rest))
      continue;
    is_taken[i] = true;
    size = rest;
  }
  return rsh_is(size, 1);
}

// Multiplies by a known size other than 0.
static bool multiply(rsh_symbols *s, rsh_num size, rsh_num *product) {
  return rsh_is_known(size) && (size.n == 0 || rsh_mul(s, *product, size, product));
}

bool graph_covers(rsh_symbols *s, const rsh_shape *shape, const rsh_shape *other) {
  bool is_taken[RSH_MAX_RANK] = {false}, covers = shape->rank >= 0 && other->rank >= 0;
  rsh_num left = rsh_int(1), known = rsh_int(1);
  for (int32_t i = 0; covers && i < other->rank; i++)
    covers = multiply(s, other->dim[i], &known) || take(s, other->dim[i], shape, is_taken);
  for (int32_t i = 0; covers && i < shape->rank; i++)
    covers = is_taken[i] || multiply(s, shape->dim[i], &left);
  return covers && rsh_equal(left, known);
}

bool graph_edges(const Graph *graph, int64_t *symbol) {
  for (int i = 0; i < graph->symbol.count; i++)
    if (graph->symbol.item[i].is_edge &&
        !edge_value(graph, &graph->symbol.item[i].edge, symbol, &symbol[i]))
      return false;
  return true;
}

bool graph_has_edges(const Graph *graph) {
  for (int i = 0; i < graph->symbol.count; i++)
    if (graph->symbol.item[i].is_edge)
      return true;
  return false;
}

bool graph_has_atom(const Graph *graph, int i) {
  const Symbol *symbol = &graph->symbol.item[i];
  rsh_terms t = rsh_terms_of(graph->symbols, symbol->num);
  return rsh_next_term(&t) && t.left == 0 && t.coef == symbol->divisor && rsh_degree(&t) == 1 &&
         rsh_next_atom(&t) == i;
}

bool graph_is_static(const Graph *graph) {
  for (int i = 0; i < graph->value.count; i++) {
    const rsh_shape *shape = &graph->value.item[i]->shape;
    if (shape->rank == RSH_RANK_UNKNOWN)
      return false;
    for (int32_t k = 0; k < shape->rank; k++)
      if (!rsh_is_known(shape->dim[k]))
        return false;
  }
  return true;
}

bool graph_has_inner(const Graph *graph, rsh_num n) {
  uint32_t atoms = rsh_atoms_of(graph->symbols, n);
  for (int i = 0; i < graph->symbol.count; i++)
    if (!symbol_is_parameter(&graph->symbol.item[i]) && (atoms >> i & 1) != 0)
      return true;
  return false;
}

bool graph_are_at_entry(const Graph *graph, uint32_t symbols) {
  uint32_t from = graph_roots(graph, symbols);
  bool are_known = true;
  for (int i = 0; i < graph->symbol.count; i++) {
    const Value *of = graph->symbol.item[i].of;
    if (of && (from >> i & 1) != 0)
      are_known = are_known && of->id < graph->input_count;
  }
  return are_known;
}

bool graph_picks(const Graph *graph) {
  for (int i = 0; i < graph->node.count; i++)
    if (rsh_takes_indices(&graph->node.item[i]->call))
      return true;
  return false;
}

bool graph_takes_tensors(const Graph *graph) {
  for (int i = 0; i < graph->input_count; i++)
    if (graph->value.item[i]->shape.rank == RSH_RANK_UNKNOWN)
      return true;
  return false;
}

int graph_symbols_of(const rsh_symbols *s, rsh_num n) {
  int count = 0;
  for (uint32_t atoms = rsh_atoms_of(s, n); atoms != 0; atoms >>= 1)
    count++;
  return count;
}

static int larger(int a, int b) { return a > b ? a : b; }

int guard_symbols(const Graph *graph, const Guard *guard) {
  int sides =
      larger(graph_symbols_of(graph->raw, guard->left), graph_symbols_of(graph->raw, guard->right));
  return larger(sides, graph_symbols_of(graph->raw, guard->remainder_of));
}

int shape_symbols(const Graph *graph, const rsh_shape *shape) {
  int count = 0;
  for (int i = 0; i < shape->rank; i++)
    count = larger(count, graph_symbols_of(graph->symbols, shape->dim[i]));
  return count;
}

bool graph_is_dynamic(const Graph *graph) {
  if (graph_takes_tensors(graph))
    return true;
  for (int i = 0; i < graph->node.count; i++)
    if (graph->node.item[i]->is_undecided)
      return true;
  return false;
}

void graph_mark_operands(const Graph *graph, bool *is_marked) {
  for (int i = graph->node.count - 1; i >= 0; i--) {
    const Node *n = graph->node.item[i];
    bool is_needed = false;
    for (int32_t k = 0; k < n->call.out_count; k++)
      is_needed = is_needed || is_marked[n->out[k]->id];
    for (int32_t k = 0; is_needed && k < n->call.in_count; k++)
      is_marked[n->in[k]->id] = true;
  }
}

int32_t graph_fill(Arena *arena, Graph *graph, const Fill *fill) {
  for (int i = 0; i < graph->fill.count; i++)
    if (graph->fill.item[i].dtype == fill->dtype &&
        memcmp(graph->fill.item[i].bits, fill->bits, sizeof fill->bits) == 0)
      return i;
  VEC_PUSH(arena, graph->fill, *fill);
  return graph->fill.count - 1;
}

static bool same_table(const Table *a, const Table *b) {
  bool same = a->dtype == b->dtype && a->count == b->count;
  for (int32_t i = 0; same && i < a->count; i++)
    same = rsh_equal(a->bits[i], b->bits[i]);
  return same;
}

uint32_t graph_table(Arena *arena, Graph *graph, const Table *table) {
  for (int i = 0; i < graph->table.count; i++)
    if (same_table(&graph->table.item[i], table))
      return (uint32_t)i;
  VEC_PUSH(arena, graph->table, *table);
  return (uint32_t)graph->table.count - 1;
}

void graph_take_constants(Arena *arena, Graph *to, const Graph *from, rsh_call *call) {
  if (rsh_op_family(call->op) == RSH_FILLS)
    call->fill = graph_fill(arena, to, &from->fill.item[call->fill]);
  for (int i = 0; i < RSH_MAX_ARGS; i++)
    if (rsh_arg_is_table(&call->arg[i]))
      call->arg[i].table = graph_table(arena, to, &from->table.item[call->arg[i].table]);
}

rsh_num fill_word(const Fill *fill) {
  uint64_t bits = 0;
  for (int i = 7; i >= 0; i--)
    bits = bits << 8 | fill->bits[i];
  return rsh_int((int64_t)bits);
}

Fill table_entry(const Table *table, int32_t k) {
  Fill fill = {table->dtype, {0}};
  for (int i = 0; i < 8; i++)
    fill.bits[i] = (uint8_t)((uint64_t)table->bits[k].n >> (8 * i));
  return fill;
}
