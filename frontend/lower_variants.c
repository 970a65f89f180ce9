// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variants of a graph: what happens where sizes are 0, which the proofs of the graph itself leave out, and
// the graph with each of the values that `where B in [1, 8]` names. Each is the graph lowered again with
// those symbols bound, and nothing of it is reported.
//
//   reshape(x: f32[B, S], [-1, S])    B = 0: nothing to do; S = 0: ambiguous_infer, whatever B is
#include "frontend/lower_internal.h"

#include <string.h>

enum {
  MAX_ZEROS = 8,            // symbols that may be 0
  MAX_NODES_MADE = 1 << 17, // for all of the variants of a graph
  MAX_CHOICES = 16          // variants that `in` makes
};

typedef enum Outcome {
  UNREACHABLE, // a condition excludes these values
  REFUSED,     // with a status
  EMPTY,       // nothing to do, and the sizes of the outputs are those of the graph
  OWN          // a graph of its own
} Outcome;

typedef struct Variants {
  Arena *arena;
  Library *library;
  const Origin *origin;
  const Diag *diag; // for the source alone
  const Known *known;
  Graph *graph;
  Facts facts;         // what is known before any node is lowered
  int zero[MAX_ZEROS]; // the symbols that may be 0
  int zeros;
  bool is_open; // for some of them too little is known
} Variants;

// What is known before any node is lowered.
static Known known_before(const Variants *v, Arena *arena, const int64_t *bound) {
  Known known = {.is_variant = true};
  facts_init(&known.facts, arena);
  known.facts.raw = v->known->facts.raw;
  memcpy(known.bound, bound, sizeof known.bound);
  memcpy(known.edge, v->known->edge, sizeof known.edge);
  known.edge_count = v->known->edge_count;
  known.first_edge = v->known->first_edge;
  for (int i = 0; i < v->known->guard.count; i++)
    if (v->known->guard.item[i].node < 0)
      VEC_PUSH(arena, known.guard, v->known->guard.item[i]);
  return known;
}

