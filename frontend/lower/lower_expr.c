// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions that are tensors: names, calls, and pipes of any length (walked, not recursed into).
#include "frontend/lower/lower_internal.h"

#include <string.h>

bool is_tensor_expr(const Lower *l, const Expr *e) {
  if (e->kind == EXPR_CALL || e->kind == EXPR_PIPE || e->kind == EXPR_INDEX)
    return !is_loaded(l, e);
  if (e->kind == EXPR_NEGATE || e->kind == EXPR_INVERT)
    return is_tensor_expr(l, e->binary.left);
  if (e->kind == EXPR_BINARY)
    return is_tensor_expr(l, e->binary.left) || is_tensor_expr(l, e->binary.right);
  if (e->kind != EXPR_NAME)
    return false;
  const Name *name = name_find(l, e->name);
  return name && name->kind != NAME_SYMBOL;
}

static Value *named_value(Lower *l, const Expr *e) {
  Name *name = name_find(l, e->name);
  if (!name) {
    lower_error(l, e->span, "unknown_name", "no value is called '%s'%s", e->name,
                names_hint(l, e->name, false));
    return NULL;
  }
  name->used = true;
  if (name->kind == NAME_SYMBOL) {
    lower_error(l, e->span, "bad_arg", "'%s' is a size, but a tensor is needed here", e->name);
    return NULL;
  }
  const Span *given_away = name->value ? place_given_away(name->value) : NULL;
  if (given_away) {
    lower_error(l, e->span, "inplace_reuse", "'%s' is read after 'inplace' overwrote it", e->name);
    diag_note(l->diag, *given_away, "'inplace' overwrites it here");
    return NULL;
  }
  return name->value;
}

static Values one_value(Lower *l, Value *value) {
  if (!value)
    return (Values){0};
  Value **item = ARENA_NEW(l->arena, Value *);
  *item = value;
  return (Values){.item = item, .count = 1};
}

void visit_arguments(Lower *l, const Expr *call) {
  for (int i = 0; i < call->call.count; i++)
    if (is_tensor_expr(l, call->call.arg[i].value))
      lower_values(l, call->call.arg[i].value);
}

static void unknown_callee(Lower *l, const Expr *e) {
  if (is_loaded(l, e)) {
    lower_error(l, e->call.callee_span, "unsupported",
                "'load' reads constants of arithmetic here, as in x*load(\"scale.npy\"); to pass a "
                "tensor, make it an input of the graph");
    return;
  }
  const char *name = e->call.callee, *dot = strrchr(name, '.');
  const Name *subject = dot ? name_find(l, arena_text(l->arena, name, (size_t)(dot - name))) : NULL;
  const char *hint = callee_hint(l, name, subject != NULL);
  if (subject)
    lower_error(l, e->call.callee_span, "unknown_name", "'%s' is a %s, which has no methods%s",
                subject->text, subject->kind == NAME_SYMBOL ? "size" : "tensor", hint);
  else
    lower_error(l, e->call.callee_span, "unknown_name", "no operator or graph is called '%s'%s",
                name, hint);
}

static Values lower_call(Lower *l, const Expr *e, const Piped *piped) {
  const OpEntry *op;
  const Callee *callee;
  HASH_FIND_STR(l->library->ops, e->call.callee, op);
  HASH_FIND_STR(l->library->callees, e->call.callee, callee);
  bool is_rearrange = strcmp(e->call.callee, "rearrange") == 0;
  if ((op || is_rearrange) && callee && callee->state == CALLEE_READY) {
    diag_warning(l->diag, e->call.callee_span, "shadowed",
                 "'%s' means the operator here, not the graph of that name", e->call.callee);
    diag_note(l->diag, callee->ast->name_span, "the graph is defined here");
  }
  if (is_rearrange)
    return call_rearrange(l, e, piped);
  if (op)
    return call_operator(l, e, op, piped);
  if (callee)
    return call_graph(l, e, callee, piped);
  unknown_callee(l, e);
  visit_arguments(l, e);
  return (Values){0};
}

static Values lower_pipe(Lower *l, const Expr *e) {
  int wanted = l->wanted;
  l->wanted = 1;
  Values values = lower_values(l, e->pipe.first);
  Span span = e->pipe.first->span;
  for (int i = 0; i < e->pipe.count; i++) {
    const Expr *stage = e->pipe.stage[i];
    if (values.count > 1) {
      lower_error(l, stage->span, "arity", "the left of '|>' has %d results, but a pipe passes one",
                  values.count);
      diag_note(l->diag, span, "this is the left side");
      values.count = 0;
    }
    if (stage->kind != EXPR_CALL) { // the parser has reported it
      l->failed = true;
      return (Values){0};
    }
    l->wanted = i + 1 == e->pipe.count ? wanted : 1;
    Piped piped = {values.count == 1 ? values.item[0] : NULL, span};
    values = lower_call(l, stage, &piped);
    span = stage->span;
  }
  return values;
}

Values lower_values(Lower *l, const Expr *e) {
  switch (e->kind) {
  case EXPR_NAME:
    return one_value(l, named_value(l, e));
  case EXPR_CALL:
    return lower_call(l, e, NULL);
  case EXPR_PIPE:
    return lower_pipe(l, e);
  case EXPR_INDEX:
    return lower_index(l, e);
  case EXPR_NEGATE:
  case EXPR_INVERT:
  case EXPR_BINARY:
    if (is_tensor_expr(l, e))
      return call_arithmetic(l, e);
    break;
  case EXPR_INT:
  case EXPR_LARGE:
  case EXPR_FLOAT:
  case EXPR_STRING:
  case EXPR_UNKNOWN:
  case EXPR_STAR:
  case EXPR_LIST:
  case EXPR_TUPLE:
  case EXPR_COMPARE:
    break;
  }
  lower_error(l, e->span, "bad_arg", "a tensor is needed here; this is %s", expr_words(e));
  return (Values){0};
}

Value *lower_value(Lower *l, const Expr *e) {
  l->wanted = 1;
  Values values = lower_values(l, e);
  if (values.count == 1)
    return values.item[0];
  if (values.count > 1)
    lower_error(l, e->span, "arity", "one tensor is needed here; this gives %d", values.count);
  return NULL;
}
