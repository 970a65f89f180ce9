// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text of a graph: numbers, shapes and types as users write them, and the two dumps.
#include "frontend/graph/facts.h"
#include "frontend/graph/graph.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// A text that grows in the arena.
typedef struct Text {
  Arena *arena;
  VEC(char) chars;
  bool is_condition; // sizes of values are y.shape[0]; in types they are `?`
  // A condition that can be read: A*B/4 cannot, whatever other conditions say of A*B.
  bool is_source;
} Text;

static void put(Text *t, const char *s) {
  for (; *s; s++)
    VEC_PUSH(t->arena, t->chars, *s);
}

static void put_int(Text *t, int64_t n) {
  char digits[24];
  snprintf(digits, sizeof digits, "%" PRId64, n);
  put(t, digits);
}

static const char *text_end(Text *t) {
  VEC_PUSH(t->arena, t->chars, '\0');
  return t->chars.item;
}

// The base of a graph's numbers: atoms, or for guards the symbols themselves.
typedef enum Base { ATOMS, SYMBOLS } Base;

static void put_uint(Text *t, uint64_t n) {
  char digits[24];
  snprintf(digits, sizeof digits, "%" PRIu64, n);
  put(t, digits);
}

static void put_edge(Text *t, const Graph *graph, const Symbol *symbol, bool is_alone);

static void put_symbol(Text *t, const Symbol *symbol) {
  if (!symbol || !symbol->of || !t->is_condition) {
    put(t, symbol && symbol->name ? symbol->name : "?");
    return;
  }
  const Value *value = symbol->of;
  put(t, value->name ? value->name : value->node ? rsh_op_name(value->node->call.op) : "?");
  put(t, value->name ? "" : "(...)");
  if (symbol->axis == AXIS_RANK)
    put(t, ".ndim");
  else
    put(t, arena_printf(t->arena, ".shape[%d]", symbol->axis));
}

// B*S with the magnitude of its factor, omitting 1; the caller writes the sign. Atoms are written in terms of symbols:
// with w = W / 16, 48*w is 3*W, and 8*w is W/2. After an explicit sign a quotient is in parentheses: -(A//2) is not
// -A//2.
static void put_term(Text *t, const Graph *graph, Base base, rsh_terms term, bool has_sign) {
  int64_t below[RSH_MAX_SYMBOLS * 4];
  uint64_t coef = term.coef < 0 ? 0 - (uint64_t)term.coef : (uint64_t)term.coef;
  int divisors = 0, count = rsh_degree(&term);
  rsh_terms again = term;
  for (int i; (i = rsh_next_atom(&again)) >= 0;) {
    bool is_atom = base == ATOMS && i < graph->symbol.count;
    int64_t divisor = is_atom ? graph->symbol.item[i].divisor : 1;
    int64_t common = rsh_gcd((int64_t)(coef % (uint64_t)divisor), divisor);
    coef /= (uint64_t)common;
    if (divisor / common > 1 && divisors < RSH_MAX_SYMBOLS * 4)
      below[divisors++] = divisor / common;
  }
  if (coef != 1 || count == 0)
    put_uint(t, coef);
  bool first = coef == 1;
  for (int i; (i = rsh_next_atom(&term)) >= 0;) {
    if (!first)
      put(t, "*");
    first = false;
    const Symbol *symbol = i < graph->symbol.count ? &graph->symbol.item[i] : NULL;
    if (symbol && symbol->is_edge)
      put_edge(t, graph, symbol, coef == 1 && count == 1 && !has_sign);
    else
      put_symbol(t, symbol);
  }
  for (int i = 0; i < divisors; i++) {
    put(t, "/");
    put_int(t, below[i]);
  }
}

// "?", or "1..6" if both bounds are informative.
static void put_unknown(Text *t, const Graph *graph, rsh_num n) {
  rsh_interval r = rsh_bounds(graph->symbols, n);
  if (r.least < 0 || r.most == INT64_MAX) {
    put(t, "?");
    return;
  }
  put_int(t, r.least);
  put(t, "..");
  put_int(t, r.most);
}

