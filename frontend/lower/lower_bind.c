// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binds the arguments of a call to the operator table; the result is one canonical rsh_call.
//
//   onnx.reshape(x, (0, -1), allowzero=1)   "shape:target allowzero:int opset:int ..."
//       arg[0] = list [0, -1] of rank 1     arg[1] = integer 1      arg[2] left out
//
// Only the first fault of a call is kept; lower_apply.c decides whether it is the one to report.
#include "frontend/lower/lower_internal.h"

#include <string.h>

// --- One argument, by its kind

static bool is_plain_name(const Expr *e, const char *text) {
  return e->kind == EXPR_NAME && strcmp(e->name, text) == 0;
}

static const char *const kind_words[] = {"an integer",
                                         "true or false",
                                         "a string",
                                         "an element type such as f16, without quotes",
                                         "a list of integers",
                                         "a list of integers or a 1-D integer tensor",
                                         "a list of integers or a 1-D integer tensor",
                                         "the name of an activation in quotes, or None",
                                         "an integer, a list or nested lists of integers",
                                         "a number, inf, nan, true or false",
                                         "a list of numbers, inf, nan, true or false"};

// 1 for true, 0 for false; -1: another expression.
static int truth(const Expr *e) {
  if (is_plain_name(e, "true") || is_plain_name(e, "True"))
    return 1;
  return is_plain_name(e, "false") || is_plain_name(e, "False") ? 0 : -1;
}

// allowzero=true, where no size is called true.
static bool is_truth_for_integer(Lower *l, const Param *param, const Expr *e) {
  return param->kind == PARAM_INT && truth(e) >= 0 && !name_find(l, e->name);
}

// What to write for mode=edge and cast(x, "f16"), where quotes are missing or too many, and for
// allowzero=true.
static const char *correction(Lower *l, const Param *param, const Expr *e) {
  if (is_truth_for_integer(l, param, e))
    return arena_printf(l->arena, "write %d", truth(e));
  bool is_text = param->kind == PARAM_TEXT || param->kind == PARAM_NAME;
  if (is_text && e->kind == EXPR_NAME && !is_tensor_expr(l, e))
    return arena_printf(l->arena, "write \"%s\"", e->name);
  bool is_type = param->kind == PARAM_DTYPE && e->kind == EXPR_STRING &&
                 rsh_dtype_find(e->string.text, e->string.length) != RSH_DTYPE_NONE;
  return is_type ? arena_printf(l->arena, "write %s", e->string.text) : NULL;
}

static void refuse_kind(Lower *l, Binding *b, const Param *param, const Expr *e) {
  const char *words = is_tensor_expr(l, e) ? "a tensor" : expr_words(e);
  const char *corrected = correction(l, param, e);
  problem_set(l, &b->problem, e->span, "bad_arg", "'%s' takes %s; %s%s", param->name,
              kind_words[param->kind], corrected ? "" : "this is ", corrected ? corrected : words);
}

static bool may_be_integer(const Lower *l, const Expr *e) {
  return (e->kind == EXPR_INT || e->kind == EXPR_LARGE || e->kind == EXPR_NEGATE ||
          e->kind == EXPR_BINARY || e->kind == EXPR_NAME) &&
         !is_tensor_expr(l, e);
}

// An integer expression; otherwise a fault that names the argument.
static bool bind_integer(Lower *l, Binding *b, const Param *param, const Expr *e, rsh_num *out) {
  if (may_be_integer(l, e) && !is_truth_for_integer(l, param, e))
    return int_expr(l, e, out, &b->problem);
  refuse_kind(l, b, param, e);
  return false;
}

static void bind_bool(Lower *l, Binding *b, const Param *param, int arg, const Expr *e) {
  if (truth(e) >= 0)
    binding_int(l, b, arg, truth(e));
  else if (e->kind == EXPR_INT && (e->integer == 0 || e->integer == 1))
    binding_int(l, b, arg, e->integer);
  else
    refuse_kind(l, b, param, e);
}

static void bind_text(Lower *l, Binding *b, const Param *param, int arg, const Expr *e) {
  if (e->kind == EXPR_STRING)
    b->call.arg[arg] = (rsh_arg){.kind = RSH_ARG_TEXT, .dtype = RSH_I64, .text = e->string.text};
  else
    refuse_kind(l, b, param, e);
}

