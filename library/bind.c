// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "library/bind.h"

#include <string.h>

static const char *symbol_name(const Sizes *s, int symbol) {
  return s->graph->symbol.item[symbol].name ? s->graph->symbol.item[symbol].name : "?";
}

const char *sizes_text(const Sizes *s) {
  const char *text = "";
  for (int i = 0; i < s->graph->symbol.count; i++)
    if (s->graph->symbol.item[i].name)
      text = arena_printf(s->arena, "%s%s%s = %lld", text, *text ? ", " : "", symbol_name(s, i),
                          (long long)s->value[i]);
  return text;
}

bool sizes_eval(const Sizes *s, const Graph *graph, rsh_num n, int64_t *out) {
  int64_t atom[RSH_MAX_SYMBOLS] = {0}, symbol[RSH_MAX_SYMBOLS];
  memcpy(symbol, s->value, sizeof symbol);
  if (graph != s->graph && !graph_edges(graph, symbol)) // a variant has its own edges
    return false;
  graph_atoms(graph, symbol, atom);
  return rsh_eval(graph->symbols, n, atom, out);
}

static bool refuse(Sizes *s, const char *error) {
  s->error = error;
  return false;
}

// ---- sizes that are symbols ----

static bool contradiction(Sizes *s, int symbol, int input, int axis) {
  const Value *const *value = (const Value *const *)s->graph->value.item;
  return refuse(
      s, arena_printf(
             s->arena,
             "size '%s' is %lld on axis %d of '%s' ('%s'), but %lld on axis %d of '%s' ('%s')",
             symbol_name(s, symbol), (long long)s->value[symbol], s->axis[symbol],
             value[s->input[symbol]]->name, s->path[s->input[symbol]],
             (long long)s->in[input].dim[axis], axis, value[input]->name, s->path[input]));
}

static bool bind(Sizes *s, int symbol, int input, int axis, int64_t value) {
  if (s->is_bound[symbol])
    return s->value[symbol] == value || contradiction(s, symbol, input, axis);
  s->is_bound[symbol] = true;
  s->value[symbol] = value;
  s->input[symbol] = input;
  s->axis[symbol] = axis;
  return true;
}

int sizes_symbol(const Graph *graph, const Expr *size) {
  for (int i = 0; i < graph->symbol.count; i++) {
    const Symbol *symbol = &graph->symbol.item[i];
    if (size->kind == EXPR_NAME
            ? symbol->name && strcmp(symbol->name, size->name) == 0
            : size->kind == EXPR_UNKNOWN && symbol->span.begin == size->span.begin)
      return i;
  }
  return -1;
}

// Binds sizes by their names in the text's types, because facts may have replaced a size by another number.
static bool bind_from_types(Sizes *s) {
  const Graph *graph = s->graph;
  bool good = true;
  for (int i = 0; graph->ast && i < graph->input_count; i++) {
    const AstType *type = &graph->ast->input[i].type;
    if (graph->value.item[i]->storage)
      continue; // the array has the layout in memory
    for (int k = 0; k < type->dim_count && good; k++) {
      int symbol = sizes_symbol(graph, type->dim[k]);
      if (symbol >= 0)
        good = bind(s, symbol, i, k, s->in[i].dim[k]);
    }
  }
  return good;
}

// ---- sizes that are parts of other sizes ----

// The atom that n is a constant multiple of; -1: there is none.
static int only_atom(const Graph *graph, rsh_num n, int64_t *factor) {
  rsh_terms t = rsh_terms_of(graph->symbols, n);
  if (!rsh_next_term(&t) || t.left > 0 || rsh_degree(&t) != 1)
    return -1;
  *factor = t.coef;
  return rsh_next_atom(&t);
}

// A size that is a symbol, also if facts express it otherwise: 2*n of N % 2 == 0, which the guards check later.
static bool bind_same(Sizes *s, int input, int axis) {
  rsh_num size = s->graph->value.item[input]->shape.dim[axis];
  bool good = true;
  for (int i = 0; i < s->graph->symbol.count && good && !rsh_is_known(size); i++)
    if (symbol_is_parameter(&s->graph->symbol.item[i]) && !s->is_bound[i] &&
        rsh_equal(s->graph->symbol.item[i].num, size))
      good = bind(s, i, input, axis, s->in[input].dim[axis]);
  return good;
}