static const rsh_symbols *symbols_of(const Graph *graph, Base base) {
  return base == ATOMS ? graph->symbols : graph->raw;
}

// {2, "P+1"} is 2*P+2.
static void put_number(Text *t, const Graph *graph, Base base, rsh_num n) {
  if (n.poly == 0) {
    put_int(t, n.n);
    return;
  }
  if (rsh_is_unknown(n)) {
    put_unknown(t, graph, n);
    return;
  }
  const char *plus = "";
  rsh_terms term = rsh_terms_of(symbols_of(graph, base), n);
  for (; rsh_next_term(&term); plus = "+") {
    put(t, term.coef < 0 ? "-" : plus);
    put_term(t, graph, base, term, term.coef < 0 && !*plus);
  }
}

static bool is_one_symbol(const rsh_symbols *s, rsh_num n) {
  rsh_terms t = rsh_terms_of(s, n);
  return rsh_next_term(&t) && rsh_degree(&t) == 1 && t.coef == 1;
}

// Returns whether n is a single symbol that is written as a quotient: after '/', A//2 is (A//2).
static bool is_put_as_quotient(const Graph *graph, const rsh_symbols *s, rsh_num n) {
  rsh_terms t = rsh_terms_of(s, n);
  int i = rsh_next_term(&t) ? rsh_next_atom(&t) : -1;
  return i >= 0 && i < graph->symbol.count && graph->symbol.item[i].is_edge &&
         edge_is_quotient(graph->symbol.item[i].edge.kind);
}

static void put_operand(Text *t, const Graph *graph, Base base, rsh_num n, bool is_right) {
  const rsh_symbols *s = symbols_of(graph, base);
  bool is_apart =
      !rsh_is_known(n) && (rsh_term_count(s, n) > 1 ||
                           (is_right && (!is_one_symbol(s, n) || is_put_as_quotient(graph, s, n))));
  put(t, is_apart ? "(" : "");
  put_number(t, graph, base, n);
  put(t, is_apart ? ")" : "");
}

// Whether the edge of a symbol is this quotient, which may be reduced: 216/(6*A) is 36/A. Conditions may make several
// quotients the same number.
static bool is_quotient_of(const Graph *graph, const Symbol *symbol, const rsh_floor *q) {
  rsh_num num[RSH_MAX_SYMBOLS], at, size, one, other;
  for (int i = 0; i < graph->symbol.count; i++)
    num[i] = graph->symbol.item[i].num;
  return rsh_equal(q->floor, symbol->num) &&
         num_substitute(graph->symbols, graph->raw, symbol->edge.at, num, &at) &&
         num_substitute(graph->symbols, graph->raw, symbol->edge.size, num, &size) &&
         rsh_mul(graph->symbols, at, q->by, &one) && rsh_mul(graph->symbols, q->of, size, &other) &&
         rsh_equal(one, other);
}

bool quotient_is_exact(const Graph *graph, const Symbol *symbol) {
  const rsh_symbols *s = graph->symbols;
  for (int32_t i = 0; i < s->quotient_count; i++)
    if (s->quotient[i].is_exact && is_quotient_of(graph, symbol, &s->quotient[i]))
      return true;
  return false;
}

// The dividend of an edge, for rounding down: a quotient rounded up becomes an equal one rounded down. False: there is
// no room for it.
//   ceil(N / 2)  ->  N + 1
static bool rounded_down(const Graph *graph, const Edge *edge, rsh_num *at) {
  *at = edge->at;
  return edge->kind != RSH_EDGE_CEILING ||
         (rsh_add(graph->raw, *at, edge->size, at) && rsh_sub(graph->raw, *at, rsh_int(1), at));
}

