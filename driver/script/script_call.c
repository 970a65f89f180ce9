// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of scripts (functions.def).
#include "driver/script/script_call.h"

#include "runtime/convert.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

typedef enum FunctionId {
#define FUNCTION(id, name, fewest, most, shown, help, example) FUNCTION_##id,
#include "driver/base/functions.def"
#undef FUNCTION
  FUNCTION_COUNT
} FunctionId;

static const ScriptFunction functions[FUNCTION_COUNT] = {
#define FUNCTION(id, name, fewest, most, shown, help, example) {name, fewest, most, shown, help},
#include "driver/base/functions.def"
#undef FUNCTION
};

const ScriptFunction *script_function(const char *name) {
  for (int i = 0; i < FUNCTION_COUNT; i++)
    if (strcmp(functions[i].name, name) == 0)
      return &functions[i];
  return NULL;
}

int script_functions(const char **name, int room) {
  int count = 0;
  for (; count < FUNCTION_COUNT && count < room; count++)
    name[count] = functions[count].name;
  return count;
}

// ---- queries ----

static Expr *call_shape(const ScriptCall *c) {
  Value *value = script_tensor(c, c->arg[0]);
  if (!value)
    return NULL;
  Expr **item = ARENA_ARRAY(c->script->arena, Expr *, value->shape.rank);
  for (int i = 0; i < value->shape.rank; i++)
    item[i] = script_integer(c->script, value->shape.dim[i].n, c->span);
  return script_list(c->script, item, value->shape.rank, c->span);
}

static Expr *call_dtype(const ScriptCall *c) {
  Value *value = script_tensor(c, c->arg[0]);
  if (!value)
    return NULL;
  Expr *e = ARENA_NEW(c->script->arena, Expr);
  *e = (Expr){.kind = EXPR_NAME, .depth = 1, .span = c->span};
  e->name = rsh_dtype_name(value->dtype);
  return e;
}

static Expr *call_size(const ScriptCall *c) {
  Value *value = script_tensor(c, c->arg[0]);
  int64_t count = 1;
  for (int i = 0; value && i < value->shape.rank; i++)
    count *= value->shape.dim[i].n; // lowering checked that it fits
  return value ? script_integer(c->script, count, c->span) : NULL;
}

static Expr *call_len(const ScriptCall *c) {
  Script *s = c->script;
  const Expr *e = c->arg[0];
  if (expr_is_list(e))
    return script_integer(s, e->list.count, c->span);
  if (e->kind == EXPR_STRING)
    return script_integer(s, e->string.length, c->span);
  if (!script_is_tensor(s, e))
    return script_refuse(c, e, "a list");
  Value *value = script_tensor(c, e);
  if (value && value->shape.rank == 0)
    return script_refuse_as(c, e, "a tensor with axes", "a scalar");
  return value ? script_integer(s, value->shape.dim[0].n, c->span) : NULL;
}

// ---- numbers without a file ----

// range(3), range(1, 4), range(4, 0, -1)
static Expr *call_range(const ScriptCall *c) {
  Script *s = c->script;
  int64_t n[3] = {0, 0, 1};
  for (int i = 0; i < c->count; i++) {
    if (c->arg[i]->kind != EXPR_INT)
      return script_refuse(c, c->arg[i], "an integer");
    n[c->count == 1 ? 1 : i] = c->arg[i]->integer;
  }
  if (n[2] == 0)
    return script_refuse(c, c->arg[2], "a step other than 0");
  bool goes = n[2] > 0 ? n[0] < n[1] : n[0] > n[1];
  uint64_t way = n[2] > 0 ? (uint64_t)n[1] - (uint64_t)n[0] : (uint64_t)n[0] - (uint64_t)n[1];
  uint64_t step = n[2] > 0 ? (uint64_t)n[2] : 0 - (uint64_t)n[2];
  uint64_t count = goes ? (way - 1) / step + 1 : 0;
  if (count > SCRIPT_LIST_MOST) {
    diag_error(s->diag, c->span, "limit", "a list has at most %d entries; this would have %" PRIu64,
               SCRIPT_LIST_MOST, count);
    return NULL;
  }
  Expr **item = ARENA_ARRAY(s->arena, Expr *, (int)count);
  for (uint64_t i = 0; i < count; i++)
    item[i] = script_integer(s, (int64_t)((uint64_t)n[0] + i * (uint64_t)n[2]), c->span);
  return script_list(s, item, (int)count, c->span);
}

// Allocates a tensor whose elements the script computes. False: reported.
static bool new_array(const ScriptCall *c, Npy *array) {
  int64_t count = plan_element_bits(array->dtype);
  bool fits = true;
  for (int i = 0; i < array->rank; i++)
    fits = fits && !__builtin_mul_overflow(count, array->dim[i], &count);
  if (fits && npy_allocate(array)) {
    memset(array->data, 0, array->bytes);
    return true;
  }
  diag_error(c->script->diag, c->span, "no_memory", "not enough memory for this");
  return false;
}

