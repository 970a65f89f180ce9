// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sizes that a text or model declares for its results, computed from the text itself: lowering has rewritten them.
#include "driver/verify/verify_map.h"

#include <string.h>

// Rounds down, as Python does.
static int64_t floor_quotient(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

// False: the result does not fit 64 bits, or the divisor is 0.
static bool compute(int op, int64_t left, int64_t right, int64_t *n) {
  switch (op) {
  case '+':
    return !__builtin_add_overflow(left, right, n);
  case '-':
    return !__builtin_sub_overflow(left, right, n);
  case '*':
    return !__builtin_mul_overflow(left, right, n);
  default:
    break;
  }
  if (right == 0 || (right == -1 && left == INT64_MIN))
    return false;
  *n = op == '/'              ? left / right
       : op == OPERATOR_FLOOR ? floor_quotient(left, right)
                              : left - right * floor_quotient(left, right);
  return true;
}

// A size as written in the text: numbers, symbols and arithmetic. False: something else, such as `?`, or an
// intermediate result that does not fit 64 bits.
static bool size_in_text(const Map *map, const Expr *e, int64_t *n) {
  int64_t left, right;
  switch (e->kind) {
  case EXPR_INT:
    *n = e->integer;
    return true;
  case EXPR_NAME:
    for (int i = 0; i < map->graph->symbol.count; i++)
      if (map->graph->symbol.item[i].name &&
          strcmp(map->graph->symbol.item[i].name, e->name) == 0) {
        *n = map->symbol[i];
        return true;
      }
    return false;
  case EXPR_NEGATE:
    *n = 0;
    return size_in_text(map, e->binary.left, &left) && !__builtin_sub_overflow(0, left, n);
  case EXPR_BINARY:
    return size_in_text(map, e->binary.left, &left) && size_in_text(map, e->binary.right, &right) &&
           compute(e->binary.op, left, right, n);
  case EXPR_LARGE:
  case EXPR_FLOAT:
  case EXPR_STRING:
  case EXPR_UNKNOWN:
  case EXPR_STAR:
  case EXPR_LIST:
  case EXPR_TUPLE:
  case EXPR_INVERT:
  case EXPR_CALL:
  case EXPR_PIPE:
  case EXPR_INDEX:
  case EXPR_COMPARE:
    break;
  }
  return false;
}

// True if a result has the sizes that the model declares as numbers.
static bool is_as_model_declares(const rsh_shape *declared, const Tensor *t) {
  bool same = !declared || declared->rank == t->rank;
  for (int k = 0; same && declared && k < t->rank; k++)
    same = !rsh_is_known(declared->dim[k]) || declared->dim[k].n == t->dim[k];
  return same;
}

bool map_is_as_declared(const Map *map, int output) {
  const Output *o = &map->graph->output[output];
  const Tensor *t = &map->value[value_logical(o->value)->id];
  if (!map->graph->ast)
    return is_as_model_declares(o->declared, t);
  const AstType *type = &map->graph->ast->result[output].type;
  if (!type->has_dims)
    return true;
  int64_t n;
  if (type->dim_count == 1 && type->dim[0]->kind == EXPR_STAR)
    return true;
  bool same = type->dim_count == t->rank;
  for (int k = 0; same && k < t->rank; k++)
    same = !size_in_text(map, type->dim[k], &n) || n == t->dim[k];
  return same;
}
