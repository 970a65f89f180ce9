// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer expressions, symbols, the types of inputs and results, and `where`.
//
//   (x: f32[B, 2*B, ?])      introduces B and an unnamed size; 2*B is an expression of B
//   where W % 16 == 0        a guard {left W, remainder_of 16, EQ, right 0}
#include "frontend/lower/lower_internal.h"

#include <inttypes.h>
#include <string.h>

// --- Integer expressions

static bool overflowed(Lower *l, const Expr *e, Problem *p) {
  return problem_set(l, p, e->span, "overflow", "this does not fit 64 bits");
}

// S, or 3*S: a divisibility condition on it is a fact about S. One on S+T is a fact about neither.
static bool is_multiple_of_symbol(Lower *l, rsh_num a) {
  rsh_terms t = rsh_terms_of(l->graph->symbols, a);
  return rsh_term_count(l->graph->symbols, a) == 1 && rsh_next_term(&t) && rsh_degree(&t) == 1;
}

static bool not_exact(Lower *l, const Expr *e, rsh_num a, rsh_num b, Problem *p) {
  const char *x = operand_text(l->arena, l->graph, a, false);
  const char *y = operand_text(l->arena, l->graph, b, true);
  const char *hint = "";
  bool may_be = !rsh_is_known(a) && rsh_is_known(b) && b.n > 1 &&
                rsh_at_most(l->graph->symbols, rsh_int(0), a);
  if (may_be && is_multiple_of_symbol(l, a))
    hint =
        arena_printf(l->arena, "; add 'where %s %% %s == 0', or use '//', which rounds down", x, y);
  else if (may_be)
    hint = "; use '//', which rounds down";
  return problem_set(l, p, e->binary.op_span, "not_divisible", "%s is not divisible by %s%s",
                     size_label(l, a), size_label(l, b), hint);
}

// a / b is exact or rejected; a // b and a % b are Python's; for open sizes the call computes them.
static bool divide(Lower *l, const Expr *e, rsh_num a, rsh_num b, rsh_num *out, Problem *p) {
  rsh_symbols *s = l->graph->symbols;
  rsh_num floor;
  if (rsh_is(b, 0))
    return problem_set(l, p, e->binary.right->span, "not_divisible", "division by 0");
  if (e->binary.op == '/')
    return rsh_div(s, a, b, out) || not_exact(l, e, a, b, p);
  if (rsh_is(b, -1)) { // the quotient of the least integer does not fit
    *out = rsh_int(0);
    return e->binary.op == '%' || rsh_sub(s, rsh_int(0), a, out) || overflowed(l, e, p);
  }
  if (rsh_is_known(a) && rsh_is_known(b))
    floor = rsh_int(a.n / b.n - (a.n % b.n != 0 && (a.n < 0) != (b.n < 0)));
  else if (!edge_quotient(l, a, b, &floor) && !edge_quotient_signed(l, a, b, &floor))
    return rsh_sign(s, b) == 1
               ? problem_set(
                     l, p, e->binary.op_span, "limit",
                     "more than %d sizes known only at run time in one graph, quotients included",
                     RSH_MAX_SYMBOLS)
               : problem_set(l, p, e->binary.op_span, "unsupported",
                             "%s %s %s: if sizes are known only at run time, the right must be at "
                             "least 1",
                             operand_text(l->arena, l->graph, a, false),
                             operator_text(e->binary.op),
                             operand_text(l->arena, l->graph, b, true));
  if (e->binary.op == OPERATOR_FLOOR) {
    *out = floor;
    return true;
  }
  rsh_num product;
  return (rsh_mul(s, floor, b, &product) && rsh_sub(s, a, product, out)) || overflowed(l, e, p);
}

static bool dims_infix(Lower *l, const Expr *e, rsh_num *out, Problem *p) {
  rsh_num a, b;
  if (!int_expr(l, e->binary.left, &a, p) || !int_expr(l, e->binary.right, &b, p))
    return false;
  rsh_symbols *s = l->graph->symbols;
  switch (e->binary.op) {
  case '+':
    return rsh_add(s, a, b, out) || overflowed(l, e, p);
  case '-':
    return rsh_sub(s, a, b, out) || overflowed(l, e, p);
  case '*':
    return rsh_mul(s, a, b, out) || overflowed(l, e, p);
  case '/':
  case '%':
  case OPERATOR_FLOOR:
    return divide(l, e, a, b, out, p);
  default:
    return problem_set(l, p, e->binary.op_span, "bad_arg",
                       "'%s' is for tensors; sizes are computed with + - * / // and %%",
                       operator_text(e->binary.op));
  }
}