static Expr *call_arange(const ScriptCall *c) {
  rsh_dtype type = script_type_argument(c, RSH_I64);
  Loaded made = {.array = {.dtype = type, .rank = 1}};
  if (type == RSH_DTYPE_NONE)
    return NULL;
  if (rsh_dtype_bits(type) < 8 || !rsh_is_convertible(RSH_I64, type))
    return script_refuse(c, c->arg[1], "a numeric type of whole bytes");
  if (c->arg[0]->kind != EXPR_INT || c->arg[0]->integer < 0)
    return script_refuse(c, c->arg[0], "a number of elements");
  made.array.dim[0] = c->arg[0]->integer;
  if (!new_array(c, &made.array))
    return NULL;
  size_t bytes = (size_t)rsh_dtype_bits(type) / 8;
  for (int64_t i = 0; i < made.array.dim[0]; i++)
    (void)rsh_convert((unsigned char *)&i, RSH_I64,
                      (unsigned char *)made.array.data + (size_t)i * bytes, type,
                      (rsh_cast_rule){0});
  return script_add_tensor(c, &made, "arange", c->span);
}

static Expr *call_zeros(const ScriptCall *c) {
  rsh_dtype type = script_type_argument(c, RSH_F32);
  Loaded made = {.array = {.dtype = type}};
  const Expr *shape = c->arg[0];
  bool is_one = shape->kind == EXPR_INT;
  int rank = is_one ? 1 : expr_is_list(shape) ? shape->list.count : -1;
  if (type == RSH_DTYPE_NONE)
    return NULL;
  if (type == RSH_STRING)
    return script_refuse(c, c->arg[1], "a numeric type");
  if (rank < 0 || rank > RSH_MAX_RANK)
    return script_refuse(c, shape, "a list of sizes");
  made.array.rank = rank;
  for (int i = 0; i < rank; i++) {
    const Expr *size = is_one ? shape : shape->list.item[i];
    if (size->kind != EXPR_INT || size->integer < 0)
      return script_refuse(c, size, "a size");
    made.array.dim[i] = size->integer;
  }
  return new_array(c, &made.array) ? script_add_tensor(c, &made, "zeros", c->span) : NULL;
}

static Expr *call_int(const ScriptCall *c) {
  const Expr *e = c->arg[0];
  if (e->kind == EXPR_INT)
    return c->arg[0];
  if (e->kind != EXPR_STRING)
    return script_refuse(c, e, "a string");
  char *end;
  errno = 0;
  long long n = strtoll(e->string.text, &end, 10);
  if (errno || end == e->string.text || *end)
    return script_refuse(c, e, "a string that spells an integer");
  return script_integer(c->script, n, c->span);
}

static Expr *call_ints(const ScriptCall *c) {
  enum { MOST = 65536 };
  Script *s = c->script;
  Value *value = script_tensor(c, c->arg[0]);
  if (!value)
    return NULL;
  if (value->shape.rank > 1 || (value->shape.rank == 1 && value->shape.dim[0].n > MOST))
    return script_refuse_as(c, c->arg[0], "a tensor of at most one axis and 65536 elements",
                            script_type(s, value));
  Npy array;
  Value *wide =
      rsh_is_convertible(value->dtype, RSH_I64) ? script_convert(c, value, RSH_I64) : NULL;
  if (!rsh_dtype_is_integer(value->dtype) || !wide)
    return script_refuse_as(c, c->arg[0], "a tensor of integers", script_type(s, value));
  if (!script_flush(s) || !script_compute(s, &wide, 1, c->span, &array))
    return NULL;
  int count = array.rank == 0 ? 1 : (int)array.dim[0];
  Expr **item = ARENA_ARRAY(s->arena, Expr *, count);
  for (int i = 0; i < count; i++)
    item[i] = script_integer(s, ((const int64_t *)array.data)[i], c->span);
  bool is_one = array.rank == 0;
  script_release(s, &array, 1);
  return is_one ? item[0] : script_list(s, item, count, c->span);
}

// ---- calls ----

static Expr *dispatch(const ScriptCall *c) {
  switch ((FunctionId)(c->function - functions)) {
  case FUNCTION_LOAD:
    return script_load(c);
  case FUNCTION_SAVE:
    return script_save(c);
  case FUNCTION_PRINT:
    return script_show(c);
  case FUNCTION_ASSERT:
    return script_assert(c);
  case FUNCTION_SHAPE:
    return call_shape(c);
  case FUNCTION_DTYPE:
    return call_dtype(c);
  case FUNCTION_SIZE:
    return call_size(c);
  case FUNCTION_LEN:
    return call_len(c);
  case FUNCTION_INT:
    return call_int(c);
  case FUNCTION_GLOB:
    return script_glob(c);
  case FUNCTION_NAMES:
    return script_names(c);
  case FUNCTION_BASENAME:
    return script_basename(c);
  case FUNCTION_STEM:
    return script_stem(c);
  case FUNCTION_RANGE:
    return call_range(c);
  case FUNCTION_ARANGE:
    return call_arange(c);
  case FUNCTION_ZEROS:
    return call_zeros(c);
  case FUNCTION_INTS:
    return call_ints(c);
  case FUNCTION_COUNT:
    break;
  }
  return NULL;
}

Expr *script_call(Script *s, const ScriptFunction *f, const Expr *call, Expr **arg, int count) {
  if (count >= f->fewest && count <= f->most)
    return dispatch(
        &(ScriptCall){.script = s, .function = f, .span = call->span, .arg = arg, .count = count});
  diag_error(s->diag, call->call.callee_span, "arity", "too %s arguments for '%s': %d; usage: %s",
             count < f->fewest ? "few" : "many", f->name, count, f->shown);
  return NULL;
}

bool script_print(Script *s, Expr *e) {
  ScriptCall call = {
      .script = s, .function = script_function("print"), .span = e->span, .arg = &e, .count = 1};
  return script_show(&call) != NULL;
}