// [N, C/16, H, W, 16] in memory: C is 16 times the size of axis 1.
static bool bind_from_memory(Sizes *s) {
  const Graph *graph = s->graph;
  bool good = true;
  for (int i = 0; i < graph->input_count; i++) {
    const Value *value = graph->value.item[i];
    bool is_strided = value_is_strided(value);
    for (int k = 0; k < value->shape.rank && !is_strided && good; k++) {
      int64_t factor = 1;
      good = bind_same(s, i, k);
      int atom = only_atom(graph, value->shape.dim[k], &factor);
      if (!good || atom < 0 || s->is_bound[atom] || factor < 1 || s->in[i].dim[k] % factor != 0)
        continue;
      good = bind(s, atom, i, k, s->in[i].dim[k] / factor * graph->symbol.item[atom].divisor);
    }
  }
  return good;
}

// Whether a node of the program computes the size.
static bool is_found_out(const Graph *graph, int symbol) {
  const Value *of = graph->symbol.item[symbol].of;
  return of && of->id >= graph->input_count;
}

// Computes edges from the sizes bound so far, unless a file has bound them: D == N - min(2, N).
static void bind_edges(Sizes *s) {
  int64_t value[RSH_MAX_SYMBOLS];
  memcpy(value, s->value, sizeof value);
  (void)graph_edges(s->graph, value); // bind_from_facts refuses one that does not fit
  for (int i = 0; i < s->graph->symbol.count; i++)
    if (s->graph->symbol.item[i].is_edge && !s->is_bound[i])
      s->value[i] = value[i];
}

// Binds N if N == B*S determines it.
static bool bind_from_facts(Sizes *s) {
  for (int i = 0; i < s->graph->symbol.count; i++) {
    if (s->is_bound[i] || s->graph->symbol.item[i].is_edge || is_found_out(s->graph, i))
      continue;
    int64_t value;
    rsh_num num = s->graph->symbol.item[i].num;
    bind_edges(s);
    if (graph_has_atom(s->graph, i) || !sizes_eval(s, s->graph, num, &value))
      return refuse(s, arena_printf(s->arena,
                                    "size '%s' cannot be inferred from the files: no parameter has "
                                    "an axis of exactly this size",
                                    symbol_name(s, i)));
    s->is_bound[i] = true;
    s->value[i] = value;
  }
  if (!graph_edges(s->graph, s->value))
    return refuse(s, arena_printf(s->arena, "%s do not fit 64 bits", sizes_text(s)));
  return true;
}

// ---- checks ----

const char *file_type(Arena *arena, const Graph *graph, const Value *value) {
  const char *text = value_text(arena, graph, value);
  if (!value->storage)
    return text;
  if (value->storage->stride)
    return arena_printf(arena, "%s, in memory at least %s elements", text,
                        num_text(arena, graph, value->storage->span));
  return arena_printf(arena, "%s, in memory %s", text, shape_text(arena, graph, &value->shape));
}

static bool wrong_shape(Sizes *s, int input) {
  const Value *value = s->graph->value.item[input];
  const Npy *array = &s->in[input];
  rsh_shape found = {.rank = array->rank};
  for (int k = 0; k < found.rank; k++)
    found.dim[k] = rsh_int(array->dim[k]);
  bool is_bound = s->graph->symbol.count > 0 && s->is_bound[0];
  const char *sizes = is_bound ? sizes_text(s) : "";
  return refuse(s,
                arena_printf(s->arena, "parameter '%s' is %s%s%s, but '%s' is %s", value->name,
                             file_type(s->arena, s->graph, value), *sizes ? " with " : "", sizes,
                             s->path[input], type_text(s->arena, s->graph, array->dtype, &found)));
}

// Before sizes are bound, checks ranks and sizes that are numbers in the text. Other sizes are numbers because of a
// condition, which is checked later.
static bool may_have_dims(const Sizes *s, int input) {
  const Value *value = s->graph->value.item[input];
  const Npy *array = &s->in[input];
  const AstType *type = s->graph->ast && !value->storage ? &s->graph->ast->input[input].type : NULL;
  bool is_any = value->shape.rank == RSH_RANK_UNKNOWN;
  bool same = is_any || array->rank == value->shape.rank;
  for (int i = 0; same && !is_any && i < array->rank; i++) {
    bool is_number = !type || i >= type->dim_count || type->dim[i]->kind == EXPR_INT;
    same =
        !is_number || !rsh_is_known(value->shape.dim[i]) || value->shape.dim[i].n == array->dim[i];
  }
  return same;
}