static void bind_dtype(Lower *l, Binding *b, const Param *param, int arg, const Expr *e) {
  rsh_dtype dtype =
      e->kind == EXPR_NAME ? rsh_dtype_find(e->name, strlen(e->name)) : RSH_DTYPE_NONE;
  if (dtype != RSH_DTYPE_NONE)
    binding_int(l, b, arg, (int64_t)dtype);
  else if (e->kind == EXPR_NAME)
    problem_set(l, &b->problem, e->span, "unknown_type", "unknown element type '%s'%s", e->name,
                dtype_hint(l, e->name));
  else
    refuse_kind(l, b, param, e);
}

// Returns whether the expression contains a named size: then it is a size, even if 0 or -1, not an instruction.
static bool has_name(const Expr *e) {
  if (e->is_data)
    return false;
  if (e->kind == EXPR_NEGATE)
    return has_name(e->binary.left);
  if (e->kind == EXPR_BINARY)
    return has_name(e->binary.left) || has_name(e->binary.right);
  return e->kind == EXPR_NAME || (e->kind == EXPR_INT && e->is_size);
}

static uint32_t sizes_of(const Lower *l, const Expr *list) {
  uint32_t sizes = 0;
  for (int i = 0; i < list->list.count && i < 32; i++) {
    const Expr *item = list->list.item[i];
    sizes |= !is_tensor_expr(l, item) && has_name(item) ? UINT32_C(1) << i : 0;
  }
  return sizes;
}

// pads as NumPy writes them: [(1, 1), (0, 0)].
static const char *entry_hint(const Binding *b, const Expr *item) {
  bool is_pair = item->kind == EXPR_LIST || item->kind == EXPR_TUPLE;
  return b->call.op == RSH_OP_PAD && is_pair ? "; pads are all begins, then all ends" : "";
}

// The entries of [a, b, c] as an integer list of rank 1.
static void bind_entries(Lower *l, Binding *b, const Param *param, int arg, const Expr *e) {
  int count = e->list.count;
  rsh_num *list = ARENA_ARRAY(l->arena, rsh_num, count);
  Span *entry = ARENA_ARRAY(l->arena, Span, count);
  for (int i = 0; i < count; i++) {
    const Expr *item = e->list.item[i];
    entry[i] = item->span;
    if (!may_be_integer(l, item)) {
      problem_set(l, &b->problem, item->span, "bad_arg",
                  "an entry of '%s' is an integer; this is %s%s", param->name,
                  is_tensor_expr(l, item) ? "a tensor" : expr_words(item), entry_hint(b, item));
      return;
    }
    if (!int_expr(l, item, &list[i], &b->problem))
      return;
  }
  b->call.arg[arg] = (rsh_arg){.kind = RSH_ARG_LIST,
                               .rank = 1,
                               .count = count,
                               .sizes = sizes_of(l, e),
                               .dtype = RSH_I64,
                               .list = list};
  b->arg[arg].entry = entry;
}

// Nested lists, all of one shape, entry by entry.
typedef struct Nested {
  const Param *param;
  int32_t dims[EXPR_MAX_DEPTH];
  int rank;
  bool (*take)(Lower *l, Binding *b, const struct Nested *n, const Expr *e, rsh_num *out);
  rsh_dtype dtype; // of the elements
  VEC(rsh_num) entry;
  VEC(Span) span;
} Nested;

// The list `e` at a level; below level `rank`, n->take handles the entries. Lists nest no deeper than
// expressions.
static bool bind_level(Lower *l, Binding *b, Nested *n, const Expr *e, int level) {
  if (level < n->rank && expr_is_list(e) && e->list.count == n->dims[level]) {
    for (int i = 0; i < e->list.count; i++)
      if (!bind_level(l, b, n, e->list.item[i], level + 1))
        return false;
    return true;
  }
  if (level < n->rank && expr_is_list(e))
    return problem_set(
        l, &b->problem, e->span, "bad_arg",
        "nested lists of '%s' must have equal lengths; this one has %d %s, the first %d",
        n->param->name, e->list.count, e->list.count == 1 ? "entry" : "entries", n->dims[level]);
  if (level < n->rank || expr_is_list(e))
    return problem_set(l, &b->problem, e->span, "bad_arg",
                       "nested lists of '%s' must have equal depths; this is %s", n->param->name,
                       expr_words(e));
  rsh_num number;
  if (!n->take(l, b, n, e, &number))
    return false;
  VEC_PUSH(l->arena, n->entry, number);
  VEC_PUSH(l->arena, n->span, e->span);
  return true;
}

