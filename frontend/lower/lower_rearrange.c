// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of rearrange: the tensors, the pattern, the sizes by name. lower_axes.c and lower_pieces.c
// interpret the pattern.
//
//   rearrange(a, b, "n q, n (h d) -> n (q + h) d", h=2)
#include "frontend/lower/lower_pattern.h"

#include <string.h>

static void add_operand(Rearrange *r, Value *value, Span span) {
  Operand *grown = ARENA_ARRAY(r->l->arena, Operand, r->operand_count + 1);
  for (int i = 0; i < r->operand_count; i++)
    grown[i] = r->operand[i];
  Operand operand = {.value = value, .span = span};
  if (value) {
    operand.shape = &value->shape;
    operand.label = value_label(r->l, value);
  }
  grown[r->operand_count++] = operand;
  r->operand = grown;
}

// The tensors: the piped one, or those before the pattern, or a list of them. Returns the index of
// the next argument.
static int rearrange_operands(Rearrange *r, const Expr *call, const Piped *piped) {
  int next = 0;
  if (piped)
    add_operand(r, piped->value, piped->span);
  for (; next < call->call.count; next++) {
    const Arg *arg = &call->call.arg[next];
    const Expr *e = arg->value;
    bool is_first = next == 0 && !piped;
    if (arg->name || e->kind == EXPR_STRING || r->operand_count >= PATTERN_MAX_ITEMS)
      break;
    if (is_first && expr_is_list(e)) {
      for (int i = 0; i < e->list.count && i < PATTERN_MAX_ITEMS; i++)
        add_operand(r, lower_value(r->l, e->list.item[i]), e->list.item[i]->span);
    } else if (is_first || is_tensor_expr(r->l, e)) {
      add_operand(r, lower_value(r->l, e), e->span);
    } else {
      break;
    }
  }
  return next;
}

static bool take_pattern(Rearrange *r, const Expr *call, int next) {
  const Arg *arg = next < call->call.count ? &call->call.arg[next] : NULL;
  if (r->operand_count > 0 && arg && !arg->name && arg->value->kind == EXPR_STRING) {
    r->text = arg->value->string.text;
    r->length = arg->value->string.length;
    r->text_span = arg->value->span;
    return pattern_open(r);
  }
  lower_error(r->l, arg ? arg->value->span : r->callee_span, arg ? "bad_arg" : "arity",
              "'rearrange' takes a tensor and a pattern in quotes, such as \"h w -> w h\"");
  return false;
}

static bool unknown_axis(Rearrange *r, const Arg *arg) {
  VEC(const char *) names = {0};
  for (int i = 0; i < r->axis.count; i++)
    VEC_PUSH(r->l->arena, names, r->axis.item[i].name);
  lower_error(r->l, arg->name_span, "unknown_argument", "the pattern has no axis '%s'%s", arg->name,
              did_you_mean(r->l, arg->name, names.item, names.count));
  return false;
}

static bool give_size(Rearrange *r, const Arg *arg, Axis *axis, rsh_num size) {
  const char *text = size_label(r->l, size);
  if (axis->is_given) {
    lower_error(r->l, arg->name_span, "arity", "argument '%s' is given twice", arg->name);
    return false;
  }
  if (axis->has_size && !rsh_equal(axis->size, size)) {
    lower_error(r->l, arg->value->span, "bad_pattern",
                "axis '%s' has two sizes: %s in the pattern, and %s here", arg->name,
                size_label(r->l, axis->size), text);
    return false;
  }
  axis->has_size = axis->is_given = true;
  axis->size = size;
  return true;
}

// ds.0 is an axis of ds...
static bool is_axis_of(const Axis *axis, const char *name) {
  size_t length = strlen(name);
  return strncmp(axis->name, name, length) == 0 &&
         (axis->name[length] == '\0' || axis->name[length] == '.');
}

// A size is at least 0; if that depends on symbols, the program checks it first, as for a number.
static bool check_size(Lower *l, const Arg *arg, rsh_num size) {
  const Guard guard = {.kind = WHERE_GE,
                       .status = RSH_bad_dim,
                       .left = size,
                       .right = rsh_int(0),
                       .span = arg->value->span};
  if (rsh_is_unknown(size) || rsh_at_most(l->graph->symbols, rsh_int(0), size) ||
      guard_add(l, guard))
    return true;
  lower_error(l, guard.span, "bad_dim", "size %s of axis '%s' is below 0", size_label(l, size),
              arg->name);
  return false;
}

// h=2, and ds=2 for all axes of ds...
static bool take_size(Rearrange *r, const Arg *arg) {
  Problem p = {0};
  rsh_num size;
  int count = 0;
  for (int i = 0; i < r->axis.count; i++)
    count += is_axis_of(&r->axis.item[i], arg->name);
  if (count == 0 && !pattern_repeats(&r->pattern, arg->name))
    return unknown_axis(r, arg);
  if (!int_expr(r->l, arg->value, &size, &p)) {
    problem_report(r->l, &p);
    return false;
  }
  if (!check_size(r->l, arg, size))
    return false;
  for (int i = 0; i < r->axis.count; i++)
    if (is_axis_of(&r->axis.item[i], arg->name) && !give_size(r, arg, &r->axis.item[i], size))
      return false;
  return true;
}

static bool take_sizes(Rearrange *r, const Expr *call, int next) {
  for (; next < call->call.count; next++) {
    const Arg *arg = &call->call.arg[next];
    if (!arg->name) {
      lower_error(r->l, arg->value->span, "arity",
                  "after the pattern, sizes of axes are given by name, such as h=2");
      return false;
    }
    if (!take_size(r, arg))
      return false;
  }
  return true;
}

static bool check_operands(Rearrange *r) {
  int tensors = r->pattern.left.count;
  if (tensors != r->operand_count)
    return PATTERN_FAIL(r, &((PatternItem){.end = r->length}), "arity",
                        "the pattern has %d tensor%s on the left, but %d %s given", tensors,
                        tensors == 1 ? "" : "s", r->operand_count,
                        r->operand_count == 1 ? "is" : "are");
  for (int i = 0; i < r->operand_count; i++)
    if (!r->operand[i].value || // an error was reported
        !sizes_open(r->l, r->operand[i].value, r->operand[i].span))
      return false;
  return true;
}

Values call_rearrange(Lower *l, const Expr *call, const Piped *piped) {
  Rearrange *r = ARENA_NEW(l->arena, Rearrange);
  r->l = l;
  r->word = "rearrange";
  r->span = call->span;
  r->callee_span = call->call.callee_span;
  int next = rearrange_operands(r, call, piped);
  if (!take_pattern(r, call, next) || !take_sizes(r, call, next + 1) || !check_operands(r) ||
      !pattern_size(r))
    return (Values){0};
  return pieces_apply(r);
}
