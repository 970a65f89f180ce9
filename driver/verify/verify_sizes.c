// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the sizes and targets for the runs of a graph: those near the constants in its conditions, arguments and
// sizes, equal sizes, every value with a specialized kernel, small sizes, and those near vector widths.
#include "driver/verify/verify_sizes.h"

#include "library/bind.h"
#include "runtime/convert.h"
#include "runtime/program.h"

#include <string.h>

// Limits of the choices that are run.
typedef struct Budget {
  int taken;        // that the graph accepts,
  int refused;      // that it refuses,
  int huge;         // with tensors too large for any memory
  int attempts;     // to find these
  int64_t elements; // of one value: keeps runs with open sizes short
  int64_t work;     // elements and nodes of all attempts
} Budget;

static const Budget budget_full = {24, 8, 16, 400, 1 << 18, INT64_MAX};
static const Budget budget_quick = {8, 3, 10, 100, 1 << 14, INT64_MAX};
// If the graph accepts nothing in the others: all choices have many elements, or a declared result needs one target.
static const Budget budget_long = {4, 0, 0, 8000, 1 << 18, 1 << 22};

// Limits on the number of constants taken from the graph, and on their magnitude.
enum { MOST_OWN = 200, MOST_NUMBER = 5000 };

typedef struct Search {
  Arena *arena; // for the current choice
  const Plan *plan;
  const Graph *graph; // the inputs of this graph get sizes
  const Written *written;
  const Budget *budget;
  bool is_quick, has_choice;
  uint64_t state;
  VEC(int64_t) usual, own; // own: near the constants of the graph
  // Of results; of those of called graphs only sizes that are numbers.
  VEC(rsh_shape) declared;
} Search;