// NULL: it is invalid.
static Nested *nested(Lower *l, Binding *b, const Param *param, const Expr *e, Nested model) {
  Nested *n = ARENA_NEW(l->arena, Nested);
  *n = model;
  n->param = param;
  for (const Expr *at = e; expr_is_list(at); at = at->list.item[0]) {
    n->dims[n->rank++] = at->list.count;
    if (at->list.count == 0)
      break;
  }
  return bind_level(l, b, n, e, 0) ? n : NULL;
}

static bool take_index(Lower *l, Binding *b, const Nested *n, const Expr *e, rsh_num *out) {
  return bind_integer(l, b, n->param, e, out);
}

// gather(x, indices=i): an index tensor is an operand.
static void bind_index_tensor(Lower *l, Binding *b, const Expr *e) {
  Value *value = lower_value(l, e);
  b->poisoned = b->poisoned || !value || b->call.in_count == 0 || !b->in[0];
  if (b->poisoned)
    return;
  Value *const both[] = {b->in[0], value};
  const Span span[] = {b->in_span[0], e->span};
  binding_operands(l, b, both, span, 2);
}

static void bind_indices(Lower *l, Binding *b, const Param *param, int arg, const Expr *e) {
  if (is_tensor_expr(l, e)) {
    bind_index_tensor(l, b, e);
    return;
  }
  const Nested *n = nested(l, b, param, e, (Nested){.take = take_index});
  if (!n)
    return;
  binding_ranked(l, b, arg, n->rank, n->entry.item, n->entry.count);
  if (n->rank > 1)
    b->call.arg[arg].dims = n->dims;
  if (n->rank > 0)
    b->arg[arg].entry = n->span.item;
}

static bool bind_nested(Lower *l, Binding *b, const Nested *n, const Expr *e, rsh_num *out) {
  Fill fill = {n->dtype, {0}};
  const char *text;
  if (e->kind != EXPR_FLOAT && !may_be_integer(l, e))
    return problem_set(l, &b->problem, e->span, "bad_arg",
                       "each entry of '%s' must be a number; this is %s", n->param->name,
                       is_tensor_expr(l, e) ? "a tensor" : expr_words(e));
  if (!literal_element(l, e, fill.dtype, fill.bits, &text, &b->problem))
    return false;
  *out = fill_word(&fill);
  return true;
}

static void bind_entries_of_table(Lower *l, Binding *b, const Param *param, int arg,
                                  const Expr *e) {
  rsh_dtype dtype = rsh_value_type(&b->call, arg);
  const Nested *n = nested(l, b, param, e, (Nested){.take = bind_nested, .dtype = dtype});
  if (n && n->entry.count == 0)
    problem_set(l, &b->problem, e->span, "bad_arg", "'%s' has no entries", param->name);
  else if (n)
    binding_table(l, b, arg, &(Table){dtype, n->entry.count, n->entry.item}, n->dims, n->rank);
}

// An element of the operand's type; for elementwise functions also a table of them.
static void bind_value(Lower *l, Binding *b, const Param *param, int arg, const Expr *e) {
  if (b->call.in_count == 0 || !b->in[0])
    return;
  Fill fill = {rsh_value_type(&b->call, arg), {0}};
  const char *text;
  if (is_loaded(l, e) && rsh_is_elementwise(b->call.op))
    bind_loaded(l, b, arg, e);
  else if (expr_is_list(e) && rsh_is_elementwise(b->call.op))
    bind_entries_of_table(l, b, param, arg, e);
  else if (e->kind != EXPR_FLOAT && !may_be_integer(l, e))
    refuse_kind(l, b, param, e);
  else if (b->call.op != RSH_OP_PAD && e->kind == EXPR_FLOAT && rsh_dtype_is_integer(fill.dtype))
    problem_set(l, &b->problem, e->span, "bad_arg",
                "%s is not an integer, but the tensor is %s; cast it to a float type first: "
                "cast(x, f32)",
                e->number, rsh_dtype_name(fill.dtype));
  else if (literal_element(l, e, fill.dtype, fill.bits, &text, &b->problem)) {
    binding_value(l, b, arg, &fill, text);
  }
}

// The bits of [a, b, c] as elements of the argument's type. NULL: a problem is noted.
static rsh_num *listed_values(Lower *l, Binding *b, const Param *param, int arg, const Expr *e) {
  rsh_num *list = ARENA_ARRAY(l->arena, rsh_num, e->list.count + 1);
  Span *entry = ARENA_ARRAY(l->arena, Span, e->list.count + 1);
  const char *text;
  for (int i = 0; i < e->list.count; i++) {
    const Expr *item = e->list.item[i];
    Fill fill = {rsh_value_type(&b->call, arg), {0}};
    if (item->kind != EXPR_FLOAT && !may_be_integer(l, item)) {
      refuse_kind(l, b, param, item);
      return NULL;
    }
    if (!literal_element(l, item, fill.dtype, fill.bits, &text, &b->problem))
      return NULL;
    list[i] = fill_word(&fill);
    entry[i] = item->span;
  }
  b->arg[arg].entry = entry;
  return list;
}

