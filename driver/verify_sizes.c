// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which sizes and targets a graph is run with: every value that a condition or a kernel of its own is about, small
// ones, and those around the widths of vectors.
#include "driver/verify_sizes.h"

#include "driver/bind.h"

#include <string.h>

enum {
  MOST_TAKEN = 20,        // choices that the graph takes,
  MOST_REFUSED = 6,       // and refuses, that are run
  MOST_HUGE = 12,         // of tensors that no memory holds
  MOST_ATTEMPTS = 400,    // to find these
  MOST_ELEMENTS = 1 << 18 // of one value: runs at run-time sizes stay short
};

typedef struct Search {
  Arena *arena;
  const Plan *plan;
  const Graph *graph; // that is resolved
  uint64_t state;
  VEC(int64_t) interesting;
} Search;

// Whether the sizes of the graph that is resolved are what conditions of nodes say: then these are asked first.
static bool takes_conditions(const Search *s) {
  const Graph *g = s->graph;
  bool any = false;
  for (int i = 0; i < g->guard.count; i++)
    any = any || g->guard.item[i].node >= 0;
  return any;
}

static uint64_t next(Search *s) { // splitmix64, from one seed: the same choices each time
  uint64_t x = s->state += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

static void add_interesting(Search *s, int64_t n) {
  for (int64_t i = n - 1; i <= n + 1; i++)
    if (i >= 0 && i <= 5000)
      VEC_PUSH(s->arena, s->interesting, i);
}

static void collect(Search *s) {
  static const int64_t usual[] = {0,  1,  2,  3,  4,  5,  7,  8,  9, 12,
                                  15, 16, 17, 24, 31, 32, 33, 64, 65};
  const Graph *g = s->plan->graph;
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
    VEC_PUSH(s->arena, s->interesting, usual[i]);
  for (int i = 0; i < g->guard.count; i++) {
    const Guard *guard = &g->guard.item[i];
    if (rsh_is_known(guard->right))
      add_interesting(s, guard->right.n);
    for (int k = 0; k < guard->choice_count; k++)
      add_interesting(s, guard->choice[k]);
  }
  for (int i = 0; i < g->symbol.count; i++)
    if (g->symbol.item[i].is_edge && rsh_is_known(g->symbol.item[i].edge.at))
      add_interesting(s, g->symbol.item[i].edge.at.n);
}

// ---- one choice ----

static void choose_symbols(Search *s, int attempt, int64_t *symbol) {
  const Graph *g = s->plan->graph;
  const Variant *variant =
      attempt < g->variant.count ? &g->variant.item[attempt] : NULL; // each once
  for (int i = 0; i < g->symbol.count; i++) {
    int64_t n = s->interesting.item[next(s) % (uint64_t)s->interesting.count];
    if (attempt >= g->variant.count && attempt % 3 == 0)
      n = 1 + (int64_t)(next(s) % 9);
    if (variant && variant->bound[i] >= 0)
      n = variant->bound[i];
    else if (variant && n == 0)
      n = 1;
    // mostly one that the conditions ask for
    int64_t divisor = g->symbol.item[i].divisor;
    symbol[i] = next(s) % 8 && n < 512 ? n * divisor : n;
    if (symbol[i] == 0 && takes_conditions(s)) // they are about sizes of at least 1
      symbol[i] = divisor;
  }
  for (int i = 0; i < g->symbol.count; i++) {
    int64_t atom[RSH_MAX_SYMBOLS] = {0}, value;
    graph_atoms(g, symbol, atom);
    if (symbol_is_parameter(&g->symbol.item[i]) && !graph_has_atom(g, i) && next(s) % 8 &&
        rsh_eval(g->symbols, g->symbol.item[i].num, atom, &value))
      symbol[i] = value;
  }
}

static const rsh_shape *choose_shapes(Search *s) {
  rsh_shape *shape = ARENA_ARRAY(s->arena, rsh_shape, s->graph->input_count);
  int32_t rank = (int32_t)(next(s) % 5);
  bool alike = next(s) % 2;
  for (int i = 0; i < s->graph->input_count; i++) {
    shape[i].rank = alike ? rank : (int32_t)(next(s) % 5);
    for (int k = 0; k < shape[i].rank; k++)
      shape[i].dim[k] = alike && i ? shape[0].dim[k] : rsh_int((int64_t)(next(s) % 6));
  }
  return shape;
}

static bool is_target(const Graph *g, int input) {
  for (int i = 0; i < g->node.count; i++)
    for (int a = 0; g->node.item[i]->data && a < RSH_MAX_ARGS; a++) {
      const TargetData *data = &g->node.item[i]->data[a];
      if (data->tensor && data->tensor->id == input)
        return true;
      for (int e = 0; data->entry && e < g->node.item[i]->call.arg[a].count; e++)
        if (data->entry[e] && data->entry[e]->id == input)
          return true;
    }
  return false;
}

// A size of an input, what is left over, a copy, or a small number.
static int64_t choose_entry(Search *s, const Map *map) {
  static const int64_t usual[] = {-1, -1, 0, 1, 1, 2, 3, 4, 6, 8};
  if (next(s) % 2)
    return usual[next(s) % (sizeof usual / sizeof *usual)];
  const Value *value = map->graph->value.item[next(s) % (uint64_t)map->graph->input_count];
  int32_t rank = value->shape.rank;
  return rank > 0 ? map_number(map, value->shape.dim[next(s) % (uint64_t)rank]) : 1;
}

static void choose_targets(Search *s, Map *map) {
  const Graph *g = s->graph;
  const int64_t **target = ARENA_ARRAY(s->arena, const int64_t *, g->input_count + 1);
  for (int i = 0; i < g->input_count; i++) {
    if (!is_target(g, i))
      continue;
    const rsh_shape *shape = &g->value.item[i]->shape;
    int64_t count = 1;
    if (shape->rank == RSH_RANK_UNKNOWN)
      shape = &map->in_shape[i];
    for (int k = 0; k < shape->rank; k++)
      count *= map_number(map, shape->dim[k]);
    int64_t *entry = ARENA_ARRAY(s->arena, int64_t, count < 64 ? count + 1 : 64);
    for (int64_t k = 0; k < count && k < 64; k++)
      entry[k] = choose_entry(s, map);
    target[i] = entry;
  }
  map->target = target;
}

// What a call must return: the first condition that is broken, or what the first operator says.
static rsh_status expect(Search *s, Map *map) {
  Sizes sizes = {.arena = s->arena, .graph = s->plan->graph};
  map_inputs(map);
  memcpy(sizes.value, map->symbol, sizeof sizes.value);
  for (int i = 0; i < s->plan->graph->guard.count; i++) {
    const Guard *guard = &s->plan->graph->guard.item[i];
    if ((guard->node < 0 || takes_conditions(s)) && !sizes_keep(&sizes, guard))
      return guard->status;
  }
  return map_sizes(map);
}

static bool is_small(const Map *map) {
  bool small = true;
  for (int i = 0; i < map->graph->value.count; i++)
    small = small && map->value[i].count <= MOST_ELEMENTS;
  for (int i = 0; i < map->graph->input_count; i++)
    small = small && map_elements(map, map->graph->value.item[i]) <= MOST_ELEMENTS;
  return small;
}

static const char *choice_text(Search *s, const Map *map) {
  const char *text = "";
  const Graph *g = s->plan->graph;
  for (int i = 0; i < g->symbol.count; i++)
    if (symbol_is_parameter(&g->symbol.item[i]))
      text = arena_printf(s->arena, "%s%s%s = %lld", text, *text ? ", " : "",
                          g->symbol.item[i].name ? g->symbol.item[i].name : "?",
                          (long long)map->symbol[i]);
  for (int i = 0; i < s->graph->input_count; i++) {
    const Tensor *t = &map->value[i];
    const char *name = s->graph->value.item[i]->name;
    if (s->graph->value.item[i]->shape.rank == RSH_RANK_UNKNOWN) {
      text = arena_printf(s->arena, "%s%s%s [", text, *text ? ", " : "", name);
      for (int k = 0; k < t->rank; k++)
        text = arena_printf(s->arena, "%s%s%lld", text, k ? ", " : "", (long long)t->dim[k]);
      text = arena_printf(s->arena, "%s]", text);
    }
    if (map->target[i]) {
      text = arena_printf(s->arena, "%s%s%s = (", text, *text ? ", " : "", name);
      for (int64_t k = 0; k < t->count; k++)
        text =
            arena_printf(s->arena, "%s%s%lld", text, k ? ", " : "", (long long)map->target[i][k]);
      text = arena_printf(s->arena, "%s)", text);
    }
  }
  return text;
}

static Trial new_trial(Search *s, int attempt) {
  Map *map = ARENA_NEW(s->arena, Map);
  *map = (Map){.arena = s->arena, .graph = s->graph};
  choose_symbols(s, attempt, map->symbol);
  map->in_shape = choose_shapes(s);
  choose_targets(s, map);
  Trial trial = {.map = map, .expected = expect(s, map)};
  trial.text = choice_text(s, map);
  return trial;
}

// ---- tensors that no memory holds ----

// Sizes about where the product with `rest` bytes passes 64 bits.
static int64_t huge_size(Search *s) {
  static const int64_t usual[] = {INT64_C(1) << 31, INT64_C(1) << 32,      INT64_C(3037000500),
                                  INT64_C(1) << 60, INT64_C(1) << 61,      INT64_C(1) << 62,
                                  INT64_MAX,        INT64_C(715827882) * 3};
  int64_t n = usual[next(s) % (sizeof usual / sizeof *usual)];
  static const int64_t part[] = {1, 1, 2, 3, 4, 5, 12, 100};
  n /= part[next(s) % (sizeof part / sizeof *part)];
  int64_t about = (int64_t)(next(s) % 3) - 1;
  return about > INT64_MAX - n ? n : n + about;
}

// Whether what memory holds of a tensor can be counted, in elements and in bytes from the first to the last one.
static bool memory_fits(const Map *map, const Value *value) {
  const Tensor *t = &map->value[value->id];
  int64_t elements = 1, span = 1, bits = plan_element_bits(value->dtype), bytes;
  bool fits = true, is_strided = value->storage && value->storage->stride;
  for (int k = 0; k < t->rank; k++) {
    int64_t stride = is_strided ? map_number(map, value->storage->stride[k]) : 0, reach;
    fits = fits && !__builtin_mul_overflow(elements, t->dim[k], &elements) &&
           !__builtin_mul_overflow(t->dim[k] - 1, stride < 0 ? -stride : stride, &reach) &&
           !__builtin_add_overflow(span, reach, &span);
  }
  return fits &&
         (bits < 8 || !__builtin_mul_overflow(is_strided ? span : elements, bits / 8, &bytes));
}

static bool has_zero(const Map *map, const Value *value) {
  const Tensor *t = &map->value[value->id];
  bool found = false;
  for (int k = 0; k < t->rank; k++)
    found = found || t->dim[k] < 1;
  return found;
}

// Whether what operators ask of the sizes holds: else the call says that, also where a target is too large too.
//
//   reshape(x: f32[A, B], [A*C, B])    A, B and C all 2^31: the kernel asks for C == 1 alone
static bool keeps_rules(const Search *s, const Map *map) {
  const Graph *g = s->plan->graph;
  Sizes sizes = {.arena = s->arena, .graph = g};
  bool keeps = true;
  memcpy(sizes.value, map->symbol, sizeof sizes.value);
  for (int i = 0; i < g->guard.count; i++)
    keeps = keeps && (g->guard.item[i].node < 0 || sizes_keep(&sizes, &g->guard.item[i]));
  return keeps;
}

// Sizes with which a tensor cannot be counted, so that the call must be refused, or just can: then it must be refused
// for having no memory. Else nothing is known to be wrong.
static rsh_status expect_huge(Search *s, Map *map) {
  const Graph *g = s->graph;
  rsh_status status = expect(s, map);
  bool fits = true, is_large = false;
  for (int i = 0; i < g->input_count; i++)
    if (has_zero(map, g->value.item[i]))
      return RSH_ok; // a size that does not fit, or is not there
  for (int i = 0; i < g->input_count; i++)
    fits = fits && memory_fits(map, g->value.item[i]);
  if (!keeps_rules(s, map))
    return RSH_ok;
  if (status != RSH_ok)
    return status == RSH_overflow || !fits ? status : RSH_ok;
  for (int i = 0; i < g->output_count; i++)
    fits = fits && memory_fits(map, g->output[i].value);
  for (int i = 0; fits && i < g->input_count; i++)
    is_large = is_large || map_elements(map, g->value.item[i]) > INT64_C(1) << 40;
  return !fits ? RSH_overflow : is_large && s->plan->scratch_align == 0 ? RSH_null_pointer : RSH_ok;
}

static Trial huge_trial(Search *s) {
  Map *map = ARENA_NEW(s->arena, Map);
  *map = (Map){.arena = s->arena, .graph = s->graph};
  choose_symbols(s, MOST_ATTEMPTS, map->symbol);
  for (int i = 0; i < s->graph->symbol.count; i++)
    if (next(s) % 2)
      map->symbol[i] = huge_size(s);
  for (int i = 0; i < s->graph->symbol.count; i++)
    map->symbol[i] = map->symbol[i] < 1 ? 1 : map->symbol[i];
  map->in_shape = choose_shapes(s);
  choose_targets(s, map);
  Trial trial = {.map = map, .expected = expect_huge(s, map), .is_huge = true};
  trial.text = choice_text(s, map);
  for (int i = 0; i < s->graph->value.count; i++)
    map->value[i].count = 0; // none has memory
  return trial;
}

static bool is_new(const Trials *trials, const Trial *trial) {
  for (int i = 0; i < trials->trial.count; i++)
    if (strcmp(trials->trial.item[i].text, trial->text) == 0)
      return false;
  return true;
}

static bool has_choice(const Graph *g) {
  bool found = g->symbol.count > 0;
  for (int i = 0; i < g->input_count; i++)
    found = found || g->value.item[i]->shape.rank == RSH_RANK_UNKNOWN || is_target(g, i);
  return found;
}

Trials trials_of(Arena *arena, const Plan *plan) {
  Search s = {.arena = arena, .plan = plan, .state = 1};
  Trials trials = {0};
  int taken = 0, refused = 0;
  s.graph = plan->graph->plain ? plan->graph->plain : plan->graph;
  collect(&s);
  int attempts = has_choice(s.graph) ? MOST_ATTEMPTS : 1;
  for (int i = 0; i < attempts && (taken < MOST_TAKEN || i < plan->graph->variant.count); i++) {
    Trial trial = new_trial(&s, i);
    bool good = trial.expected == RSH_ok;
    if (!is_new(&trials, &trial) || (attempts > 1 && !is_small(trial.map)) ||
        (!good && refused >= MOST_REFUSED))
      continue;
    VEC_PUSH(arena, trials.trial, trial);
    taken += good;
    refused += !good;
  }
  bool may_be_huge = !plan->tape && plan->graph->symbol.count > 0;
  for (int i = 0, huge = 0; may_be_huge && i < MOST_ATTEMPTS && huge < MOST_HUGE; i++) {
    Trial trial = huge_trial(&s);
    if (trial.expected != RSH_overflow && trial.expected != RSH_null_pointer)
      continue;
    VEC_PUSH(arena, trials.trial, trial);
    huge++;
  }
  return trials;
}
