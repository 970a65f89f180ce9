// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variants of a graph: for each value that `where B in [1, 8]` lists, and for tensors without empty dims. Each is
// the graph lowered again with those symbols bound, or at least 1. Errors in it are not reported.
#include "frontend/lower/lower_internal.h"

#include <string.h>

enum { MAX_CHOICES = 16 };

typedef struct Variants {
  Arena *arena;
  Library *library;
  const Origin *origin;
  const Diag *diag; // only for the source
  const Known *known;
  Graph *graph;
} Variants;

// Adds the condition that each size is at least variant->least.
static void know_least(const Variants *v, Arena *arena, const Variant *variant, Known *known) {
  for (int i = 0; i < v->graph->symbol.count; i++) {
    Guard guard = {.kind = WHERE_GE,
                   .status = RSH_guard_failed,
                   .right = rsh_int(variant_least(v->graph, variant, i)),
                   .node = GUARD_WHERE};
    if (guard.right.n > 0 && rsh_atom(known->facts.raw, i, &guard.left))
      VEC_PUSH(arena, known->guard, guard);
  }
}

// The facts known before any node is lowered.
static Known known_before(const Variants *v, Arena *arena, const Variant *variant) {
  const int64_t *bound = variant->bound;
  Known known = {0};
  facts_init(&known.facts, arena);
  known.facts.raw = v->known->facts.raw;
  memcpy(known.bound, bound, sizeof known.bound);
  memcpy(known.edge, v->known->edge, sizeof known.edge);
  memcpy(known.edge_symbol, v->known->edge_symbol, sizeof known.edge_symbol);
  known.edge_count = v->known->edge_count;
  known.symbol_count = v->known->symbol_count;
  known.sizes_are_checked = v->known->sizes_are_checked;
  for (int i = 0; i < v->known->guard.count; i++)
    if (v->known->guard.item[i].node < 0)
      VEC_PUSH(arena, known.guard, v->known->guard.item[i]);
  know_least(v, arena, variant, &known);
  return known;
}

// False: a condition fails for these values, which the call reports at entry.
static bool is_reachable(Known *known) {
  facts_forget(&known->facts);
  for (int i = 0; i < known->facts.symbols->symbol_count; i++)
    if (known->bound[i] >= 0)
      facts_bind(&known->facts, i, known->bound[i]);
  edges_know(known, &known->facts);
  for (int i = 0; i < known->guard.count; i++) {
    Guard guard;
    if (!facts_from_raw(&known->facts, &known->guard.item[i], &guard))
      continue;
    Verdict verdict = guard_verdict(known->facts.symbols, &guard);
    if (verdict == NEVER)
      return false;
    if (verdict == DEPENDS)
      facts_take(&known->facts, &guard);
  }
  edges_know(known, &known->facts);
  return true;
}

static bool is_settled(const Graph *graph) {
  for (int i = 0; i < graph->node.count; i++)
    if (graph->node.item[i]->is_undecided)
      return false;
  return !graph_is_dynamic(graph);
}

static bool mentions_symbol(const rsh_symbols *s, rsh_num n, int symbol) {
  return (rsh_atoms_of(s, n) >> symbol & 1) != 0;
}

static bool is_in_values(const Graph *graph, int symbol) {
  bool found = false;
  for (int i = 0; i < graph->value.count; i++)
    for (int32_t k = 0; k < graph->value.item[i]->shape.rank; k++)
      found = found || mentions_symbol(graph->symbols, graph->value.item[i]->shape.dim[k], symbol);
  for (int i = 0; i < graph->node.count; i++)
    for (int a = 0; a < RSH_MAX_ARGS; a++) {
      const rsh_arg *arg = &graph->node.item[i]->call.arg[a];
      for (int32_t k = 0; arg->list && k < arg->count; k++)
        found = found || mentions_symbol(graph->symbols, arg->list[k], symbol);
    }
  return found;
}

static bool is_in_conditions(const Graph *graph, int symbol) {
  bool found = false;
  for (int i = 0; i < graph->guard.count; i++) {
    const Guard *g = &graph->guard.item[i];
    found = found || mentions_symbol(graph->raw, g->left, symbol) ||
            mentions_symbol(graph->raw, g->right, symbol) ||
            mentions_symbol(graph->raw, g->remainder_of, symbol);
  }
  for (int i = symbol + 1; i < graph->symbol.count; i++) {
    const Edge *e = &graph->symbol.item[i].edge;
    found = found || mentions_symbol(graph->raw, e->at, symbol) ||
            mentions_symbol(graph->raw, e->size, symbol) ||
            mentions_symbol(graph->raw, e->least, symbol);
  }
  return found;
}