// Elements of a type as text: "[1, 0.5]".
static const char *values_text(Arena *arena, rsh_dtype dtype, const rsh_num *list, int count) {
  const Table table = {dtype, (int32_t)count, list};
  VEC(char) text = {0};
  VEC_PUSH(arena, text, '[');
  for (int i = 0; i < count; i++) {
    Fill fill = table_entry(&table, i);
    const char *entry = arena_printf(arena, "%s%s", i ? ", " : "", literal_text(arena, &fill));
    for (; *entry; entry++)
      VEC_PUSH(arena, text, *entry);
  }
  VEC_PUSH(arena, text, ']');
  VEC_PUSH(arena, text, '\0');
  return text.item;
}

// Constant elements, as bits.
static void bind_values(Lower *l, Binding *b, const Param *param, int arg, const Expr *e) {
  if (b->call.in_count == 0 || !b->in[0])
    return;
  int count = 0;
  rsh_num *list = NULL;
  if (is_loaded(l, e)) {
    list = loaded_values(l, b, arg, e, &count);
  } else if (expr_is_list(e)) {
    count = e->list.count;
    list = listed_values(l, b, param, arg, e);
  } else {
    refuse_kind(l, b, param, e);
  }
  if (!list)
    return;
  if (count == 1) { // no type has a single value; one entry would be a function's constant (op.h)
    problem_set(l, &b->problem, e->span, "bad_length",
                "'%s' has length 1; an entry for each number of %s is needed", param->name,
                rsh_dtype_name(b->call.in_type[0]));
    return;
  }
  b->call.arg[arg] =
      (rsh_arg){.kind = RSH_ARG_VALUE,
                .count = count,
                .dtype = RSH_I64,
                .list = list,
                .text = values_text(l->arena, rsh_value_type(&b->call, arg), list, count)};
}

// The element type of an argument is that of its first tensor.
static void set_tensor(Lower *l, Binding *b, int arg, const Value *value) {
  graph_symbols(l); // for sizes that depend on it
  if (!b->arg[arg].tensor) {
    b->arg[arg].tensor = value;
    b->call.arg[arg] = (rsh_arg){
        .kind = RSH_ARG_TENSOR, .rank = value->shape.rank, .count = -1, .dtype = value->dtype};
  }
}

static Value *bind_tensor(Lower *l, Binding *b, int arg, const Expr *e) {
  Value *value = lower_value(l, e);
  b->poisoned = b->poisoned || !value;
  if (value)
    set_tensor(l, b, arg, value);
  return value;
}

void binding_data(Lower *l, Binding *b, int arg, const Value *value) {
  set_tensor(l, b, arg, value);
  data_whole(l, b->call.op, value, &b->call.arg[arg], &b->arg[arg].data);
}

static void bind_whole(Lower *l, Binding *b, int arg, const Expr *e) {
  const Value *value = lower_value(l, e);
  b->poisoned = b->poisoned || !value;
  if (value)
    binding_data(l, b, arg, value);
}

static void check_entry(Lower *l, Binding *b, int arg, const Expr *item, const Value *value) {
  const rsh_arg *a = &b->call.arg[arg];
  bool is_one =
      value->shape.rank == 0 || (value->shape.rank == 1 && rsh_is(value->shape.dim[0], 1));
  if (!is_one)
    problem_set(l, &b->problem, item->span, "bad_arg", "an entry of %s is one integer; %s is not",
                data_words(l, b, arg), value_label(l, value));
  else if (value->dtype != a->dtype)
    problem_set(l, &b->problem, item->span, "type_mismatch",
                "entries of %s must have one element type; that of the first is %s",
                data_words(l, b, arg), rsh_dtype_name(a->dtype));
  if (!is_one || value->dtype != a->dtype)
    note_operand(l, &b->problem, value);
}

