// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants of several elements, operands of elementwise functions: each is a table of the graph.
//
//   x * [a, b, c]           of f32[8, 3]: an entry per element of the last axis
//   [[1], [2]] + x          of f32[3]: x is repeated for both rows, as numpy broadcasts
//   x - load("mean.npy")    the same from a file that is read at compile time
#include "frontend/lower/lower_internal.h"

#include "frontend/data/npy.h"

#include <string.h>

void binding_table(Lower *l, Binding *b, int arg, const Table *table, const int32_t *dims,
                   int rank) {
  b->call.arg[arg] = (rsh_arg){.kind = RSH_ARG_VALUE,
                               .rank = rank,
                               .count = table->count,
                               .dtype = RSH_I64,
                               .table = graph_table(l->arena, l->graph, table),
                               .list = table->bits,
                               .dims = dims};
}

bool is_loaded(const Lower *l, const Expr *e) {
  const Callee *callee = NULL;
  if (l->is_session || e->kind != EXPR_CALL || strcmp(e->call.callee, "load") != 0)
    return false;
  HASH_FIND_STR(l->library->callees, e->call.callee, callee);
  return !callee;
}

// Element i of packed elements.
static rsh_num element_of(const Npy *array, int64_t i) {
  int bits = rsh_dtype_bits(array->dtype), per_byte = bits < 8 ? 8 / bits : 1;
  const uint8_t *data = array->data;
  Fill fill = {array->dtype, {0}};
  if (bits < 8)
    fill.bits[0] = (uint8_t)(data[i / per_byte] >> (i % per_byte * bits) & ((1 << bits) - 1));
  else
    memcpy(fill.bits, data + i * (bits / 8), (size_t)bits / 8);
  return fill_word(&fill);
}

// Records the file as a dependency, like an imported one; a certificate has the hash of its bytes. False: *why says
// what went wrong.
static bool note_file(Lower *l, const char *path, const char **why) {
  for (const Source *source = l->diag->source; source; source = source->next)
    if (strcmp(source->name, path) == 0)
      return true;
  Source *file = source_read(l->arena, path, why);
  if (file && l->diag->source)
    (void)source_add(l->diag->source, file);
  return file != NULL;
}

static void bind_array(Lower *l, Binding *b, int arg, const Npy *array, Span span) {
  int64_t count = 1;
  int32_t *dims = ARENA_ARRAY(l->arena, int32_t, array->rank);
  for (int i = 0; i < array->rank; i++) {
    count = array->dim[i] <= MOST_ENTRIES && count <= MOST_ENTRIES ? count * array->dim[i]
                                                                   : MOST_ENTRIES + 1;
    dims[i] = (int32_t)(array->dim[i] <= MOST_ENTRIES ? array->dim[i] : 0);
  }
  if (count < 1 || count > MOST_ENTRIES) {
    problem_set(l, &b->problem, span, "limit", "constants have 1 to %d entries, this file has %s",
                MOST_ENTRIES, count < 1 ? "none" : "more");
    return;
  }
  rsh_num *bits = ARENA_ARRAY(l->arena, rsh_num, count);
  for (int64_t i = 0; i < count; i++)
    bits[i] = element_of(array, i);
  const Table table = {array->dtype, (int32_t)count, bits};
  if (array->rank > 0) {
    binding_table(l, b, arg, &table, dims, array->rank);
    return;
  }
  Fill fill = table_entry(&table, 0);
  binding_value(l, b, arg, &fill, literal_text(l->arena, &fill));
}

// Reads the file of an argument, as elements of its type. False: a problem is noted.
static bool read_loaded(Lower *l, Binding *b, int arg, const Expr *e, Npy *array) {
  const Arg *given = e->call.arg;
  NpyError error;
  *array = (Npy){0};
  if (e->call.count != 1 || given->name || given->value->kind != EXPR_STRING)
    return problem_set(l, &b->problem, e->span, "bad_arg", "'load' takes the name of a .npy file");
  const Source *source = l->diag->source ? source_at(l->diag->source, e->span.begin) : NULL;
  const char *name = given->value->string.text;
  const char *path = source ? source_path(l->arena, source, name) : name, *why;
  if (strcmp(name, "-") == 0) // standard input can be read only once, and has no name to depend on
    return problem_set(l, &b->problem, e->span, "bad_arg", "'load' takes the name of a .npy file");
  rsh_dtype type = rsh_value_type(&b->call, arg);
  if (type == RSH_STRING)
    return problem_set(l, &b->problem, e->span, "unsupported",
                       "constants of type string are not supported");
  if (!npy_read(path, type, array, &error))
    return problem_set(l, &b->problem, given->value->span, error.kind, "%s", error.text);
  return note_file(l, path, &why) ||
         problem_set(l, &b->problem, given->value->span, "io", "%s: %s", path, why);
}

void bind_loaded(Lower *l, Binding *b, int arg, const Expr *e) {
  Npy array;
  if (read_loaded(l, b, arg, e, &array))
    bind_array(l, b, arg, &array, e->call.arg->value->span);
  npy_free(&array);
}

rsh_num *loaded_values(Lower *l, Binding *b, int arg, const Expr *e, int *count) {
  Npy array;
  rsh_num *list = NULL;
  if (!read_loaded(l, b, arg, e, &array))
    return NULL;
  if (array.rank != 1 || array.dim[0] > MOST_ENTRIES) {
    problem_set(l, &b->problem, e->call.arg->value->span, "bad_rank",
                "a table of '%s' has one axis of up to %d entries", b->word, MOST_ENTRIES);
  } else {
    *count = (int)array.dim[0];
    list = ARENA_ARRAY(l->arena, rsh_num, *count + 1);
    for (int i = 0; i < *count; i++)
      list[i] = element_of(&array, i);
  }
  npy_free(&array);
  return list;
}