static uint64_t next(Search *s) { // splitmix64, from one seed: the same choices each time
  uint64_t x = s->state += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

static void add_own(Search *s, Arena *arena, int64_t n) {
  if (n < -MOST_NUMBER || n > MOST_NUMBER)
    return;
  n = n < 0 ? -n : n;
  for (int64_t i = n - 1; i <= n + 1 && s->own.count < MOST_OWN; i++) {
    bool is_new = i >= 0;
    for (int k = 0; k < s->own.count; k++)
      is_new = is_new && s->own.item[k] != i;
    if (is_new)
      VEC_PUSH(arena, s->own, i);
  }
}

static void add_number(Search *s, Arena *arena, rsh_num n) {
  if (rsh_is_known(n))
    add_own(s, arena, n.n);
}

// A reshape to a target that is data needs an input of as many elements as its result is declared to have.
static void add_declared(Search *s, Arena *arena, const rsh_shape *shape) {
  int64_t product = 1;
  for (int32_t k = 0; k < shape->rank; k++) {
    int64_t n = rsh_is_known(shape->dim[k]) ? shape->dim[k].n : 1;
    add_own(s, arena, n);
    product = n > MOST_NUMBER || product > MOST_NUMBER ? 0 : product * n;
  }
  add_own(s, arena, product);
  VEC_PUSH(arena, s->declared, *shape);
}

// Sets the rank or a size of a shape that a condition compares with a number.
static void take_condition(const Graph *g, const Guard *guard, const Value *value,
                           rsh_shape *shape) {
  for (int i = 0; i < g->symbol.count; i++) {
    const Symbol *symbol = &g->symbol.item[i];
    rsh_num size;
    if (!symbol->of || value_restated(symbol->of) != value || guard->kind != WHERE_EQ ||
        !rsh_is_known(guard->right) || !rsh_atom(g->raw, i, &size) || !rsh_equal(size, guard->left))
      continue;
    if (symbol->axis == AXIS_RANK)
      shape->rank = (int32_t)guard->right.n;
    else
      shape->dim[symbol->axis] = guard->right;
  }
}

// A called graph has declared the shapes of some of its results, which are conditions here.
static void collect_declared(Search *s, Arena *arena, const Graph *g) {
  for (int i = 0; i < g->output_count; i++)
    if (g->output[i].stated)
      add_declared(s, arena, g->output[i].stated);
  for (int i = g->input_count; i < g->value.count; i++) {
    const Value *value = g->value.item[i];
    rsh_shape shape = {.rank = value->shape.rank};
    for (int k = 0; k < RSH_MAX_RANK; k++)
      shape.dim[k] = (rsh_num){0, RSH_UNKNOWN};
    bool is_declared = false;
    for (int k = 0; k < g->symbol.count; k++)
      is_declared =
          is_declared || (g->symbol.item[k].of && value_restated(g->symbol.item[k].of) == value);
    for (int k = 0; k < g->guard.count; k++)
      take_condition(g, &g->guard.item[k], value, &shape);
    if (is_declared && shape.rank >= 0)
      add_declared(s, arena, &shape);
  }
}

// Collects bounds of slices, parts, amounts and indices, at which the behavior of an operator changes. Lists that are
// data often have one entry per axis.
static void collect_arguments(Search *s, Arena *arena, const Graph *g) {
  for (int i = 0; i < g->node.count; i++) {
    if (g->node.item[i]->data && g->node.item[i]->in[0]->shape.rank != RSH_RANK_UNKNOWN)
      add_own(s, arena, g->node.item[i]->in[0]->shape.rank);
    for (int a = 0; a < RSH_MAX_ARGS; a++) {
      const rsh_arg *arg = &g->node.item[i]->call.arg[a];
      for (int32_t k = 0; arg->kind == RSH_ARG_LIST && arg->list && k < arg->count && k < 32; k++)
        add_number(s, arena, arg->list[k]);
    }
  }
}

static void collect(Search *s, Arena *arena) {
  static const int64_t usual[] = {0,  1,  2,  3,  4,  5,  7,  8,  9, 12,
                                  15, 16, 17, 24, 31, 32, 33, 64, 65};
  const Graph *g = s->plan->graph;
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
    VEC_PUSH(arena, s->usual, usual[i]);
  for (int i = 0; i < g->guard.count; i++) {
    const Guard *guard = &g->guard.item[i];
    add_number(s, arena, guard->right);
    for (int k = 0; k < guard->choice_count; k++)
      add_own(s, arena, guard->choice[k]);
  }
  for (int i = 0; i < g->symbol.count; i++) {
    if (g->symbol.item[i].is_edge)
      add_number(s, arena, g->symbol.item[i].edge.at);
    add_own(s, arena, g->symbol.item[i].divisor);
  }
  collect_arguments(s, arena, s->graph);
  collect_declared(s, arena, s->graph);
  for (int i = 0; i < s->graph->value.count; i++)
    for (int32_t k = 0; k < s->graph->value.item[i]->shape.rank; k++)
      add_number(s, arena, s->graph->value.item[i]->shape.dim[k]);
}

// ---- one choice ----

// Chooses a constant of the graph, one of the usual sizes, a small one, or the value of an earlier symbol.
static int64_t choose_size(Search *s, const int64_t *symbol, int i) {
  switch (next(s) % 8) {
  case 0:
  case 1:
  case 2:
    return s->own.item[next(s) % (uint64_t)s->own.count];
  case 3:
  case 4:
    return 1 + (int64_t)(next(s) % 9);
  case 5:
    if (i > 0) {
      int64_t n = symbol[next(s) % (uint64_t)i], about = (int64_t)(next(s) % 4) - 1;
      return n > MOST_NUMBER || n + about < 0 || n + about > MOST_NUMBER ? 1 : n + about;
    }
    // fall through
  default:
    return s->usual.item[next(s) % (uint64_t)s->usual.count];
  }
}

// A zero divisor violates a condition, and must not cause a division. After the variants, each divisor is 0 once.
static void choose_divisor(const Graph *g, int attempt, int64_t *symbol) {
  if (attempt < 0 || attempt >= g->guard.count)
    return;
  uint32_t atoms = rsh_atoms_of(g->raw, g->guard.item[attempt].remainder_of);
  for (int i = 0; i < g->symbol.count; i++)
    if (atoms >> i & 1)
      symbol[i] = 0;
}

// After the divisors, each size is 0 once and the others keep their values, since other rules may apply to empty
// tensors. Returns the symbol that is 0, or -1.
static int zero_of_attempt(const Graph *g, int attempt) {
  int at = attempt - g->variant.count - g->guard.count;
  for (int i = 0; at >= 0 && i < g->symbol.count; i++)
    if (symbol_is_parameter(&g->symbol.item[i]) && at-- == 0)
      return i;
  return -1;
}

static void choose_symbols(Search *s, int attempt, int64_t *symbol) {
  const Graph *g = s->plan->graph;
  int zero = zero_of_attempt(g, attempt);
  const Variant *variant =
      attempt < g->variant.count ? &g->variant.item[attempt] : NULL; // each once
  for (int i = 0; i < g->symbol.count; i++) {
    int64_t n = choose_size(s, symbol, i);
    if (variant && variant->bound[i] != VARIANT_ANY)
      n = variant->bound[i];
    else if (variant && n < variant_least(g, variant, i))
      n = variant->least;
    // mostly a multiple that the conditions require
    int64_t multiple = n;
    bool has_multiple =
        next(s) % 8 && n < 512 && !__builtin_mul_overflow(n, g->symbol.item[i].divisor, &multiple);
    symbol[i] = i == zero ? 0 : has_multiple ? multiple : n;
  }
  for (int i = 0; i < g->symbol.count; i++) {
    int64_t atom[RSH_MAX_SYMBOLS] = {0}, value;
    (void)graph_edges(g, symbol); // the call refuses one that does not fit
    graph_atoms(g, symbol, atom);
    if (zero < 0 && symbol_is_parameter(&g->symbol.item[i]) && !graph_has_atom(g, i) &&
        next(s) % 8 && rsh_eval(g->symbols, g->symbol.item[i].num, atom, &value))
      symbol[i] = value;
  }
  choose_divisor(g, attempt - g->variant.count, symbol);
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

// By value: whether tensors of indices are computed from it. Operands precede the values computed from them.
static bool *find_indices(Search *s) {
  const Graph *g = s->graph;
  bool *seen = ARENA_ARRAY(s->arena, bool, g->value.count + 1);
  for (int i = g->node.count - 1; i >= 0; i--) {
    const Node *n = g->node.item[i];
    bool is_one = false;
    for (int32_t k = 0; k < n->call.out_count; k++)
      is_one = is_one || seen[n->out[k]->id];
    for (int32_t k = 0; k < n->call.in_count; k++)
      seen[n->in[k]->id] = seen[n->in[k]->id] || is_one || (k == 1 && rsh_takes_indices(&n->call));
  }
  return seen;
}

// A size of an input, -1 (the remainder), 0 (a copy), a small number, or one of the graph's own: split(x, sizes=[n, 1])
// of 6 rows needs 5.
static int64_t choose_entry(Search *s, const Map *map) {
  static const int64_t usual[] = {-1, -1, 0, 1, 1, 2, 3, 4, 6, 8};
  uint64_t way = next(s) % 8;
  if (way == 0 && s->own.count > 0)
    return s->own.item[next(s) % (uint64_t)s->own.count];
  if (way < 4)
    return usual[next(s) % (sizeof usual / sizeof *usual)];
  const Value *value = map->graph->value.item[next(s) % (uint64_t)map->graph->input_count];
  int32_t rank = value->shape.rank;
  return rank > 0 ? map_number(map, value->shape.dim[next(s) % (uint64_t)rank]) : 1;
}

// A number as it appears in a target of this type: -1 in u8 is 255.
static int64_t in_type(int64_t entry, rsh_dtype type) {
  uint64_t bits = rsh_convert_bits((uint64_t)entry, RSH_I64, type, (rsh_cast_rule){0});
  return rsh_target_entry(&bits, type, 0);
}

// An index just outside an axis of this size, or of another size that a target may produce; or any number.
static int64_t choose_outside(Search *s, int64_t size) {
  int64_t n = next(s) % 2 ? size : 1 + (int64_t)(next(s) % 8);
  switch (next(s) % 5) {
  case 0:
    return (int64_t)next(s);
  case 1:
  case 2:
    return -n - 1;
  default:
    return n;
  }
}

// The contents of a tensor of indices: indices from both ends of an axis as long as some axis of an input, so that they
// are in bounds there. In some calls one index is arbitrary.
static const int64_t *choose_indices(Search *s, const Map *map, int input) {
  const Value *value = map->graph->value.item[next(s) % (uint64_t)map->graph->input_count];
  const Tensor *other = &map->value[value->id];
  int64_t elements = map_elements(map, map->graph->value.item[input]);
  bool is_all = !s->has_choice || elements < s->budget->elements; // else it is not executed
  int64_t count = is_all ? elements : 0, size = 1;
  if (other->rank > 0 && next(s) % 4)
    size = other->dim[next(s) % (uint64_t)other->rank];
  size = size < 1 ? 1 : size;
  int64_t *entry = ARENA_ARRAY(s->arena, int64_t, count + 1);
  for (int64_t k = 0; k < count; k++)
    entry[k] = (int64_t)(next(s) % (uint64_t)size) - (next(s) % 3 ? 0 : size);
  if (count > 0 && next(s) % 4 == 0)
    entry[next(s) % (uint64_t)count] = choose_outside(s, size);
  for (int64_t k = 0; k < count; k++)
    entry[k] = in_type(entry[k], s->graph->value.item[input]->dtype);
  return entry;
}

// Random entries are seldom a permutation: here each of 0 to count - 1 occurs once.
static void choose_order(Search *s, int64_t *entry, int64_t count) {
  for (int64_t k = 0; k < count; k++) {
    int64_t at = (int64_t)(next(s) % (uint64_t)(k + 1));
    entry[k] = entry[at];
    entry[at] = k;
  }
}

// Nor are they often all valid axes, which may repeat: here each is an axis of an input, counted from either end.
static void choose_axes(Search *s, int64_t *entry, int64_t count) {
  const Value *value = s->graph->value.item[next(s) % (uint64_t)s->graph->input_count];
  int64_t rank = value->shape.rank > 0 ? value->shape.rank : 1;
  for (int64_t k = 0; k < count; k++)
    entry[k] = (int64_t)(next(s) % (uint64_t)(2 * rank)) - rank;
}

// Nor are they often what a result is declared to be.
static void choose_declared(Search *s, const Map *map, int64_t *entry, int64_t count) {
  if (s->declared.count == 0)
    return;
  const rsh_shape *shape = &s->declared.item[next(s) % (uint64_t)s->declared.count];
  for (int64_t k = 0; k < count && k < shape->rank; k++)
    if (!rsh_is_unknown(shape->dim[k]))
      entry[k] = map_number(map, shape->dim[k]);
}

static void choose_targets(Search *s, Map *map) {
  enum { MOST_ENTRIES = 1 << 16 };
  const Graph *g = s->graph;
  const int64_t **target = ARENA_ARRAY(s->arena, const int64_t *, g->input_count + 1);
  const bool *are_indices = find_indices(s);
  for (int i = 0; i < g->input_count; i++) {
    if (are_indices[i] && !is_target(g, i))
      target[i] = choose_indices(s, map, i);
    if (!is_target(g, i))
      continue;
    const rsh_shape *shape = &g->value.item[i]->shape;
    int64_t count = 1;
    if (shape->rank == RSH_RANK_UNKNOWN)
      shape = &map->in_shape[i];
    for (int k = 0; k < shape->rank; k++)
      count *= map_number(map, shape->dim[k]);
    int64_t most = count < MOST_ENTRIES ? count : MOST_ENTRIES;
    int64_t *entry = ARENA_ARRAY(s->arena, int64_t, most + 1);
    for (int64_t k = 0; k < most; k++)
      entry[k] = choose_entry(s, map);
    uint64_t way = most > 1 ? next(s) % 8 : 8;
    if (way < 2)
      choose_order(s, entry, most);
    else if (way == 2)
      choose_axes(s, entry, most);
    else if (way < 5)
      choose_declared(s, map, entry, most);
    for (int64_t k = 0; k < most; k++)
      entry[k] = in_type(entry[k], g->value.item[i]->dtype);
    target[i] = entry;
  }
  map->target = target;
}

// The call refuses such a size first. One that is computed from others may be chosen: 4*N - 12 of N = 1.
static bool has_negative_size(const Graph *g, const int64_t *symbol) {
  bool found = false;
  for (int i = 0; i < g->symbol.count; i++)
    found = found || (symbol_is_parameter(&g->symbol.item[i]) && symbol[i] < 0);
  return found;
}

// Determines the effect of `where` and of negative sizes on a call. False: a condition cannot be computed.
static bool expect_conditions(const Search *s, const Map *map, rsh_status *status) {
  const Graph *g = s->plan->graph;
  Sizes sizes = {.arena = s->arena, .graph = g};
  memcpy(sizes.value, map->given, sizeof sizes.value);
  *status = has_negative_size(g, map->given) ? RSH_bad_dim : RSH_ok;
  if (*status == RSH_ok && !graph_edges(g, sizes.value))
    return false;
  for (int i = 0; i < g->guard.count && *status == RSH_ok; i++) {
    const Guard *guard = &g->guard.item[i];
    int64_t side;
    if (guard->node >= 0)
      continue;
    if (!rsh_eval(g->raw, guard->left, sizes.value, &side) ||
        !rsh_eval(g->raw, guard->right, sizes.value, &side) ||
        !rsh_eval(g->raw, guard->remainder_of, sizes.value, &side))
      return false;
    if (!sizes_keep(&sizes, guard))
      *status = guard->status;
  }
  return true;
}

// The symbol that is axis k of an input; -1: none, or in a model, one of those that a condition makes equal.
static int symbol_of_axis(const Graph *g, const Value *input, int k) {
  int found = -1;
  if (g->ast)
    return sizes_symbol(g, g->ast->input[input->id].type.dim[k]);
  for (int i = 0; i < g->symbol.count; i++)
    if (symbol_is_parameter(&g->symbol.item[i]) &&
        rsh_equal(g->symbol.item[i].num, input->shape.dim[k])) {
      if (found >= 0)
        return -1;
      found = i;
    }
  return found;
}

// Gives an input of known rank the chosen sizes. False: it has sizes other than symbols and numbers, or a layout.
static bool give_sizes(const Map *map, const Value *input) {
  Tensor *t = &map->value[input->id];
  t->count = 1;
  for (int k = 0; k < input->shape.rank && !input->storage; k++) {
    bool is_known = rsh_is_known(input->shape.dim[k]);
    int from = is_known ? -1 : symbol_of_axis(map->graph, input, k);
    if (from < 0 && !is_known)
      return false;
    t->dim[k] = from < 0 ? t->dim[k] : map->given[from];
    if (__builtin_mul_overflow(t->count, t->dim[k], &t->count))
      return false;
  }
  return !input->storage;
}

// If the sizes in the tensors violate a condition, the map gets sizes that preserve the form assumed by the graph, such
// as 4*a for A with A % 4 == 0. False: such tensors cannot be made.
static bool give_broken_sizes(const Search *s, const Map *map) {
  const Graph *g = s->graph;
  int64_t atom[RSH_MAX_SYMBOLS] = {0}, value;
  graph_atoms(g, map->given, atom);
  for (int i = 0; i < g->symbol.count; i++) {
    rsh_num num = g->symbol.item[i].num;
    bool is_kept = rsh_eval(g->symbols, num, atom, &value) && value == map->given[i];
    if (rsh_is_known(num) && !is_kept)
      return false;
  }
  for (int i = 0; i < g->input_count; i++)
    if (g->value.item[i]->shape.rank != RSH_RANK_UNKNOWN && !give_sizes(map, g->value.item[i]))
      return false;
  return true;
}

static bool has_zero_size(const Map *map, const Value *value) {
  const Tensor *t = &map->value[value->id];
  bool found = false;
  for (int k = 0; k < t->rank; k++)
    found = found || t->dim[k] < 1;
  return found;
}

static bool has_empty_input(const Map *map) {
  bool found = false;
  for (int i = 0; i < map->graph->input_count; i++)
    found = found || has_zero_size(map, map->graph->value.item[i]);
  return found;
}

// True if a size of the kernel's own graph, or the bytes of a value with elements, overflow. Otherwise only the text
// overflows: a part of -A + 2*A, which is A in code, or x[2:2*A], which ends at A; a stride of 2*A that no element
// takes.
static bool overflows_in_code(const Search *s, const Map *map) {
  const Graph *g = s->plan->graph;
  int64_t symbol[RSH_MAX_SYMBOLS], atom[RSH_MAX_SYMBOLS] = {0}, dim = 1;
  memcpy(symbol, map->given, sizeof symbol);
  bool fits = graph_edges(g, symbol);
  graph_atoms(g, symbol, atom);
  for (int i = 0; i < g->value.count; i++) {
    const Value *value = g->value.item[i];
    int64_t elements = 1, bytes = (plan_element_bits(value->dtype) + 7) / 8;
    for (int k = 0; fits && k < value->shape.rank; k++) {
      fits = rsh_eval(g->symbols, value->shape.dim[k], atom, &dim) &&
             (dim == 0 || !__builtin_mul_overflow(elements, dim, &elements));
      bytes = dim == 0 ? 0 : bytes;
    }
    fits = fits && !__builtin_mul_overflow(elements, bytes, &bytes);
  }
  return !fits;
}

// The size of an axis of the value of this name, in the graph with numbers. 1 if it has no such value: then a refusal
// is no fault.
static int64_t size_in_numbers(const Map *map, const char *name, int axis) {
  for (int i = map->graph->value.count - 1; i >= 0; i--) {
    const Value *value = map->graph->value.item[i];
    const Tensor *t = &map->value[value->id];
    if (value->name && strcmp(value->name, name) == 0 && axis >= 0 && axis < t->rank)
      return t->dim[axis];
  }
  return 1;
}

// Operators of a model broadcast a size of 1. If the size is open, the graph requires that it equals the other instead,
// and refuses a call that the model with numbers accepts. The size may be known only once a value is resolved.
//
//   Where(mask, x, y), x: [S], y: [4]    S == 4: not S = 1
static bool refuses_ones(const Search *s, const Map *map) {
  const Graph *g = s->plan->graph;
  int64_t symbol[RSH_MAX_SYMBOLS], left, right;
  bool found = false;
  if (!s->written->model)
    return false;
  memcpy(symbol, map->given, sizeof symbol);
  for (int i = 0; i < g->symbol.count; i++)
    if (g->symbol.item[i].of)
      symbol[i] = size_in_numbers(map, g->symbol.item[i].of->name, g->symbol.item[i].axis);
  if (!graph_edges(g, symbol))
    return false;
  for (int i = 0; i < g->guard.count; i++) {
    const Guard *guard = &g->guard.item[i];
    bool is_equal = guard->kind == WHERE_EQ && guard->status == RSH_shape_mismatch;
    found = found || (is_equal && rsh_eval(g->raw, guard->left, symbol, &left) &&
                      rsh_eval(g->raw, guard->right, symbol, &right) && left != right &&
                      (left == 1 || right == 1));
  }
  return found;
}

// Prepares a map of the graph with numbers for its sizes, and the status that a call must return: written conditions
// come first, then the shape rules on numbers. The conditions that the compiler derives are not used. False: the status
// is unknown.
static bool expect_status(Search *s, Map *map, rsh_status *status, bool *is_any) {
  const Graph *bound = NULL;
  *is_any = false;
  map_inputs(map);
  if (!expect_conditions(s, map, status))
    return false;
  if (*status != RSH_ok)
    return !graph_takes_tensors(s->graph) || give_broken_sizes(s, map);
  if (s->plan->graph->symbol.count > 0 || graph_takes_tensors(s->graph)) {
    Bound outcome = verify_bind(s->written, map, &bound, status);
    *is_any = outcome == REFUSED && (s->plan->tape || refuses_ones(s, map));
    if (outcome != BOUND) // without elements the code need not compute all that the text does
      return outcome == REFUSED &&
             (*status != RSH_overflow || !has_empty_input(map) || overflows_in_code(s, map));
    map->graph = bound;
    memset(map->symbol, 0, sizeof map->symbol);
    map_inputs(map);
  }
  *status = map_sizes(map);
  bool refuses = refuses_ones(s, map);
  *is_any = refuses; // the code may refuse it first
  return *status != RSH_ok || !refuses;
}

static bool is_in_budget(const Search *s, const Map *map) {
  bool small = true;
  for (int i = 0; i < map->graph->value.count; i++)
    small = small && map->value[i].count <= s->budget->elements;
  for (int i = 0; i < map->graph->input_count; i++)
    small = small && map_elements(map, map->graph->value.item[i]) <= s->budget->elements;
  return small;
}

static const char *choice_text(Search *s, const Map *map) {
  enum { MOST_SHOWN = 16 }; // entries of a target
  const char *text = "";
  const Graph *g = s->plan->graph;
  for (int i = 0; i < g->symbol.count; i++)
    if (symbol_is_parameter(&g->symbol.item[i]))
      text = arena_printf(s->arena, "%s%s%s = %lld", text, *text ? ", " : "",
                          g->symbol.item[i].name ? g->symbol.item[i].name : "?",
                          (long long)map->given[i]);
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
      for (int64_t k = 0; k < t->count && k < MOST_SHOWN && is_in_budget(s, map); k++)
        text =
            arena_printf(s->arena, "%s%s%lld", text, k ? ", " : "", (long long)map->target[i][k]);
      text = arena_printf(s->arena, t->count > MOST_SHOWN ? "%s, ...)" : "%s)", text);
    }
  }
  return text;
}