static bool size_name(Lower *l, const Expr *e, rsh_num *out, Problem *p) {
  Name *name = name_find(l, e->name);
  if (!name) {
    const char *hint = names_hint(l, e->name, true);
    const char *rule = l->is_session ? "" : "; sizes are named in the types of inputs";
    return problem_set(l, p, e->span, "unknown_name", "no size is called '%s'%s", e->name,
                       *hint ? hint : rule);
  }
  if (name->kind != NAME_SYMBOL) {
    problem_set(l, p, e->span, "bad_arg", "'%s' is a tensor, but a size is needed here", e->name);
    problem_note(l, p, name->span, "'%s' is defined here", e->name);
    return false;
  }
  if (name->unknown) {
    problem_set(l, p, e->span, "unknown_name", "no size is called '%s'", e->name);
    p->quiet = true;
    return false;
  }
  *out = name->num;
  return true;
}

bool int_expr(Lower *l, const Expr *e, rsh_num *out, Problem *p) {
  switch (e->kind) {
  case EXPR_INT:
    *out = rsh_int(e->integer);
    return true;
  case EXPR_NAME:
    return size_name(l, e, out, p);
  case EXPR_NEGATE:
    return int_expr(l, e->binary.left, out, p) &&
           (rsh_sub(l->graph->symbols, rsh_int(0), *out, out) || overflowed(l, e, p));
  case EXPR_BINARY:
    return dims_infix(l, e, out, p);
  case EXPR_LARGE:
    return problem_set(
        l, p, e->span, "overflow",
        "%" PRIu64 " does not fit 64 bits with a sign; only elements may be so large", e->large);
  case EXPR_FLOAT:
  case EXPR_STRING:
  case EXPR_UNKNOWN:
  case EXPR_STAR:
  case EXPR_LIST:
  case EXPR_TUPLE:
  case EXPR_CALL:
  case EXPR_PIPE:
  case EXPR_INDEX:
  case EXPR_COMPARE:
  case EXPR_INVERT:
    break;
  }
  return problem_set(l, p, e->span, "bad_arg", "an integer is needed here; this is %s",
                     expr_words(e));
}

// --- Types of inputs

// A size is at least 0; if that depends on symbols, the program checks it at entry.
static bool check_size(Lower *l, rsh_num size, Span span) {
  if (rsh_at_most(l->graph->symbols, rsh_int(0), size))
    return true;
  Guard guard = {
      .kind = WHERE_GE, .status = RSH_bad_dim, .left = size, .right = rsh_int(0), .span = span};
  if (guard_add(l, guard))
    return true;
  bool is_open = rsh_is(size, -1); // as in other systems
  lower_error(l, span, "bad_dim", "size %s is below 0%s", size_label(l, size),
              is_open ? "; an open size is a name such as N, or '?'" : "");
  return false;
}

static bool input_dim(Lower *l, const Expr *e, rsh_num *out) {
  if (e->kind == EXPR_UNKNOWN)
    return symbol_new(l, NULL, e->span, out);
  if (e->kind == EXPR_STAR) {
    lower_error(l, e->span, "bad_arg",
                "'*' means all sizes, so it must be the only entry: write f32[*]");
    return false;
  }
  if (e->kind == EXPR_NAME && strcmp(e->name, "None") == 0) { // as a name, it would be one size
    lower_error(l, e->span, "bad_arg",
                "'None' is not a size; an open size is a name such as N, or '?'");
    return false;
  }
  if (e->kind == EXPR_NAME && !name_find(l, e->name)) { // this introduces it
    Name *name = name_add(l, e->name, e->span);
    name->kind = NAME_SYMBOL;
    bool good = symbol_new(l, e->name, e->span, &name->num);
    *out = name->num;
    return good;
  }
  Problem p = {0};
  if (int_expr(l, e, out, &p))
    return check_size(l, *out, e->span);
  if (strcmp(p.kind, "unknown_name") == 0 && !p.quiet) { // reported once, not at each use
    problem_note(l, &p, e->span,
                 "a size must first appear by itself between commas, as in f32[N, 3]");
    const char *text = source_text(source_at(l->diag->source, p.span.begin), p.span.begin);
    Name *name = name_add(l, arena_text(l->arena, text, p.span.end - p.span.begin), p.span);
    name->kind = NAME_SYMBOL;
    name->unknown = true;
  }
  problem_report(l, &p);
  return false;
}