// [dim, -1]: a target in parts, including one-element tensors.
static void bind_mixed(Lower *l, Binding *b, int arg, const Expr *e) {
  int count = e->list.count;
  rsh_num *list = ARENA_ARRAY(l->arena, rsh_num, count);
  const Value **entry = ARENA_ARRAY(l->arena, const Value *, count);
  int64_t *at = ARENA_ARRAY(l->arena, int64_t, count);
  Span *span = ARENA_ARRAY(l->arena, Span, count);
  for (int i = 0; i < count; i++) {
    const Expr *item = e->list.item[i];
    span[i] = item->span;
    list[i] = data_entry(l);
    if (!is_tensor_expr(l, item)) {
      int_expr(l, item, &list[i], &b->problem);
      continue;
    }
    entry[i] = bind_tensor(l, b, arg, item);
    if (!entry[i])
      continue;
    check_entry(l, b, arg, item, entry[i]);
    const Value *source = entry[i];
    if (target_element(&source, &at[i]) && !target_constant(&source, at[i], &list[i]))
      entry[i] = source;
    else if (!source)
      entry[i] = NULL;
  }
  rsh_arg *a = &b->call.arg[arg];
  a->rank = 1;
  a->count = count;
  a->in_parts = true;
  a->sizes = sizes_of(l, e);
  a->list = list;
  b->arg[arg].data.entry = entry;
  b->arg[arg].data.at = at;
  b->arg[arg].entry = span;
}

static int list_depth(const Expr *e) {
  int deepest = 0;
  if (!expr_is_list(e))
    return 0;
  for (int i = 0; i < e->list.count; i++) {
    int depth = list_depth(e->list.item[i]);
    deepest = depth > deepest ? depth : deepest;
  }
  return deepest + 1;
}

static bool has_tensor(const Lower *l, const Expr *e) {
  bool found = false;
  for (int i = 0; expr_is_list(e) && i < e->list.count; i++)
    found = found || is_tensor_expr(l, e->list.item[i]);
  return found;
}

static void bind_items(Lower *l, Binding *b, const Param *param, int arg, const Expr *e) {
  rsh_num n;
  if (expr_is_list(e))
    bind_entries(l, b, param, arg, e);
  else if (bind_integer(l, b, param, e, &n)) // an integer is a list of itself
    binding_ranked(l, b, arg, 1, &n, 1);
}

static void bind_data(Lower *l, Binding *b, const Param *param, int arg, const Expr *e) {
  if (has_tensor(l, e))
    bind_mixed(l, b, arg, e);
  else if (is_tensor_expr(l, e))
    bind_whole(l, b, arg, e);
  else
    bind_items(l, b, param, arg, e);
}

static void bind_target(Lower *l, Binding *b, const Param *param, int arg, const Expr *e) {
  int depth = list_depth(e);
  rsh_num n;
  // Paddle's other target: at run time it may be a list to resolve, in the text it may not.
  if (strcmp(param->name, "actual_shape") == 0 && !is_tensor_expr(l, e))
    problem_set(l, &b->problem, e->span, "bad_arg", "'%s' must be a tensor; this is %s",
                param->name, expr_words(e));
  else if (depth > 1) // rejected by its rank, for any entries
    b->call.arg[arg] = (rsh_arg){.kind = RSH_ARG_LIST, .rank = depth, .dtype = RSH_I64};
  else if (has_tensor(l, e))
    bind_mixed(l, b, arg, e);
  else if (depth == 1)
    bind_entries(l, b, param, arg, e);
  else if (is_tensor_expr(l, e))
    bind_whole(l, b, arg, e);
  else if (bind_integer(l, b, param, e, &n))
    binding_ranked(l, b, arg, 0, &n, 1);
}

// clang-format off
// Names that paddle's `act` takes: each is an operator, applied to the reshaped value.
static const char *const activations[] = {
#define RSH_ACTIVATION(id, name, libm, onnx, definition) name,
#include "runtime/activations.def"
#undef RSH_ACTIVATION
    "softmax"};
// clang-format on

static void bind_activation(Lower *l, Binding *b, const Param *param, int arg, const Expr *e) {
  const int count = (int)(sizeof activations / sizeof *activations);
  bind_text(l, b, param, arg, e);
  if (e->kind != EXPR_STRING)
    return;
  for (int i = 0; i < count; i++)
    if (strcmp(activations[i], e->string.text) == 0)
      return;
  problem_set(l, &b->problem, e->span, "unknown_name", "no activation is called '%s'%s",
              e->string.text, did_you_mean(l, e->string.text, activations, count));
}

// "...; an example: y = concat(a, b, axis=1)"
static void missing_argument(Lower *l, Binding *b, const OpEntry *op, int arg, Span span) {
  const char *statement = op_example(op->op).statement;
  problem_set(l, &b->problem, span, "arity", "'%s' needs the argument '%s'%s", op->name,
              op->param[arg].name,
              statement ? arena_printf(l->arena, "; an example: %s", statement) : "");
}