static Map *new_map(Search *s) {
  Map *map;
  s->arena = arena_new();
  map = ARENA_NEW(s->arena, Map);
  *map = (Map){.arena = s->arena, .graph = s->graph, .is_quick = s->is_quick};
  return map;
}

// A trial of a map whose symbols are chosen; chooses the rest.
static Trial trial_of(Search *s, Map *map) {
  memcpy(map->symbol, map->given, sizeof map->symbol);
  map->in_shape = choose_shapes(s);
  map_inputs(map);
  choose_targets(s, map);
  return (Trial){.map = map, .text = choice_text(s, map)};
}

static Trial new_trial(Search *s, int attempt) {
  Map *map = new_map(s);
  choose_symbols(s, attempt, map->given);
  Trial trial = trial_of(s, map);
  trial.is_known = expect_status(s, map, &trial.expected, &trial.is_any);
  if (trial.is_known && trial.expected == RSH_ok && map_picks(map) &&
      (!s->has_choice || is_in_budget(s, map)))
    trial.expected = map->status = map_indices(map);
  return trial;
}

// ---- tensors that exceed the address space ----

// Sizes near those for which a byte count exceeds 64 bits.
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

// True if the memory of a tensor can be counted in 64 bits, in elements and in bytes from the first to the last.
static bool memory_fits(const Map *map, const Value *value) {
  const Tensor *t = &map->value[value->id];
  int64_t elements = 1, span = 1, bits = plan_element_bits(value->dtype), bytes;
  bool fits = true, is_strided = value_is_strided(value);
  for (int k = 0; k < t->rank; k++) {
    int64_t stride = is_strided ? map_number(map, value->storage->stride[k]) : 0, reach;
    fits = fits && !__builtin_mul_overflow(elements, t->dim[k], &elements) &&
           !__builtin_mul_overflow(t->dim[k] - 1, stride < 0 ? -stride : stride, &reach) &&
           !__builtin_add_overflow(span, reach, &span);
  }
  return fits &&
         (bits < 8 || !__builtin_mul_overflow(is_strided ? span : elements, bits / 8, &bytes));
}