static rsh_dtype type_dtype(Lower *l, const AstType *type) {
  rsh_dtype dtype = rsh_dtype_find(type->dtype, strlen(type->dtype));
  if (dtype == RSH_DTYPE_NONE)
    lower_error(l, type->dtype_span, "unknown_type", "unknown element type '%s'%s", type->dtype,
                dtype_hint(l, type->dtype));
  return dtype;
}

// Reads all sizes even after an error: later ones may introduce symbols.
static bool input_shape(Lower *l, const AstType *type, rsh_shape *shape) {
  bool good = true;
  if (type->dim_count == 1 && type->dim[0]->kind == EXPR_STAR) {
    shape->rank = RSH_RANK_UNKNOWN;
    return true;
  }
  if (type->dim_count > RSH_MAX_RANK) {
    lower_error(l, type->dim[RSH_MAX_RANK]->span, "rank_limit", "%d axes; at most %d are supported",
                type->dim_count, RSH_MAX_RANK);
    good = false;
  }
  for (int i = 0; i < type->dim_count; i++) {
    rsh_num dim = {0};
    good = input_dim(l, type->dim[i], &dim) && good;
    if (i < RSH_MAX_RANK)
      shape->dim[shape->rank++] = dim;
  }
  return good;
}

bool lower_input_type(Lower *l, const AstType *type, rsh_dtype *dtype, rsh_shape *shape) {
  if (!type->dtype) { // the parser has reported it
    l->failed = true;
    return false;
  }
  *dtype = type_dtype(l, type);
  return input_shape(l, type, shape) && *dtype != RSH_DTYPE_NONE;
}

// --- Types of results and values

// NumPy's view keeps the last axis if it joins elements.
static const char *joined_hint(const Lower *l, const Value *value) {
  const Value *x =
      value->node && value->node->call.op == RSH_OP_BITCAST ? value->node->in[0] : NULL;
  if (!x || x->shape.rank <= value->shape.rank)
    return "";
  return arena_printf(l->arena, "; bitcast removes the last axis: reshape the operand to %s first",
                      split_words(l->arena, &x->shape, x->dtype, value->dtype));
}

// Always false.
static bool type_mismatch(Lower *l, const Declaration *d, Span span, const char *kind,
                          const Value *value) {
  Span declared = d->type->span;
  lower_error(l, span, kind, "%s '%s' is declared %.*s but is %s", d->role, d->name,
              (int)(declared.end - declared.begin),
              source_text(source_at(l->diag->source, declared.begin), declared.begin),
              type_text(l->arena, l->graph, value->dtype, &value->shape));
  diag_note(l->diag, value->span, "'%s' is computed here%s", d->name, joined_hint(l, value));
  return false;
}

// Returns whether the bounds of two sizes exclude each other: a slice of f32[3] never has 4 elements.
static bool never_agree(const Lower *l, rsh_num a, rsh_num b) {
  rsh_interval one = rsh_bounds(l->graph->symbols, a), other = rsh_bounds(l->graph->symbols, b);
  return one.most < other.least || other.most < one.least;
}

// Returns whether the program compares the size with the declared one. Others, and quotients of them, are known at
// entry.
static bool is_left_to_program(const Lower *l, rsh_num size) {
  return rsh_is_unknown(size) ||
         (graph_has_inner(l->graph, size) &&
          !graph_are_at_entry(l->graph, rsh_atoms_of(l->graph->symbols, size)));
}

// False: they never agree.
static bool agree_at_entry(Lower *l, rsh_num declared, rsh_num size, Span span) {
  Guard guard = {.kind = WHERE_EQ,
                 .status = RSH_shape_mismatch,
                 .left = size,
                 .right = declared,
                 .is_of_declared = true,
                 .span = span};
  return guard_add(l, guard);
}

static rsh_shape *unknown_sizes(Lower *l, int rank) {
  rsh_shape *shape = ARENA_NEW(l->arena, rsh_shape);
  shape->rank = rank;
  for (int i = 0; i < rank; i++)
    shape->dim[i] = (rsh_num){0, RSH_UNKNOWN};
  return shape;
}

// Leaves the declared sizes of a result for the program to compare.
static void declare_sizes(Lower *l, const Value *value, Output *output, int rank) {
  output->declared = unknown_sizes(l, rank);
  output->logical = value;
}

bool check_result_rank(Lower *l, const Value *value, Output *output, int64_t rank) {
  bool is_open = value->shape.rank == RSH_RANK_UNKNOWN;
  if (rank > RSH_MAX_RANK || (!is_open && rank != value->shape.rank))
    return false;
  output->stated = unknown_sizes(l, (int)rank);
  if (is_open)
    declare_sizes(l, value, output, (int)rank);
  return true;
}