// Merges a quotient of a quotient into one: sizes that are halved repeatedly stay short.
//   ((N + 1)//2 + 1)//2  ->  (N + 3)//4
static void unite_quotients(const Graph *graph, Edge *edge, bool *exact) {
  rsh_num rest, at, below, size = edge->size;
  if (!rounded_down(graph, edge, &at))
    return;
  rsh_terms t = rsh_terms_of(graph->raw, at);
  int i = rsh_next_term(&t) && rsh_degree(&t) == 1 && t.coef == 1 ? rsh_next_atom(&t) : -1;
  const Symbol *inner = i < 0 || i >= graph->symbol.count ? NULL : &graph->symbol.item[i];
  rsh_num atom;
  if (!inner || !inner->is_edge || !edge_is_quotient(inner->edge.kind) ||
      !rsh_atom(graph->raw, i, &atom) || !rsh_sub(graph->raw, at, atom, &rest))
    return;
  Edge under = inner->edge;
  bool is_exact_under = quotient_is_exact(graph, inner);
  unite_quotients(graph, &under, &is_exact_under);
  rsh_num by = under.size;
  if (!rounded_down(graph, &under, &below) || !rsh_is_known(rest) || !rsh_are_known(size, by) ||
      size.n < 1 || by.n < 1 || !rsh_mul(graph->raw, rest, by, &rest) ||
      !rsh_add(graph->raw, below, rest, &at) || !rsh_mul(graph->raw, size, by, &size))
    return;
  *edge = (Edge){.kind = RSH_EDGE_FLOOR, .at = at, .size = size};
  *exact = *exact && is_exact_under;
}

// "(N+1)//2"; "-(-N//2)" if there is no room for N+1.
static void put_quotient(Text *t, const Graph *graph, Edge edge, bool exact) {
  rsh_num at;
  unite_quotients(graph, &edge, &exact);
  bool is_up = !rounded_down(graph, &edge, &at);
  put(t, is_up ? "-(-" : "");
  put_operand(t, graph, SYMBOLS, is_up ? edge.at : at, false);
  put(t, exact && !t->is_source ? "/" : "//");
  put_operand(t, graph, SYMBOLS, edge.size, true);
  put(t, is_up ? ")" : "");
}

static void put_pair(Text *t, const Graph *graph, const char *function, rsh_num a, rsh_num b) {
  put(t, function);
  put(t, "(");
  put_number(t, graph, SYMBOLS, a);
  put(t, ", ");
  put_number(t, graph, SYMBOLS, b);
  put(t, ")");
}

// "min(3, H)"; "edge(N, H)" if N may be below 0; "N*M/2"; "S//2" if there may be a remainder.
static void put_edge(Text *t, const Graph *graph, const Symbol *symbol, bool is_alone) {
  const Edge *edge = &symbol->edge;
  if (edge->kind == RSH_EDGE_EITHER) {
    put_pair(t, graph, "either", edge->at, edge->size);
    return;
  }
  if (edge_is_quotient(edge->kind)) {
    put(t, is_alone ? "" : "(");
    put_quotient(t, graph, *edge, quotient_is_exact(graph, symbol));
    put(t, is_alone ? "" : ")");
    return;
  }
  bool has_least = !rsh_is(edge->least, 0);
  if (has_least) {
    put(t, "max(");
    put_number(t, graph, SYMBOLS, edge->least);
    put(t, ", ");
  }
  put_pair(t, graph, edge->may_be_negative ? "edge" : "min", edge->at, edge->size);
  put(t, has_least ? ")" : "");
}

static void put_num(Text *t, const Graph *graph, rsh_num n) { put_number(t, graph, ATOMS, n); }

static void put_list(Text *t, const Graph *graph, const rsh_num *item, int32_t count) {
  put(t, "[");
  for (int32_t i = 0; i < count; i++) {
    if (i > 0)
      put(t, ", ");
    put_num(t, graph, item[i]);
  }
  put(t, "]");
}

static void put_type(Text *t, const Graph *graph, rsh_dtype dtype, const rsh_shape *shape) {
  put(t, rsh_dtype_name(dtype));
  if (shape->rank == RSH_RANK_UNKNOWN)
    put(t, "[*]");
  else if (shape->rank > 0)
    put_list(t, graph, shape->dim, shape->rank);
}

const char *op_effect(rsh_op op) {
  static const char *const effects[] = {
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  effect,
#include "runtime/ops.def"
#undef RSH_OP
  };
  return *effects[op] ? effects[op] : NULL;
}