// False: a condition does not hold for these values, which is said at entry. The symbols that are not bound
// are at least `least`.
static bool is_reachable(Known *known, int64_t least) {
  facts_forget(&known->facts);
  for (int i = 0; i < known->facts.symbols->symbol_count; i++) {
    known->facts.symbols->least[i] = least;
    if (known->bound[i] >= 0)
      facts_bind(&known->facts, i, known->bound[i]);
  }
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

static bool is_decided(const Graph *graph) {
  for (int i = 0; i < graph->node.count; i++)
    if (graph->node.item[i]->is_undecided)
      return false;
  return !graph_is_dynamic(graph);
}

// Whether two numbers, over the atoms of two facts, are one number of the symbols.
static bool same_number(const Variants *v, rsh_num general, Facts *facts, rsh_num special) {
  Facts of_graph = v->known->facts;
  Guard guard = {.kind = WHERE_EQ, .left = general, .right = rsh_int(1)}, raw, there;
  rsh_num times;
  // Fractions of symbols: 4 * (N/4) is N, and the right says that it is 4 times as much.
  return facts_to_raw(&of_graph, &guard, &raw) && facts_from_raw(facts, &raw, &there) &&
         rsh_mul(facts->symbols, special, there.right, &times) && rsh_equal(there.left, times);
}

// Whether the sizes on the way are sizes too where symbols are 0: x[1:] of f32[N] has N-1 elements, but for N = 0.
// They are counted wherever a call gets past its conditions.
static bool stand_zeros(const Graph *graph) {
  if (graph_has_edges(graph))
    return false;
  for (int i = 0; i < graph->value.count; i++) {
    const rsh_shape *shape = &graph->value.item[i]->shape;
    for (int32_t k = 0; k < shape->rank; k++)
      if (rsh_bounds_with_zeros(graph->symbols, shape->dim[k]).least < 0)
        return false;
  }
  return true;
}

// All outputs are empty, of the sizes that the graph gives, and nothing is left to be asked.
static bool is_empty(const Variants *v, const Graph *graph, Facts *facts) {
  if (!stand_zeros(v->graph))
    return false;
  for (int i = 0; i < graph->guard.count; i++)
    if (graph->guard.item[i].node >= 0)
      return false;
  for (int i = 0; i < graph->output_count; i++) {
    const rsh_shape *special = &graph->output[i].value->shape,
                    *general = &v->graph->output[i].value->shape;
    rsh_num volume;
    if (rsh_volume(graph->symbols, special, &volume) != RSH_ok || !rsh_is(volume, 0) ||
        special->rank != general->rank)
      return false;
    for (int32_t k = 0; k < special->rank; k++)
      if (!same_number(v, general->dim[k], facts, special->dim[k]))
        return false;
  }
  return true;
}

// The first error that a call can have. `unsupported` is not one: it says that sizes were not known enough.
static rsh_status status_of(Variants *v, const Diag *diag) {
  for (int i = 0; i < diag->list.count; i++)
    for (int k = 1; k < RSH_STATUS_COUNT && diag->list.item[i].severity == SEVERITY_ERROR; k++)
      if (k != RSH_unsupported &&
          strcmp(diag->list.item[i].kind, rsh_status_name((rsh_status)k)) == 0)
        return (rsh_status)k;
  v->is_open = true;
  return RSH_guard_failed;
}

static bool has_symbol(const rsh_symbols *s, rsh_num n, int symbol) {
  const rsh_poly *poly = n.poly > 0 ? &s->poly[n.poly] : NULL;
  for (int32_t i = 0; poly && i < poly->count; i++)
    if (s->term[poly->first + i].exp[symbol] > 0)
      return true;
  return false;
}

static bool is_in_values(const Graph *graph, int symbol) {
  bool found = false;
  for (int i = 0; i < graph->value.count; i++)
    for (int32_t k = 0; k < graph->value.item[i]->shape.rank; k++)
      found = found || has_symbol(graph->symbols, graph->value.item[i]->shape.dim[k], symbol);
  for (int i = 0; i < graph->node.count; i++)
    for (int a = 0; a < RSH_MAX_ARGS; a++) {
      const rsh_arg *arg = &graph->node.item[i]->call.arg[a];
      for (int32_t k = 0; arg->list && k < arg->count; k++)
        found = found || has_symbol(graph->symbols, arg->list[k], symbol);
    }
  return found;
}

static bool is_in_conditions(const Graph *graph, int symbol) {
  bool found = false;
  for (int i = 0; i < graph->guard.count; i++) {
    const Guard *g = &graph->guard.item[i];
    found = found || has_symbol(graph->raw, g->left, symbol) ||
            has_symbol(graph->raw, g->right, symbol) ||
            has_symbol(graph->raw, g->remainder_of, symbol);
  }
  for (int i = symbol + 1; i < graph->symbol.count; i++) {
    const Edge *e = &graph->symbol.item[i].edge;
    found = found || has_symbol(graph->raw, e->at, symbol) ||
            has_symbol(graph->raw, e->size, symbol) || has_symbol(graph->raw, e->least, symbol);
  }
  return found;
}

// Edges of the graph itself that a variant has no use for are 0 there: with its sizes they may be none at all.
static void clear_edges(Graph *graph) {
  for (int i = graph->symbol.count - 1; i >= 0; i--) {
    Symbol *symbol = &graph->symbol.item[i];
    if (symbol->is_edge && !is_in_values(graph, i) && !is_in_conditions(graph, i))
      symbol->edge = (Edge){{0}, {0}, {0}, false};
  }
}

// The graph with these values, in the arena; NULL, and a status, where it is refused.
static Graph *lower_bound(Variants *v, Arena *arena, Known *known, rsh_status *status) {
  const Library before = *v->library;
  Diag quiet = {.arena = arena, .source = v->diag->source, .file = v->diag->file};
  Graph *graph = lower_known(arena, v->library, v->origin, &quiet, known);
  *v->library = before;
  *status = graph ? RSH_ok : status_of(v, &quiet);
  if (graph && is_decided(graph)) {
    clear_edges(graph);
    return graph;
  }
  if (graph) {
    v->is_open = true;
    *status = RSH_guard_failed;
  }
  return NULL;
}

static Outcome outcome_of(Variants *v, const int64_t *bound, rsh_status *status) {
  Arena *arena = arena_new();
  Known known = known_before(v, arena, bound);
  Outcome outcome = UNREACHABLE;
  *status = RSH_ok;
  if (is_reachable(&known, 1)) {
    Graph *graph = lower_bound(v, arena, &known, status);
    outcome = !graph ? REFUSED : is_empty(v, graph, &known.facts) ? EMPTY : OWN;
  }
  arena_free(arena);
  return outcome;
}

static void push_variant(Variants *v, const int64_t *bound, Outcome outcome, rsh_status status) {
  Variant variant = {.status = status};
  memcpy(variant.bound, bound, sizeof variant.bound);
  for (int i = 0; i < v->graph->symbol.count; i++)
    if (v->graph->symbol.item[i].is_edge) // of which the others decide
      variant.bound[i] = VARIANT_ANY;
  if (outcome == OWN) {
    Known known = known_before(v, v->arena, bound);
    variant.graph = lower_bound(v, v->arena, &known, &variant.status);
  }
  VEC_PUSH(v->arena, v->graph->variant, variant);
}

// --- Sizes of 0

static void bind_all(int64_t *bound, int64_t value) {
  for (int i = 0; i < RSH_MAX_SYMBOLS; i++)
    bound[i] = value;
}

static bool has_own_atom(const Facts *facts, int i) {
  const rsh_num num = facts->num[i];
  const rsh_poly *poly = num.poly > 0 ? &facts->symbols->poly[num.poly] : NULL;
  return poly && poly->count == 1 && facts->symbols->term[poly->first].exp[i] == 1;
}

// Symbols that are 0 where those that are bound are: N with N == B*S and B = 0.
static void bind_zero(Variants *v, int symbol, int64_t *bound) {
  Facts *facts = &v->facts;
  rsh_num atom[RSH_MAX_SYMBOLS], value;
  bound[symbol] = 0;
  for (int i = 0; i < facts->symbols->symbol_count; i++)
    atom[i] = bound[i] == 0 ? rsh_int(0) : facts->atom[i];
  for (int i = 0; i < facts->symbols->symbol_count; i++)
    if (!has_own_atom(facts, i) &&
        num_substitute(facts->symbols, facts->symbols, facts->num[i], atom, &value) &&
        rsh_is(value, 0))
      bound[i] = 0;
}

static void bind_mask(Variants *v, unsigned mask, int64_t others, int64_t *bound) {
  bind_all(bound, others);
  for (int z = 0; z < v->zeros; z++)
    if (mask >> z & 1)
      bind_zero(v, v->zero[z], bound);
}

static bool may_be_zero(Variants *v, int symbol) {
  Arena *arena = arena_new();
  int64_t bound[RSH_MAX_SYMBOLS];
  bind_all(bound, VARIANT_ANY);
  bind_zero(v, symbol, bound);
  Known known = known_before(v, arena, bound);
  bool may_be = is_reachable(&known, 0); // Q too, where W >= Q
  arena_free(arena);
  return may_be;
}

// False: there are too many.
static bool find_zeros(Variants *v) {
  for (int i = 0; i < v->graph->symbol.count; i++) {
    if (v->graph->symbol.item[i].is_edge || !has_own_atom(&v->facts, i) || !may_be_zero(v, i))
      continue;
    if (v->zeros == MAX_ZEROS)
      return false;
    v->zero[v->zeros++] = i;
  }
  return (int64_t)v->graph->node.count << v->zeros <= MAX_NODES_MADE;
}

// Sizes of 0 that are not looked at one by one are refused.
static void refuse_zeros(Variants *v) {
  for (int i = 0; i < v->graph->symbol.count; i++) {
    int64_t bound[RSH_MAX_SYMBOLS];
    bind_all(bound, VARIANT_ANY);
    bound[i] = 0;
    if (!v->graph->symbol.item[i].is_edge)
      push_variant(v, bound, REFUSED, RSH_guard_failed);
  }
}

// What all patterns with symbol z have in common; OWN where that is nothing.
static Outcome common_outcome(const Outcome *outcome, const rsh_status *status, unsigned patterns,
                              int z, rsh_status *common) {
  Outcome all = UNREACHABLE;
  for (unsigned mask = 1; mask < patterns; mask++) {
    if (!(mask >> z & 1) || outcome[mask] == UNREACHABLE)
      continue;
    if (outcome[mask] == OWN ||
        (all != UNREACHABLE && (outcome[mask] != all || status[mask] != *common)))
      return OWN;
    all = outcome[mask];
    *common = status[mask];
  }
  return all;
}

// Symbols of which a 0 has the same effect whatever the others are go first, the rest pattern by pattern.
static void add_zeros(Variants *v) {
  unsigned patterns = 1u << v->zeros, merged = 0;
  Outcome outcome[1 << MAX_ZEROS];
  rsh_status status[1 << MAX_ZEROS];
  int64_t bound[RSH_MAX_SYMBOLS];
  for (unsigned mask = 1; mask < patterns; mask++) {
    bind_mask(v, mask, VARIANT_POSITIVE, bound);
    outcome[mask] = outcome_of(v, bound, &status[mask]);
  }
  for (int z = 0; z < v->zeros; z++) {
    rsh_status common = RSH_ok;
    Outcome all = common_outcome(outcome, status, patterns, z, &common);
    if (all == OWN)
      continue;
    merged |= 1u << z;
    bind_mask(v, 1u << z, VARIANT_ANY, bound);
    if (all != UNREACHABLE)
      push_variant(v, bound, all, common);
  }
  for (unsigned mask = 1; mask < patterns; mask++) {
    if ((mask & merged) != 0 || outcome[mask] == UNREACHABLE)
      continue;
    bind_mask(v, mask, VARIANT_POSITIVE, bound);
    push_variant(v, bound, outcome[mask], status[mask]);
  }
}

// --- Values after `in`

// The symbol that a condition gives values to, or -1.
static int chosen_symbol(const Variants *v, const Guard *guard) {
  for (int i = 0; i < v->graph->symbol.count; i++)
    if (guard->kind == WHERE_IN && guard->node == GUARD_WHERE && rsh_is(guard->remainder_of, 0) &&
        rsh_equal(guard->left, v->known->facts.raw_num[i]))
      return i;
  return -1;
}

// All combinations of the values of the conditions, each as digits of a number.
static void add_choices(Variants *v) {
  const Guard *guard[RSH_MAX_SYMBOLS];
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
    int64_t bound[RSH_MAX_SYMBOLS], rest = c;
    bool is_positive = true;
    bind_all(bound, VARIANT_POSITIVE);
    for (int k = count - 1; k >= 0; k--) {
      bound[symbol[k]] = guard[k]->choice[rest % guard[k]->choice_count];
      rest /= guard[k]->choice_count;
      is_positive = is_positive && bound[symbol[k]] > 0;
    }
    rsh_status status;
    Outcome outcome = is_positive ? outcome_of(v, bound, &status) : UNREACHABLE;
    if (outcome == OWN || outcome == EMPTY)
      push_variant(v, bound, OWN, status);
    else if (outcome == REFUSED && status != RSH_guard_failed)
      push_variant(v, bound, REFUSED, status);
  }
}

bool lower_variants(Arena *arena, Library *library, const Origin *origin, const Diag *diag,
                    const Known *known, Graph *graph) {
  Variants v = {.arena = arena,
                .library = library,
                .origin = origin,
                .diag = diag,
                .known = known,
                .graph = graph};
  if (graph->symbol.count == 0 || !is_decided(graph))
    return true; // a program looks at all sizes itself
  Arena *scratch = arena_new();
  int64_t bound[RSH_MAX_SYMBOLS];
  bind_all(bound, VARIANT_ANY);
  Known before = known_before(&v, scratch, bound);
  is_reachable(&before, 1); // takes the facts
  v.facts = before.facts;
  if (find_zeros(&v))
    add_zeros(&v);
  else
    refuse_zeros(&v);
  bool is_open = v.is_open;
  add_choices(&v);
  arena_free(scratch);
  return !is_open;
}