bool check_result_size(Lower *l, const Value *value, Output *output, int axis, rsh_num size,
                       Span span) {
  output->stated->dim[axis] = size;
  if (value->shape.rank != RSH_RANK_UNKNOWN) {
    rsh_num known = value->shape.dim[axis];
    if (sizes_agree(l, size, known))
      return true;
    if (!is_left_to_program(l, known))
      return agree_at_entry(l, size, known, span);
    if (never_agree(l, size, known))
      return false;
    if (!output->declared)
      declare_sizes(l, value, output, value->shape.rank);
  }
  output->declared->dim[axis] = size;
  return true;
}

// Checks a declared type. Sizes that only the program can compare are left in output->declared. False: an error was
// reported.
static bool check_type(Lower *l, const Declaration *d, const Value *value, Output *output) {
  const AstType *type = d->type;
  if (!type->dtype)
    return true;
  rsh_dtype dtype = type_dtype(l, type);
  if (dtype == RSH_DTYPE_NONE)
    return false;
  if (dtype != value->dtype)
    return type_mismatch(l, d, type->dtype_span, "type_mismatch", value);
  if (type->dim_count == 1 && type->dim[0]->kind == EXPR_STAR)
    return lod_check(l, d, value);
  if (!check_result_rank(l, value, output, type->dim_count))
    return type_mismatch(l, d, type->span, "shape_mismatch", value);
  for (int i = 0; i < type->dim_count; i++) {
    rsh_num dim;
    Problem p = {0};
    if (type->dim[i]->kind == EXPR_UNKNOWN)
      continue;
    if (!int_expr(l, type->dim[i], &dim, &p)) {
      problem_report(l, &p);
      return false;
    }
    if (!check_result_size(l, value, output, i, dim, type->dim[i]->span))
      return type_mismatch(l, d, type->dim[i]->span, "shape_mismatch", value);
  }
  return lod_check(l, d, value);
}

bool check_result_type(Lower *l, const AstValue *result, const Value *value, Output *output) {
  const Declaration d = {"result", result->name, &result->type};
  return check_type(l, &d, value, output);
}

void declare_value(Lower *l, const Value *value, const rsh_shape *declared, bool is_lost,
                   Span span) {
  bool same = !is_lost && value->shape.rank == declared->rank;
  for (int i = 0; same && i < declared->rank; i++)
    same = rsh_is_unknown(declared->dim[i]) || rsh_equal(declared->dim[i], value->shape.dim[i]);
  const Stated d = {value, *declared, is_lost, l->graph->node.count, span};
  if (!same)
    VEC_PUSH(l->arena, l->graph->declared, d);
}

bool compare_declared(Lower *l, Value *value, const rsh_shape *declared, Span span, Never *never) {
  never->is_found = false;
  for (int axis = AXIS_RANK; axis < declared->rank; axis++) {
    Guard guard = {.kind = WHERE_EQ,
                   .status = RSH_shape_mismatch,
                   .right = axis == AXIS_RANK ? rsh_int(declared->rank) : declared->dim[axis],
                   .is_of_declared = true,
                   .span = span};
    if (rsh_is_unknown(guard.right))
      continue;
    if (!size_of_axis(l, value, axis, span, &guard.left))
      return false;
    if (guard_agree(l, guard))
      continue;
    *never = (Never){true, axis, guard};
    return false;
  }
  return true;
}

Value *value_as_declared(Lower *l, Value *value, const rsh_shape *declared, Span span) {
  Binding *b = binding_new(l, RSH_OP_RESHAPE, "reshape", span);
  rsh_num size[RSH_MAX_RANK];
  uint32_t sizes = 0; // entries that are sizes: a 0 among them is one, and copies nothing
  for (int i = 0; i < declared->rank; i++) {
    bool is_open = rsh_is_unknown(declared->dim[i]);
    size[i] = is_open ? rsh_int(0) : declared->dim[i];
    sizes |= is_open ? 0 : UINT32_C(1) << i;
  }
  binding_operand(l, b, value, span);
  binding_list(l, b, 0, size, declared->rank);
  b->call.arg[0].sizes = sizes;
  Values values = binding_apply(l, b);
  if (values.count == 0)
    return NULL;
  values.item[0]->node->restates = true;
  return values.item[0];
}