const char *num_text(Arena *arena, const Graph *graph, rsh_num n) {
  Text t = {.arena = arena};
  put_num(&t, graph, n);
  return text_end(&t);
}

const char *num_brief(Arena *arena, const Graph *graph, rsh_num n) {
  const char *whole = num_text(arena, graph, n), *comma = "";
  if (strlen(whole) <= NUM_BRIEF)
    return whole;
  uint32_t roots = graph_roots(graph, rsh_atoms_of(graph->symbols, n));
  Text t = {.arena = arena};
  put(&t, "f(");
  for (int i = 0; i < graph->symbol.count; i++)
    if ((roots >> i & 1) != 0) {
      put(&t, comma);
      put(&t, graph->symbol.item[i].name ? graph->symbol.item[i].name : "?");
      comma = ", ";
    }
  put(&t, ")");
  const char *brief = text_end(&t);
  return strlen(brief) <= NUM_BRIEF
             ? brief
             : arena_printf(arena, "f(%s)", arena_count(arena, __builtin_popcount(roots), "size"));
}

const char *operand_text(Arena *arena, const Graph *graph, rsh_num n, bool is_right) {
  Text t = {.arena = arena};
  put_operand(&t, graph, ATOMS, n, is_right);
  return text_end(&t);
}

const char *shape_text(Arena *arena, const Graph *graph, const rsh_shape *shape) {
  Text t = {.arena = arena};
  if (shape->rank == RSH_RANK_UNKNOWN)
    put(&t, "[*]");
  else
    put_list(&t, graph, shape->dim, shape->rank);
  return text_end(&t);
}

const char *overflow_text(Arena *arena, const Graph *graph, const rsh_shape *shape) {
  const char *product = "", *but = "";
  for (int32_t i = 0; i < shape->rank; i++)
    if (rsh_is(shape->dim[i], 0))
      but = ", not counting the 0";
    else
      product = arena_printf(arena, "%s%s%s", product, *product ? " * " : "",
                             num_text(arena, graph, shape->dim[i]));
  return arena_printf(arena, "more elements than 64 bits can count%s: %s", but, product);
}

const char *type_text(Arena *arena, const Graph *graph, rsh_dtype dtype, const rsh_shape *shape) {
  Text t = {.arena = arena};
  put_type(&t, graph, dtype, shape);
  return text_end(&t);
}

const char *value_text(Arena *arena, const Graph *graph, const Value *value) {
  rsh_shape shape = value_known_dims(graph, value);
  return value_text_as(arena, graph, value, type_text(arena, graph, value->dtype, &shape), NULL);
}

const char *value_text_as(Arena *arena, const Graph *graph, const Value *value, const char *type,
                          const char *strides) {
  const Storage *storage = value->storage;
  Text t = {.arena = arena};
  put(&t, type);
  put(&t, value->lod ? " lod" : "");
  if (storage && storage->layout) {
    put(&t, " layout \"");
    put(&t, storage->layout);
    put(&t, "\"");
  }
  if (storage && storage->stride) {
    put(&t, " strides ");
    if (strides)
      put(&t, strides);
    else
      put_list(&t, graph, storage->stride, value->shape.rank);
  }
  put(&t, value->is_placed ? " placed" : "");
  return text_end(&t);
}

const char *literal_text(Arena *arena, const Fill *fill) {
  const rsh_cast_rule rule = {true, RSH_ROUND_NEAREST};
  double number = 0;
  int64_t integer = 0;
  if (fill->dtype == RSH_BOOL)
    return fill->bits[0] ? "true" : "false";
  if (!rsh_dtype_is_float(fill->dtype)) {
    (void)rsh_convert(fill->bits, fill->dtype, &integer, fill->dtype == RSH_U64 ? RSH_U64 : RSH_I64,
                      rule);
    if (fill->dtype == RSH_U64)
      return arena_printf(arena, "%" PRIu64, (uint64_t)integer);
    return arena_printf(arena, "%" PRId64, integer);
  }
  (void)rsh_convert(fill->bits, fill->dtype, &number, RSH_F64, rule);
  if (isnan(number))
    return "nan";
  return arena_printf(arena, fill->dtype == RSH_F64 ? "%.17g" : "%.9g", number);
}