static void bind_param(Lower *l, Binding *b, const OpEntry *op, int arg, const Arg *given) {
  const Param *param = &op->param[arg];
  Span span = given->value->span;
  rsh_num n;
  if (b->arg[arg].given) {
    problem_set(l, &b->problem, given->name ? given->name_span : span, "arity",
                "argument '%s' is given twice", param->name);
    problem_note(l, &b->problem, b->arg[arg].span, "the first is here");
    return;
  }
  b->arg[arg].given = true;
  b->arg[arg].span = span;
  bool is_none = is_plain_name(given->value, "None");
  if (is_none && param->required)
    missing_argument(l, b, op, arg, span);
  if (is_none)
    return;
  switch (param->kind) {
  case PARAM_INT:
    if (bind_integer(l, b, param, given->value, &n))
      binding_ranked(l, b, arg, 0, &n, 1);
    break;
  case PARAM_BOOL:
    bind_bool(l, b, param, arg, given->value);
    break;
  case PARAM_TEXT:
    bind_text(l, b, param, arg, given->value);
    break;
  case PARAM_DTYPE:
    bind_dtype(l, b, param, arg, given->value);
    break;
  case PARAM_INTS:
    bind_items(l, b, param, arg, given->value);
    break;
  case PARAM_DATA:
    bind_data(l, b, param, arg, given->value);
    break;
  case PARAM_TARGET:
    bind_target(l, b, param, arg, given->value);
    break;
  case PARAM_NAME:
    bind_activation(l, b, param, arg, given->value);
    break;
  case PARAM_INDICES:
    bind_indices(l, b, param, arg, given->value);
    break;
  case PARAM_VALUE:
    bind_value(l, b, param, arg, given->value);
    break;
  case PARAM_VALUES:
    bind_values(l, b, param, arg, given->value);
    break;
  }
  b->arg[arg].unbound = b->call.arg[arg].kind == RSH_ARG_ABSENT;
}

// --- All arguments of a call

// "; it takes shape, allowzero", for an unknown name or a wrong number of arguments.
static const char *takes_text(Lower *l, const OpEntry *op) {
  const char *text = "; it takes ";
  for (int i = 0; i < op->param_count; i++)
    text = arena_printf(l->arena, "%s%s%s", text, i > 0 ? ", " : "", op->param[i].name);
  return op->param_count > 0 ? text : "; it only takes tensors";
}

static void unknown_argument(Lower *l, Binding *b, const OpEntry *op, const Arg *given) {
  const char *names[2 * RSH_MAX_ARGS];
  int count = 0;
  for (int i = 0; i < op->param_count; i++) {
    names[count++] = op->param[i].name;
    if (op->param[i].other)
      names[count++] = op->param[i].other;
  }
  // A dialect's attribute is checked as the dialect does.
  const char *kind = strchr(op->name, '.') ? "bad_attr" : "unknown_argument";
  const char *hint = did_you_mean(l, given->name, names, count);
  problem_set(l, &b->problem, given->name_span, kind, "'%s' has no argument '%s'%s", op->name,
              given->name, *hint ? hint : takes_text(l, op));
}

int param_find(const OpEntry *op, const char *name) {
  for (int i = 0; i < op->param_count; i++)
    if (strcmp(op->param[i].name, name) == 0 ||
        (op->param[i].other && strcmp(op->param[i].other, name) == 0))
      return i;
  return -1;
}

static void push_operand(Lower *l, Operands *operands, Value *value, Span span) {
  VEC_PUSH(l->arena, operands->value, value);
  VEC_PUSH(l->arena, operands->span, span);
}

static void push_operand_expr(Lower *l, Operands *operands, const Expr *e, bool may_be_list) {
  if (!may_be_list || !expr_is_list(e)) {
    push_operand(l, operands, lower_value(l, e), e->span);
    return;
  }
  for (int i = 0; i < e->list.count; i++)
    push_operand(l, operands, lower_value(l, e->list.item[i]), e->list.item[i]->span);
}