// "[2, 3]"
static const char *table_dims(Arena *arena, const int32_t *dims, int rank) {
  const char *text = "[";
  for (int i = 0; i < rank; i++)
    text = arena_printf(arena, "%s%s%d", text, i ? ", " : "", (int)dims[i]);
  return arena_printf(arena, "%s]", text);
}

// Broadcasts sizes, from the last on. False: these two do not match.
static bool broadcast(int32_t *dims, int *rank, const rsh_arg *arg) {
  if (arg->rank > *rank) {
    memmove(dims + arg->rank - *rank, dims, (size_t)*rank * sizeof *dims);
    for (; *rank < arg->rank; ++*rank)
      dims[arg->rank - 1 - *rank] = 1;
  }
  for (int i = 1; i <= arg->rank; i++) {
    int32_t *size = &dims[*rank - i], other = arg->dims[arg->rank - i];
    if (*size != other && *size != 1 && other != 1)
      return false;
    *size = *size == 1 ? other : *size;
  }
  return true;
}

// Repeats a table to larger sizes.
static void repeat_table(Lower *l, Binding *b, int arg, const int32_t *dims, int rank) {
  const rsh_arg *a = &b->call.arg[arg];
  int32_t count = 1;
  for (int i = 0; i < rank; i++)
    count *= dims[i];
  rsh_num *bits = ARENA_ARRAY(l->arena, rsh_num, count);
  for (int32_t i = 0; i < count; i++) {
    int32_t rest = i, from = 0, stride = 1;
    for (int k = 1; k <= a->rank; k++) {
      int32_t size = a->dims[a->rank - k];
      from += size == 1 ? 0 : rest % dims[rank - k] * stride;
      stride *= size;
      rest /= dims[rank - k];
    }
    bits[i] = a->list[from];
  }
  const Table *old = &l->graph->table.item[a->table];
  binding_table(l, b, arg, &(Table){old->dtype, count, bits}, dims, rank);
}

static bool too_many(const int32_t *dims, int rank) {
  int64_t count = 1;
  for (int i = 0; i < rank && count <= MOST_ENTRIES; i++)
    count *= dims[i];
  return count > MOST_ENTRIES;
}

// Brings all tables of a call to one shape.
static bool join_tables(Lower *l, Binding *b, int32_t *dims, int *rank) {
  for (int i = 0; i < RSH_MAX_ARGS; i++) {
    const rsh_arg *arg = &b->call.arg[i];
    if (!rsh_arg_is_table(arg))
      continue;
    const char *before = table_dims(l->arena, dims, *rank);
    if (!broadcast(dims, rank, arg))
      return problem_set(l, &b->problem, b->arg[i].span, "not_broadcastable",
                         "the constants of '%s' cannot be broadcast to each other: %s and %s",
                         b->word, before, table_dims(l->arena, arg->dims, arg->rank));
  }
  if (too_many(dims, *rank))
    return problem_set(l, &b->problem, b->span, "limit",
                       "the constants of '%s' have more than %d entries together", b->word,
                       MOST_ENTRIES);
  for (int i = 0; i < RSH_MAX_ARGS; i++) {
    const rsh_arg *arg = &b->call.arg[i];
    if (rsh_arg_is_table(arg) &&
        (arg->rank != *rank || memcmp(arg->dims, dims, (size_t)*rank * sizeof *dims) != 0))
      repeat_table(l, b, i, dims, *rank);
  }
  return true;
}

// Broadcasts the operand to the tables, unless it provably has their sizes.
static void repeat_operand(Lower *l, Binding *b, const int32_t *dims, int rank) {
  Value *value = b->in[0];
  int have = value->shape.rank;
  bool repeats = rank > have;
  rsh_num *size = ARENA_ARRAY(l->arena, rsh_num, rank);
  for (int i = 0; i < rank; i++)
    size[i] = rsh_int(dims[i]);
  for (int i = 1; i <= rank && i <= have; i++)
    repeats =
        repeats || (dims[rank - i] != 1 && !rsh_is(value->shape.dim[have - i], dims[rank - i]));
  if (!repeats)
    return;
  Binding *e = binding_new(l, RSH_OP_EXPAND, b->word, b->span);
  binding_operand(l, e, value, b->in_span[0]);
  binding_list(l, e, 0, size, rank);
  e->for_constants = true;
  Values wide = binding_resolve(l, e);
  if (wide.count == 1)
    binding_operand(l, b, wide.item[0], b->in_span[0]);
  b->poisoned = b->poisoned || wide.count != 1;
}

static void settle_tables(Lower *l, Binding *b) {
  int32_t *dims = ARENA_ARRAY(l->arena, int32_t, EXPR_MAX_DEPTH + 1);
  int rank = 0, axis = rsh_table_axis_arg(b->call.op);
  bool any = false;
  for (int i = 0; i < RSH_MAX_ARGS; i++)
    any = any || rsh_arg_is_table(&b->call.arg[i]);
  if (!any || b->poisoned || b->problem.kind || b->call.in_count != 1 || !b->in[0])
    return;
  if (!join_tables(l, b, dims, &rank))
    return;
  if (axis < 0 || b->call.arg[axis].kind == RSH_ARG_ABSENT)
    repeat_operand(l, b, dims, rank);
}

Values binding_apply(Lower *l, Binding *b) {
  settle_tables(l, b);
  return binding_resolve(l, b);
}