static void put_entry(Text *t, const Graph *graph, const rsh_arg *arg, int32_t i) {
  if (!rsh_arg_is_table(arg)) {
    put_num(t, graph, arg->list[i]);
    return;
  }
  Fill fill = table_entry(&graph->table.item[arg->table], i);
  put(t, literal_text(t->arena, &fill));
}

// Nested lists: [[1, 2], [3, 4]].
static void put_nested(Text *t, const Graph *graph, const rsh_arg *arg) {
  int32_t inner[EXPR_MAX_DEPTH + 1]; // entries of a list of each level
  inner[arg->rank] = 1;
  for (int32_t i = arg->rank - 1; i >= 0; i--)
    inner[i] = inner[i + 1] * arg->dims[i];
  for (int32_t i = 0; i < arg->count; i++) {
    int32_t opens = 0;
    for (int32_t k = 0; k < arg->rank; k++)
      opens += i % inner[k] == 0;
    put(t, i > 0 ? ", " : "");
    for (int32_t k = 0; k < opens; k++)
      put(t, "[");
    put_entry(t, graph, arg, i);
    for (int32_t k = 0; k < arg->rank; k++)
      put(t, (i + 1) % inner[k] == 0 ? "]" : "");
  }
  for (int32_t k = 0; arg->count == 0 && k < arg->rank; k++)
    put(t, "[");
  for (int32_t k = 0; arg->count == 0 && k < arg->rank; k++)
    put(t, "]");
}

static void put_arg(Text *t, const Graph *graph, const rsh_arg *arg) {
  switch (arg->kind) {
  case RSH_ARG_ABSENT:
    put(t, "None");
    return;
  case RSH_ARG_LIST:
    if (arg->rank == 0)
      put_num(t, graph, arg->list[0]);
    else if (arg->rank > 1)
      put_nested(t, graph, arg);
    else
      put_list(t, graph, arg->list, arg->count);
    return;
  case RSH_ARG_TEXT:
    put(t, "\"");
    put(t, arg->text);
    put(t, "\"");
    return;
  case RSH_ARG_VALUE:
    if (arg->rank > 0)
      put_nested(t, graph, arg);
    else
      put(t, arg->text);
    return;
  case RSH_ARG_TENSOR:
    put(t, rsh_dtype_name(arg->dtype));
    put(t, " ");
    if (arg->rank == 0 || !arg->list)
      put(t, arg->rank == 0 ? "?" : "[...]");
    else
      put_list(t, graph, arg->list, arg->count);
    return;
  }
}

static bool is_dtype_argument(const char *spec) {
  return strncmp(spec + strcspn(spec, ":"), ":dtype", 6) == 0;
}

const char *target_text(Arena *arena, const TargetData *data, int i, const char *name) {
  const rsh_shape *shape = &data->entry[i]->shape;
  bool is_one = shape->rank == 0 || rsh_is(shape->dim[0], 1);
  return is_one ? name : arena_printf(arena, "%s[%d]", name, (int)target_at(data, i));
}

const char *argument_text(Arena *arena, const Graph *graph, const rsh_call *call, int arg) {
  Text t = {.arena = arena};
  const char *spec = rsh_op_arguments(call->op);
  for (int i = 0; i < arg; i++) {
    spec += strcspn(spec, " ");
    spec += strspn(spec, " ");
  }
  if (is_dtype_argument(spec))
    put(&t, rsh_dtype_name((rsh_dtype)call->arg[arg].list[0].n));
  else
    put_arg(&t, graph, &call->arg[arg]);
  return text_end(&t);
}