// The tensors, which come first: concat(a, b, axis=0), concat([a, b], 0), x |> concat(y, axis=0), reshape(x=a,
// shape=[2]). Returns the number of positional arguments consumed.
static int take_operands(Lower *l, Binding *b, const Expr *call, const Piped *piped) {
  Operands operands = {0};
  int fewest = rsh_op_min_operands(b->call.op), most = rsh_op_max_operands(b->call.op);
  int taken = 0;
  if (piped)
    push_operand(l, &operands, piped->value, piped->span);
  for (int i = 0; i < call->call.count && operands.value.count < most; i++) {
    const Arg *given = &call->call.arg[i];
    if (given->name)
      continue;
    bool is_operand =
        is_tensor_expr(l, given->value) || (most == INT32_MAX && expr_is_list(given->value));
    if (!is_operand && operands.value.count >= fewest)
      break;
    push_operand_expr(l, &operands, given->value, most == INT32_MAX);
    taken++;
  }
  for (int i = 0; i < call->call.count && operands.value.count == 0; i++) {
    const Arg *given = &call->call.arg[i];
    if (given->name && strcmp(given->name, "x") == 0)
      push_operand_expr(l, &operands, given->value, most == INT32_MAX);
  }
  if (operands.value.count < fewest)
    problem_set(l, &b->problem, b->callee_span, "arity", "'%s' needs %d tensor%s, but %d %s given",
                b->word, fewest, fewest == 1 ? "" : "s", operands.value.count,
                operands.value.count == 1 ? "is" : "are");
  binding_gathered(l, b, &operands);
  if (b->call.op == RSH_OP_GATHER && operands.value.count == 2) { // the second replaces the list
    b->arg[0].given = true;
    b->arg[0].span = operands.span.item[1];
  }
  return taken;
}

// transpose(x, 1, 0), reshape(x, 3, 2): list entries given as separate arguments. Returns what to write, or NULL.
static const char *spread_list(Lower *l, const Binding *b, const Expr *call, const OpEntry *op,
                               int taken) {
  const char *entries = "";
  int count = 0;
  if (op->param_count == 0 || (op->param[0].kind != PARAM_TARGET &&
                               op->param[0].kind != PARAM_INTS && op->param[0].kind != PARAM_DATA))
    return NULL;
  for (int i = taken; i < call->call.count; i++, count++) {
    const Arg *given = &call->call.arg[i];
    Span span = given->value->span;
    if (given->name || !may_be_integer(l, given->value))
      return NULL;
    if (count < ENTRIES_SHOWN)
      entries = arena_printf(l->arena, "%s%s%.*s", entries, count > 0 ? ", " : "",
                             (int)(span.end - span.begin),
                             source_text(source_at(l->diag->source, span.begin), span.begin));
  }
  const char *more = count > ENTRIES_SHOWN ? ", ..." : "";
  return count > 1 ? arena_printf(l->arena, "; write %s(x, [%s%s])", b->word, entries, more) : NULL;
}

// Binds elements (`values`), or all other arguments, among which may be the elements' type.
static void bind_some(Lower *l, Binding *b, const Expr *call, const OpEntry *op, const Piped *piped,
                      int taken, bool values) {
  int position = -taken, first = b->arg[0].given && !values; // an operand replaces it
  for (int i = 0; i < call->call.count; i++) {
    const Arg *given = &call->call.arg[i];
    int arg = -1;
    if (given->name) {
      if (!piped && taken == 0 && strcmp(given->name, "x") == 0) // the tensor, not of the table
        continue;
      arg = param_find(op, given->name);
      if (arg < 0) {
        if (!values)
          unknown_argument(l, b, op, given);
        continue;
      }
    } else {
      arg = position++;
      if (arg < 0)
        continue;
      arg += first;
      if (arg >= op->param_count) {
        if (!values)
          problem_set(l, &b->problem, given->value->span, "arity", "too many arguments for '%s'%s",
                      op->name, takes_text(l, op));
        continue;
      }
    }
    bool is_value = op->param[arg].kind == PARAM_VALUE || op->param[arg].kind == PARAM_VALUES;
    if (is_value == values)
      bind_param(l, b, op, arg, given);
  }
}

static void bind_arguments(Lower *l, Binding *b, const Expr *call, const OpEntry *op,
                           const Piped *piped) {
  int taken = take_operands(l, b, call, piped);
  const char *list = spread_list(l, b, call, op, taken);
  if (list && (op->param[0].kind == PARAM_TARGET || call->call.count - taken > op->param_count))
    problem_set(l, &b->problem, call->call.arg[taken].value->span, "arity",
                "'%s' takes one list of integers%s", op->name, list);
  bind_some(l, b, call, op, piped, taken, false);
  bind_some(l, b, call, op, piped, taken, true);
  for (int i = 0; i < op->param_count; i++)
    if (op->param[i].required && !b->arg[i].given)
      missing_argument(l, b, op, i, b->callee_span);
}