// True if the conditions of operators hold. If not, the call reports that error, even if a target is also too large.
//
//   reshape(x: f32[A, B], [A*C, B])    A, B and C all 2^31: the kernel only requires C == 1
static bool keeps_rules(const Search *s, const Map *map) {
  const Graph *g = s->plan->graph;
  Sizes sizes = {.arena = s->arena, .graph = g};
  bool keeps = true;
  memcpy(sizes.value, map->given, sizeof sizes.value);
  keeps = graph_edges(g, sizes.value);
  for (int i = 0; i < g->guard.count; i++)
    keeps = keeps && (g->guard.item[i].node < 0 || sizes_keep(&sizes, &g->guard.item[i]));
  return keeps;
}

static bool has_quotient(const Graph *g) {
  bool found = false;
  for (int i = 0; i < g->symbol.count; i++)
    found = found || (g->symbol.item[i].is_edge && edge_is_quotient(g->symbol.item[i].edge.kind));
  return found;
}

// The status for sizes that make a tensor uncountable, or barely countable: the latter is refused for lack of memory,
// unless a condition fails first. Without elements a size that overflows is refused all the same. False: the status is
// unknown.
static bool expect_huge(Search *s, Map *map, rsh_status *status) {
  const Graph *g = s->graph;
  bool fits = true, is_large = false, is_any;
  map_inputs(map);
  bool is_empty = has_empty_input(map);
  for (int i = 0; i < g->input_count; i++)
    fits = fits && memory_fits(map, g->value.item[i]);
  if (!expect_conditions(s, map, status))
    return false;
  if (*status != RSH_ok)
    return !fits && !is_empty;
  if (!keeps_rules(s, map) || !expect_status(s, map, status, &is_any))
    return false;
  g = map->graph;
  if (*status != RSH_ok)
    return *status == RSH_overflow && ((!fits && !is_empty) || overflows_in_code(s, map));
  if (is_empty)
    return false; // it has no elements, or those of a result too large for any memory
  for (int i = 0; i < g->output_count; i++)
    fits = fits && memory_fits(map, g->output[i].value);
  for (int i = 0; fits && i < g->input_count; i++)
    is_large = is_large || map_elements(map, g->value.item[i]) > INT64_C(1) << 40;
  *status = fits ? RSH_null_pointer : RSH_overflow;
  // S % 3 is S - 3*(S//3) in compiled code, and a part of that may overflow before memory is checked; so may a value of
  // a triangle of open sizes, which numbers do not need.
  return !fits || (is_large && s->plan->scratch_align == 0 && !has_quotient(s->plan->graph) &&
                   !overflows_in_code(s, map));
}