// The arguments given, by their names in the table: ", perm=[1, 0]".
static void put_args(Text *t, const Graph *graph, const rsh_call *call) {
  const char *spec = rsh_op_arguments(call->op);
  for (int i = 0; i < RSH_MAX_ARGS && *spec; i++) {
    if (call->arg[i].kind != RSH_ARG_ABSENT) {
      put(t, ", ");
      for (const char *c = spec; *c != ':' && *c != '|'; c++)
        VEC_PUSH(t->arena, t->chars, *c);
      put(t, "=");
      put(t, argument_text(t->arena, graph, call, i));
    }
    spec += strcspn(spec, " ");
    spec += strspn(spec, " ");
  }
}

static void put_value(Text *t, const Graph *graph, const Value *value) {
  put(t, "%");
  put_int(t, value->id);
  if (value->name) {
    put(t, value->is_view ? " view " : " ");
    put(t, value->name);
  }
  put(t, ": ");
  put_type(t, graph, value->dtype, &value->shape);
  put(t, value->lod ? " lod" : "");
}

static void put_guard(Text *t, const Graph *graph, Base base, const Guard *guard) {
  static const char *const sign[] = {"==", "!=", "<", "<=", ">", ">=", "in"};
  if (rsh_is(guard->remainder_of, 0)) {
    put_number(t, graph, base, guard->left);
  } else {
    put_operand(t, graph, base, guard->left, false);
    put(t, " % ");
    put_operand(t, graph, base, guard->remainder_of, true);
  }
  put(t, " ");
  put(t, sign[guard->kind]);
  put(t, " ");
  if (guard->kind != WHERE_IN) {
    put_number(t, graph, base, guard->right);
    return;
  }
  put(t, "[");
  for (int i = 0; i < guard->choice_count; i++) {
    if (i > 0)
      put(t, ", ");
    put_int(t, guard->choice[i]);
  }
  put(t, "]");
}

const char *guard_text(Arena *arena, const Graph *graph, const Guard *guard) {
  Text t = {.arena = arena, .is_condition = true};
  put_guard(&t, graph, SYMBOLS, guard);
  return text_end(&t);
}

const char *guard_source(Arena *arena, const Graph *graph, const Guard *guard) {
  Text t = {.arena = arena, .is_condition = true, .is_source = true};
  put_guard(&t, graph, SYMBOLS, guard);
  return text_end(&t);
}

const char *condition_text(Arena *arena, const Graph *graph, const Guard *condition) {
  Text t = {.arena = arena, .is_condition = true};
  put_guard(&t, graph, ATOMS, condition);
  return text_end(&t);
}

static void put_node(Text *t, const Graph *graph, const Node *node) {
  put(t, "  ");
  for (int32_t i = 0; i < node->call.out_count; i++) {
    if (i > 0)
      put(t, ", ");
    put_value(t, graph, node->out[i]);
  }
  put(t, " = ");
  put(t, rsh_op_name(node->call.op));
  put(t, "(");
  for (int32_t i = 0; i < node->call.in_count; i++) {
    put(t, i > 0 ? ", %" : "%");
    put_int(t, node->in[i]->id);
  }
  put_args(t, graph, &node->call);
  put(t, ")\n");
}

// "  for B = 8, N//3 = 2: its own graph".
static void put_variant(Text *t, const Graph *graph, const Variant *variant) {
  const char *separator = "  for ";
  for (int i = 0; i < graph->symbol.count; i++) {
    if (variant->bound[i] == VARIANT_ANY)
      continue;
    put(t, separator);
    separator = ", ";
    put(t, num_text(t->arena, graph, graph->symbol.item[i].num));
    put(t, " = ");
    put_int(t, variant->bound[i]);
  }
  put(t, ": its own graph\n");
}

static void flush_text(Text *t, FILE *out) {
  fwrite(t->chars.item, 1, (size_t)t->chars.count, out);
  t->chars.count = 0;
}