bool sizes_memory(const Sizes *s, const Graph *graph, const Value *value, int64_t *out) {
  bool is_empty = false;
  for (int i = 0; i < value->shape.rank; i++) {
    if (!sizes_eval(s, graph, value->shape.dim[i], out))
      return false;
    is_empty = is_empty || *out == 0;
  }
  *out = 0;
  return is_empty || sizes_eval(s, graph, value->storage->span, out);
}

// A file contains the elements in their memory layout: with strides, at least from the lowest to the highest address.
static bool has_dims(const Sizes *s, const Value *value, const Npy *array) {
  int64_t count = 1, n;
  if (value_is_strided(value)) {
    for (int i = 0; i < array->rank; i++)
      if (__builtin_mul_overflow(count, array->dim[i], &count))
        return false;
    return sizes_memory(s, s->graph, value, &n) && count >= n;
  }
  for (int i = 0; i < value->shape.rank; i++)
    if (!sizes_eval(s, s->graph, value->shape.dim[i], &n) || n != array->dim[i])
      return false;
  return true;
}

static bool compare(ConditionKind kind, int64_t a, int64_t b) {
  switch (kind) {
  case WHERE_EQ:
  case WHERE_IN:
    return a == b;
  case WHERE_NE:
    return a != b;
  case WHERE_LT:
    return a < b;
  case WHERE_LE:
    return a <= b;
  case WHERE_GT:
    return a > b;
  case WHERE_GE:
    return a >= b;
  }
  return false;
}

bool sizes_keep(const Sizes *s, const Guard *guard) {
  const rsh_symbols *raw = s->graph->raw;
  int64_t left, right, divisor;
  if (!rsh_eval(raw, guard->left, s->value, &left) ||
      !rsh_eval(raw, guard->right, s->value, &right) ||
      !rsh_eval(raw, guard->remainder_of, s->value, &divisor) || divisor < 0)
    return false;
  if (!rsh_is(guard->remainder_of, 0)) {
    if (divisor == 0)
      return false;
    left %= divisor;
  }
  if (guard->kind != WHERE_IN)
    return compare(guard->kind, left, right);
  for (int i = 0; i < guard->choice_count; i++)
    if (left == guard->choice[i])
      return true;
  return false;
}

static bool check_guards(Sizes *s) {
  const Graph *graph = s->graph;
  for (int i = 0; i < graph->guard.count; i++) {
    const Guard *guard = &graph->guard.item[i];
    bool is_of_program = guard->node >= 0 && graph_is_dynamic(graph);
    if (is_of_program || sizes_keep(s, guard))
      continue;
    const char *why =
        guard->node < 0 ? "" : arena_printf(s->arena, ": %s", rsh_status_string(guard->status));
    return refuse(s, arena_printf(s->arena, "graph '%s' takes only sizes with %s, but %s%s",
                                  graph->name, guard_text(s->arena, graph, guard), sizes_text(s),
                                  why));
  }
  return true;
}

const Variant *sizes_variant(const Sizes *s) {
  for (int i = 0; i < s->graph->variant.count; i++) {
    const Variant *variant = &s->graph->variant.item[i];
    bool matches = true;
    for (int k = 0; k < s->graph->symbol.count; k++) {
      int64_t bound = variant->bound[k];
      matches =
          matches && (bound == VARIANT_ANY ? s->value[k] >= variant_least(s->graph, variant, k)
                                           : s->value[k] == bound);
    }
    if (matches)
      return variant;
  }
  return NULL;
}

bool sizes_bind(Sizes *s) {
  const Graph *graph = s->graph;
  for (int i = 0; i < graph->input_count; i++) {
    const Value *value = graph->value.item[i];
    if (!value_is_strided(value) && !may_have_dims(s, i))
      return wrong_shape(s, i);
  }
  bool good = bind_from_types(s);
  if (good)
    good = bind_from_memory(s);
  if (good)
    good = bind_from_facts(s);
  if (good)
    good = check_guards(s);
  for (int i = 0; i < graph->input_count && good; i++)
    if (!has_dims(s, graph->value.item[i], &s->in[i]))
      good = wrong_shape(s, i);
  return good;
}