// If a size is 0, only computed sizes such as 2*A can overflow: large powers of two test those.
static void empty_some(Search *s, int64_t *symbol) {
  uint64_t count = (uint64_t)s->graph->symbol.count;
  for (uint64_t i = 0; i < count; i++)
    if (next(s) % 2)
      symbol[i] = INT64_C(1) << (62 - next(s) % 4);
  symbol[next(s) % count] = 0;
}

static Trial huge_trial(Search *s, bool is_empty) {
  Map *map = new_map(s);
  choose_symbols(s, s->budget->attempts, map->given);
  for (int i = 0; i < s->graph->symbol.count; i++)
    if (next(s) % 2)
      map->given[i] = huge_size(s);
  for (int i = 0; i < s->graph->symbol.count; i++)
    map->given[i] = map->given[i] < 1 ? 1 : map->given[i];
  if (is_empty)
    empty_some(s, map->given);
  Trial trial = trial_of(s, map);
  trial.is_huge = true;
  trial.is_known = expect_huge(s, map, &trial.expected);
  for (int i = 0; i < map->graph->value.count; i++)
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

static bool has_indices(const Graph *g) {
  for (int i = 0; i < g->node.count; i++)
    if (rsh_takes_indices(&g->node.item[i]->call))
      return true;
  return false;
}

// Nodes of the map, and elements that it may have computed.
static int64_t work_of(const Map *map, int64_t most_elements) {
  int64_t work = map->graph->node.count;
  for (int i = 0; i < map->graph->value.count; i++) {
    int64_t count = map->value[i].count;
    work += count < most_elements ? count : most_elements;
  }
  return work;
}

// False: the graph accepts none of the trials.
static bool find_trials(Search *s, Arena *arena, Trials *trials) {
  const Budget *budget = s->budget;
  bool has_more = s->has_choice || has_indices(s->graph);
  int taken = 0, refused[2] = {0, 0}; // for sizes, and for an index
  int attempts = has_more ? budget->attempts : 1;
  int64_t work = 0;
  for (int i = 0; i < attempts && work < budget->work &&
                  (taken < budget->taken || i < s->plan->graph->variant.count);
       i++) {
    Trial trial = new_trial(s, i);
    work += work_of(trial.map, budget->elements);
    bool good = trial.expected == RSH_ok;
    int *of_kind = &refused[trial.map->status == RSH_bad_index];
    if (!trial.is_known || !is_new(trials, &trial) ||
        (s->has_choice && !is_in_budget(s, trial.map)) || (!good && *of_kind >= budget->refused)) {
      arena_free(s->arena);
      continue;
    }
    VEC_PUSH(arena, trials->trial, trial);
    taken += good && zero_of_attempt(s->plan->graph, i) < 0; // one without elements is cheap
    *of_kind += !good;
  }
  return taken > 0;
}

static void find_huge_trials(Search *s, Arena *arena, Trials *trials, int attempts, bool is_empty) {
  for (int i = 0, huge = 0; i < attempts && huge < s->budget->huge; i++) {
    Trial trial = huge_trial(s, is_empty);
    if (trial.is_known) {
      VEC_PUSH(arena, trials->trial, trial);
      huge++;
    } else {
      arena_free(s->arena);
    }
  }
}

Trials trials_of(Arena *arena, const Written *written, const Plan *plan, bool is_quick) {
  Search s = {.plan = plan, .written = written, .is_quick = is_quick, .state = 1};
  Trials trials = {0};
  s.graph = graph_of_program(plan->graph);
  s.budget = is_quick ? &budget_quick : &budget_full;
  s.has_choice = has_choice(s.graph);
  collect(&s, arena);
  if (!find_trials(&s, arena, &trials)) {
    const Budget *budget = s.budget;
    s.budget = &budget_long;
    (void)find_trials(&s, arena, &trials);
    s.budget = budget;
  }
  if (!plan->tape && plan->graph->symbol.count > 0) {
    find_huge_trials(&s, arena, &trials, s.budget->attempts, false);
    find_huge_trials(&s, arena, &trials, 2 * s.budget->huge, true);
  }
  return trials;
}