// --- Extras of some operators

void default_value(Lower *l, Binding *b) {
  for (int i = 0; i < RSH_MAX_ARGS; i++)
    if (b->call.arg[i].kind == RSH_ARG_VALUE)
      return;
  if (b->call.in_count == 0 || !b->in[0])
    return;
  Fill zero = {b->call.in_type[0], {0}};
  b->call.fill = graph_fill(l->arena, l->graph, &zero);
}

// act="relu" applies relu() to the result.
static Values activated(Lower *l, const Binding *b, const OpEntry *op, Values values) {
  const OpEntry *activation;
  for (int i = 0; i < op->param_count && values.count == 1; i++) {
    const rsh_arg *arg = &b->call.arg[i];
    if (op->param[i].kind != PARAM_NAME || arg->kind != RSH_ARG_TEXT)
      continue;
    HASH_FIND_STR(l->library->ops, arg->text, activation);
    Binding *applied = binding_new(l, activation->op, activation->name, b->arg[i].span);
    binding_operand(l, applied, values.item[0], b->span);
    values = binding_apply(l, applied);
  }
  return values;
}

// ---- x + 1 ----

typedef struct Sign {
  const char *text; // "r-": with the constant on the left
  rsh_op op;
} Sign;

static const Sign signs[] = {
#define RSH_ARITHMETIC(id, name, args, types, sign, libm, onnx, definition) {sign, RSH_OP_##id},
#include "runtime/arithmetic.def"
#undef RSH_ARITHMETIC
};

static const Sign *sign_find(const char *before, const char *text) {
  size_t length = strlen(before);
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (strncmp(signs[i].text, before, length) == 0 && strcmp(signs[i].text + length, text) == 0)
      return &signs[i];
  return NULL;
}

// The operator that an expression denotes. NULL: there is none, and an error was reported.
static const Sign *sign_of(Lower *l, const Expr *e, bool is_left) {
  const char *text = operator_text(e->binary.op);
  bool commutes = strchr("+*&|^", e->binary.op) != NULL;
  const Sign *sign = e->kind == EXPR_NEGATE ? sign_find("u", text)
                     : is_left && !commutes ? sign_find("r", text)
                                            : sign_find("", text);
  if (!sign && e->binary.op == OPERATOR_FLOOR)
    lower_error(
        l, e->binary.op_span, "unsupported",
        "'//' is for sizes; '/' divides a tensor, and rounds integers toward zero (a comment "
        "begins with '#')");
  else if (!sign)
    lower_error(l, e->binary.op_span, "unsupported",
                "'%s' takes the constant on its right: a number %s a tensor is not supported", text,
                text);
  return sign;
}

Values call_arithmetic(Lower *l, const Expr *e) {
  const Expr *left = e->binary.left, *right = e->binary.right;
  bool is_left = right && is_tensor_expr(l, right);
  if (is_left && is_tensor_expr(l, left)) {
    bool is_pipe = e->binary.op == '|' && right->kind == EXPR_CALL;
    lower_error(
        l, e->binary.op_span, "unsupported",
        "'%s' takes a tensor and a constant; arithmetic between two tensors is not supported%s",
        operator_text(e->binary.op), is_pipe ? "; did you mean '|>'?" : "");
    lower_value(l, left);
    if (!is_pipe)
      lower_value(l, right);
    return (Values){0};
  }
  const Sign *sign = sign_of(l, e, is_left);
  const Expr *tensor = is_left ? right : left;
  Value *value = lower_value(l, tensor);
  if (!sign || !value)
    return (Values){0};
  Binding *b = binding_new(l, sign->op, operator_text(e->binary.op), e->span);
  b->callee_span = e->binary.op_span;
  binding_operand(l, b, value, tensor->span);
  if (right)
    bind_param(l, b, op_entry(l, sign->op), 0, &(Arg){.value = (Expr *)(is_left ? left : right)});
  return binding_apply(l, b);
}

Values call_operator(Lower *l, const Expr *call, const OpEntry *op, const Piped *piped) {
  Binding *b = binding_new(l, op->op, op->name, call->span);
  b->callee_span = call->call.callee_span;
  b->call.out_count = l->wanted;
  bind_arguments(l, b, call, op, piped);
  if (rsh_op_family(op->op) == RSH_FILLS)
    default_value(l, b);
  Values values = binding_apply(l, b);
  if (values.count > 0)
    place_give_away(l, values.item[0]->node, b->span);
  return activated(l, b, op, values);
}