Value *check_value_type(Lower *l, const struct StatementTarget *target, Value *value) {
  const Declaration d = {"value", target->name, &target->type};
  Span span = target->type.span;
  Output output = {.declared = NULL};
  Never never;
  if (!check_type(l, &d, value, &output))
    return value;
  bool is_dropped = strcmp(target->name, "_") == 0;
  if (output.stated && (!output.declared || is_dropped))
    declare_value(l, value, output.stated, false, span);
  if (!output.declared)
    return value;
  value->name = value->name || is_dropped ? value->name : target->name;
  if (compare_declared(l, value, output.declared, span, &never))
    return is_dropped ? value : value_as_declared(l, value, output.declared, span);
  if (never.is_found)
    type_mismatch(l, &d, span, "shape_mismatch", value);
  return value;
}

// --- where

// a, or a % b with sizes known only at run time, which stays a remainder computed at entry. If a may be below 0, the
// remainder is a size of its own, as it is elsewhere.
static bool where_side(Lower *l, const Expr *e, rsh_num *num, rsh_num *remainder_of, Problem *p) {
  *remainder_of = rsh_int(0);
  if (e->kind != EXPR_BINARY || e->binary.op != '%')
    return int_expr(l, e, num, p);
  if (!int_expr(l, e->binary.left, num, p) || !int_expr(l, e->binary.right, remainder_of, p))
    return false;
  if (rsh_is(*remainder_of, 0) || rsh_sign(l->graph->symbols, *remainder_of) == -1)
    return problem_set(l, p, e->binary.right->span, "bad_arg",
                       "the divisor of a remainder must be at least 1; this is %s",
                       size_label(l, *remainder_of));
  if (rsh_at_most(l->graph->symbols, rsh_int(0), *num))
    return true;
  *remainder_of = rsh_int(0);
  return int_expr(l, e, num, p);
}

enum { MOST_CHOICES = 1024 }; // each becomes a polynomial that is compared with all others

static bool where_choices(Lower *l, const Expr *list, Guard *guard, Problem *p) {
  if (list->list.count > MOST_CHOICES)
    return problem_set(l, p, list->span, "limit", "at most %d entries after 'in'; this has %d",
                       MOST_CHOICES, list->list.count);
  guard->choice = ARENA_ARRAY(l->arena, int64_t, list->list.count);
  for (int i = 0; i < list->list.count; i++) {
    rsh_num n;
    if (!int_expr(l, list->list.item[i], &n, p))
      return false;
    if (!rsh_is_known(n))
      return problem_set(l, p, list->list.item[i]->span, "bad_arg",
                         "entries after 'in' must be constants; this is %s", size_label(l, n));
    guard->choice[guard->choice_count++] = n.n;
  }
  return true;
}

static ConditionKind mirrored(ConditionKind kind) {
  switch (kind) {
  case WHERE_LT:
    return WHERE_GT;
  case WHERE_LE:
    return WHERE_GE;
  case WHERE_GT:
    return WHERE_LT;
  case WHERE_GE:
    return WHERE_LE;
  case WHERE_EQ:
  case WHERE_NE:
  case WHERE_IN:
    break;
  }
  return kind;
}

static bool where_guard(Lower *l, const Condition *c, Guard *guard, Problem *p) {
  *guard = (Guard){.kind = c->kind, .status = RSH_guard_failed, .span = c->span};
  if (!where_side(l, c->left, &guard->left, &guard->remainder_of, p))
    return false;
  if (c->kind == WHERE_IN)
    return where_choices(l, c->right, guard, p);
  rsh_num remainder_of;
  if (!where_side(l, c->right, &guard->right, &remainder_of, p))
    return false;
  if (rsh_is(remainder_of, 0))
    return true;
  if (!rsh_is(guard->remainder_of, 0))
    return problem_set(l, p, c->span, "unsupported", "a remainder on both sides is not supported");
  rsh_num right = guard->right; // 0 == W % 16
  guard->right = guard->left;
  guard->left = right;
  guard->remainder_of = remainder_of;
  guard->kind = mirrored(c->kind);
  return true;
}

void lower_where(Lower *l, const AstGraph *ast) {
  for (int i = 0; i < ast->where_count; i++) {
    const Condition *c = &ast->where[i];
    Guard guard;
    Problem p = {0};
    if (!where_guard(l, c, &guard, &p))
      problem_report(l, &p);
    else if (!guard_where(l, guard))
      lower_error(l, c->span, "guard_failed", "this condition is never true%s: %s",
                  l->graph->guard.count > 0 ? ", given the others" : "",
                  condition_text(l->arena, l->graph, &guard));
  }
}