//   graph nchw
//     %0 x: u8[H, W, 3] = input
//     where H <= 1080, W % 16 == 0
//     %1: u8[3, H, W] = transpose(%0, perm=[2, 0, 1])
//     ...
//     output y = %3
void graph_print(const Graph *graph, FILE *out) {
  Arena *arena = arena_new();
  Text t = {.arena = arena};
  put(&t, "graph ");
  put(&t, graph->name);
  put(&t, "\n");
  for (int i = 0; i < graph->input_count; i++) {
    put(&t, "  ");
    put_value(&t, graph, graph->value.item[i]);
    put(&t, " = input\n");
  }
  for (int i = 0; i < graph->guard.count; i++) {
    put(&t, i == 0 ? "  where " : ", ");
    put_guard(&t, graph, SYMBOLS, &graph->guard.item[i]);
    if (graph->guard.item[i].status != RSH_guard_failed) {
      put(&t, " or ");
      put(&t, rsh_status_name(graph->guard.item[i].status));
    }
    if (i + 1 == graph->guard.count)
      put(&t, "\n");
  }
  for (int i = 0; i < graph->node.count; i++) {
    put_node(&t, graph, graph->node.item[i]);
    flush_text(&t, out);
  }
  for (int i = 0; i < graph->output_count; i++) {
    put(&t, "  output ");
    put(&t, graph->output[i].name);
    put(&t, " = %");
    put_int(&t, graph->output[i].value->id);
    put(&t, "\n");
  }
  for (int i = 0; i < graph->variant.count; i++)
    if (graph->variant.item[i].least == 0) // else whether it is kept is not known yet
      put_variant(&t, graph, &graph->variant.item[i]);
  flush_text(&t, out);
  arena_free(arena);
}

//   from %0 at 4 to 0: {3, dst 2, src 1} {2, dst 1, src 3}
static void put_move(Text *t, const Graph *graph, const rsh_moves *moves, const rsh_move *move) {
  if (rsh_is_fill(move->source)) {
    put(t, "    fill %");
    put_int(t, -1 - (int64_t)move->source);
  } else {
    put(t, "    from %");
    put_int(t, move->source);
    put(t, " at ");
    put_num(t, graph, move->src_offset);
  }
  put(t, " to ");
  put_num(t, graph, move->dst_offset);
  put(t, ":");
  for (int32_t i = 0; i < move->axis_count; i++) {
    const rsh_axis *axis = &moves->axis[move->first + i];
    put(t, " {");
    put_num(t, graph, axis->extent);
    put(t, ", dst ");
    put_num(t, graph, axis->dst);
    put(t, ", src ");
    put_num(t, graph, axis->src);
    put(t, "}");
  }
  int steps;
  const rsh_step *step = graph_map_steps(t->arena, graph, move->map, &steps);
  for (int i = 0; i < steps; i++) {
    put(t, ", ");
    put(t, rsh_op_name(step[i].op));
    put(t, step[i].op == RSH_OP_CAST ? " to " : "");
    put(t, step[i].op == RSH_OP_CAST ? rsh_dtype_name(step[i].to) : "");
  }
  put(t, "\n");
}

//   kept, picked from %0 at 0 by %1 at 0
static void put_picked(Text *t, const Graph *graph, const Value *value) {
  const Location *location[] = {value->picked_from, value->picked_by};
  put(t, " kept, picked");
  for (int i = 0; i < 2; i++) {
    put(t, i == 0 ? " from %" : " by %");
    put_int(t, location[i]->source);
    put(t, " at ");
    put_num(t, graph, location[i]->offset);
  }
  put(t, "\n");
}

void graph_print_moves(const Graph *graph, FILE *out) {
  Arena *arena = arena_new();
  Text t = {.arena = arena};
  put(&t, "graph ");
  put(&t, graph->name);
  put(&t, "\n");
  for (int i = 0; i < graph->value.count; i++) {
    const Value *value = graph->value.item[i];
    if (!value->moves)
      continue;
    put(&t, "  ");
    put_value(&t, graph, value);
    if (value->picked_from)
      put_picked(&t, graph, value);
    else
      put(&t, value->feed ? " kept, fed\n" : value->is_staged ? " staged\n" : "\n");
    const rsh_moves *shown = value->feed ? value->feed : value->moves;
    for (int32_t k = 0; k < shown->count; k++)
      put_move(&t, graph, shown, &shown->move[k]);
    flush_text(&t, out);
  }
  flush_text(&t, out);
  arena_free(arena);
}