// Whether it is a quotient by a number, which is valid for all sizes. Moves may use it although no value does: they are
// split where the last window begins (edges_of_parts).
static bool is_always_valid(const Edge *e) {
  return e->kind == RSH_EDGE_FLOOR && !e->may_be_negative && rsh_is_known(e->size) && e->size.n > 0;
}

static Variant variant_of_all(void) {
  Variant variant = {.graph = NULL};
  for (int i = 0; i < RSH_MAX_SYMBOLS; i++)
    variant.bound[i] = VARIANT_ANY;
  return variant;
}

static void add_variant(Variants *v, Variant variant) {
  Known known = known_before(v, v->arena, &variant);
  const Library before = *v->library;
  Diag quiet = {.arena = v->arena, .source = v->diag->source, .file = v->diag->file};
  if (!is_reachable(&known))
    return;
  variant.graph = lower_known(v->arena, v->library, v->origin, &quiet, &known);
  *v->library = before;
  if (!variant.graph || !is_settled(variant.graph))
    return;
  // Edges that a variant does not use are set to 0 there: with its sizes they may be invalid.
  for (int i = variant.graph->symbol.count - 1; i >= 0; i--) {
    Symbol *symbol = &variant.graph->symbol.item[i];
    if (symbol->is_edge && !is_always_valid(&symbol->edge) && !is_in_values(variant.graph, i) &&
        !is_in_conditions(variant.graph, i))
      symbol->edge = (Edge){0};
  }
  VEC_PUSH(v->arena, v->graph->variant, variant);
}

// --- Values after `in`

// The symbol whose values a condition lists, or -1.
static int chosen_symbol(const Variants *v, const Guard *guard) {
  for (int i = 0; i < v->graph->symbol.count; i++)
    if (guard->kind == WHERE_IN && guard->node == GUARD_WHERE && rsh_is(guard->remainder_of, 0) &&
        rsh_equal(guard->left, v->known->facts.raw_num[i]))
      return i;
  return -1;
}

static bool has_variant(const Graph *graph, const int64_t *bound) {
  for (int i = 0; i < graph->variant.count; i++)
    if (memcmp(graph->variant.item[i].bound, bound, sizeof graph->variant.item[i].bound) == 0)
      return true;
  return false;
}

// Combination `c` of the listed values, each a digit of it. False: a size is below 0, or has two values.
static bool combine(Guard *const *guard, const int *symbol, int count, int64_t c, int64_t *bound) {
  for (int k = count - 1; k >= 0; c /= guard[k--]->choice_count) {
    int64_t value = guard[k]->choice[c % guard[k]->choice_count], *at = &bound[symbol[k]];
    if (value < 0 || (*at != VARIANT_ANY && *at != value))
      return false;
    *at = value;
  }
  return true;
}

static void add_choices(Variants *v) {
  Guard *guard[RSH_MAX_SYMBOLS];
  int symbol[RSH_MAX_SYMBOLS], count = 0;
  int64_t combinations = 1;
  for (int i = 0; i < v->graph->guard.count && count < RSH_MAX_SYMBOLS; i++) {
    symbol[count] = chosen_symbol(v, &v->graph->guard.item[i]);
    guard[count] = &v->graph->guard.item[i];
    if (symbol[count] < 0 || combinations * guard[count]->choice_count > MAX_CHOICES)
      continue;
    combinations *= guard[count++]->choice_count;
  }
  for (int64_t c = 0; count > 0 && c < combinations; c++) {
    Variant variant = variant_of_all();
    if (combine(guard, symbol, count, c, variant.bound) && !has_variant(v->graph, variant.bound))
      add_variant(v, variant);
  }
}

// Often a place depends only on whether a dim is empty: where the last row of a join comes from, for example.
// fold_graph drops this variant if it folds no better than the graph.
static void add_nonempty(Variants *v) {
  Variant variant = variant_of_all();
  variant.least = 1;
  if (v->graph->node.count > 1 && v->graph->symbol.count > 0)
    add_variant(v, variant);
}

void lower_variants(Arena *arena, Library *library, const Origin *origin, const Diag *diag,
                    const Known *known, Graph *graph) {
  Variants v = {arena, library, origin, diag, known, graph};
  if (!is_settled(graph)) // a program checks all sizes itself
    return;
  add_choices(&v);
  add_nonempty(&v);
}
