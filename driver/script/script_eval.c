// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates expressions of scripts to literals and to expressions of graphs. Lowering resolves names of tensors,
// operators and their arguments.
#include "driver/script/script.h"

#include "frontend/text/text_out.h"

#include <inttypes.h>
#include <string.h>

enum {
  MOST_MADE = 1 << 29, // bytes of all values of a script
  MOST_TEXT = 1 << 20  // bytes of a string that + makes
};

Expr *script_value(Script *s, const Expr *e) {
  Expr *value = script_eval(s, e);
  if (value != script_nothing)
    return value;
  diag_error(s->diag, e->span, "bad_arg", "a value is needed here; this has none");
  return NULL;
}

static Expr *eval_name(Script *s, const Expr *e) {
  Variable *variable;
  HASH_FIND_STR(s->variables, e->name, variable);
  if (!variable && !session_find(s->session, e->name) &&
      (strcmp(e->name, "True") == 0 || strcmp(e->name, "False") == 0))
    return script_truth(s, e->name[0] == 'T', e->span);
  return script_copy(s, variable ? variable->value : e, e->span);
}

static Expr *eval_list(Script *s, const Expr *e) {
  Expr **item = ARENA_ARRAY(s->arena, Expr *, e->list.count);
  for (int i = 0; i < e->list.count; i++)
    if (!(item[i] = script_value(s, e->list.item[i])))
      return NULL;
  return script_list(s, item, e->list.count, e->span);
}

static Expr *join_lists(Script *s, const Expr *a, const Expr *b, Span span) {
  Expr **item = ARENA_ARRAY(s->arena, Expr *, a->list.count + b->list.count);
  for (int i = 0; i < a->list.count; i++)
    item[i] = a->list.item[i];
  for (int i = 0; i < b->list.count; i++)
    item[a->list.count + i] = b->list.item[i];
  return script_list(s, item, a->list.count + b->list.count, span);
}

static Expr *join_texts(Script *s, const Expr *a, const Expr *b, Span span) {
  TextOut text;
  size_t size;
  FILE *out = text_out_begin(&text);
  script_write(a, out);
  script_write(b, out);
  const char *joined = text_out_end(&text, s->arena, &size);
  if (size <= MOST_TEXT)
    return script_string(s, joined, span);
  diag_error(s->diag, span, "limit", "a string has at most %d bytes; this would have %zu",
             MOST_TEXT, size);
  return NULL;
}

// Operators on integers, which the session evaluates; on a tensor and a constant; + also on strings and lists.
static Expr *eval_operator(Script *s, const Expr *e) {
  Expr *a = script_value(s, e->binary.left);
  Expr *b = a && e->binary.right ? script_value(s, e->binary.right) : NULL;
  if (!a || (e->binary.right && !b))
    return NULL;
  bool plus = b && e->binary.op == '+';
  bool is_text = plus && (a->kind == EXPR_STRING || b->kind == EXPR_STRING);
  if (is_text && (a->kind == EXPR_STRING || a->kind == EXPR_INT) &&
      (b->kind == EXPR_STRING || b->kind == EXPR_INT))
    return join_texts(s, a, b, e->span);
  if (plus && expr_is_list(a) && expr_is_list(b))
    return join_lists(s, a, b, e->span);
  if (e->kind == EXPR_NEGATE && a->kind == EXPR_FLOAT) {
    Expr *minus = script_copy(s, a, e->span);
    minus->number = a->number[0] == '-' ? a->number + 1 : arena_printf(s->arena, "-%s", a->number);
    return minus;
  }
  if (script_is_tensor(s, a) || (b && script_is_tensor(s, b))) {
    Expr *sum = script_copy(s, e, e->span);
    sum->binary.left = a;
    sum->binary.right = b;
    return sum;
  }
  if (a->kind != EXPR_INT || (b && b->kind != EXPR_INT)) {
    diag_error(s->diag, e->binary.op_span, "bad_arg", "'%s' is for integers%s, not for %s%s%s",
               operator_text(e->binary.op), plus ? ", strings and lists" : "", script_kind(s, a),
               b ? " and " : "", b ? script_kind(s, b) : "");
    return NULL;
  }
  Expr *sum = script_copy(s, e, e->span);
  int64_t n;
  sum->binary.left = a;
  sum->binary.right = b;
  return session_int(s->session, sum, &n) ? script_integer(s, n, e->span) : NULL;
}

static Expr *eval_compare(Script *s, const Expr *e) {
  Expr *c = script_copy(s, e, e->span);
  c->compare.left = script_value(s, e->compare.left);
  c->compare.right = c->compare.left ? script_value(s, e->compare.right) : NULL;
  return c->compare.right ? c : NULL;
}

// A call of an operator or a graph, with evaluated arguments.
static Expr *eval_arguments(Script *s, const Expr *call) {
  Expr *c = script_copy(s, call, call->span);
  c->call.arg = ARENA_ARRAY(s->arena, Arg, call->call.count);
  for (int i = 0; i < call->call.count; i++) {
    c->call.arg[i] = call->call.arg[i];
    c->call.arg[i].value = script_value(s, call->call.arg[i].value);
    if (!c->call.arg[i].value)
      return NULL;
  }
  return c;
}

// Calls a function of scripts. `piped`: the expression to the left of |>, or NULL.
static Expr *eval_function(Script *s, const ScriptFunction *f, const Expr *call, Expr *piped) {
  Expr **arg = ARENA_ARRAY(s->arena, Expr *, call->call.count + 1);
  int count = 0;
  if (piped)
    arg[count++] = piped;
  for (int i = 0; i < call->call.count; i++) {
    const Arg *given = &call->call.arg[i];
    if (given->name) {
      diag_error(s->diag, given->name_span, "unknown_argument",
                 "'%s' has no named arguments; usage: %s", f->name, f->shown);
      return NULL;
    }
    if (!(arg[count++] = script_value(s, given->value)))
      return NULL;
  }
  return script_call(s, f, call, arg, count);
}

static Expr *eval_call(Script *s, const Expr *e) {
  const ScriptFunction *function = script_function(e->call.callee);
  return function ? eval_function(s, function, e, NULL) : eval_arguments(s, e);
}

// left |> stage; consecutive operators become one pipe.
static Expr *add_stage(Script *s, Expr *left, const Expr *stage) {
  const ScriptFunction *function = script_function(stage->call.callee);
  if (left == script_nothing) {
    diag_error(s->diag, stage->span, "arity", "the left of '|>' has no value");
    return NULL;
  }
  if (function)
    return eval_function(s, function, stage, left);
  Expr *call = eval_arguments(s, stage);
  if (!call)
    return NULL;
  Expr *pipe = script_new(s, EXPR_PIPE, span_join(left->span, stage->span));
  int before = left->kind == EXPR_PIPE ? left->pipe.count : 0;
  pipe->pipe.first = before ? left->pipe.first : left;
  pipe->pipe.stage = ARENA_ARRAY(s->arena, Expr *, before + 1);
  for (int i = 0; i < before; i++)
    pipe->pipe.stage[i] = left->pipe.stage[i];
  pipe->pipe.stage[before] = call;
  pipe->pipe.count = before + 1;
  return pipe;
}

static Expr *eval_pipe(Script *s, const Expr *e) {
  Expr *left = script_eval(s, e->pipe.first);
  for (int i = 0; left && i < e->pipe.count; i++)
    left = add_stage(s, left, e->pipe.stage[i]);
  return left;
}

// `index` is counted from the front, and below 0 or at least `count`.
static Expr *out_of_list(Script *s, const Expr *list, const Subscript *item, int count,
                         int64_t index) {
  bool is_args = list->kind == EXPR_NAME && strcmp(list->name, "args") == 0;
  if (is_args)
    diag_error(s->diag, item->span, "bad_index",
               "the script needs more arguments: %d %s given after its name", count,
               count == 1 ? "is" : "are");
  else
    diag_error(s->diag, item->span, "bad_index", "index %" PRId64 " is outside a list of %d %s",
               index < 0 ? index - count : index, count, count == 1 ? "entry" : "entries");
  return NULL;
}

// The integer of a subscript; negative ones count from the end. False: reported.
static bool subscript(Script *s, const Expr *e, int64_t missing, int count, int64_t *n) {
  *n = missing;
  if (!e)
    return true;
  Expr *value = script_value(s, e);
  if (value && value->kind != EXPR_INT)
    diag_error(s->diag, e->span, "bad_arg", "an index of a list is an integer; this is %s",
               script_kind(s, value));
  if (!value || value->kind != EXPR_INT)
    return false;
  *n = value->integer < 0 ? value->integer + count : value->integer;
  return true;
}

// list[1], list[1:]
static Expr *index_list(Script *s, const Expr *list, const Expr *e) {
  const Subscript *item = &e->index.item[0];
  int count = list->list.count;
  int64_t start, stop;
  if (e->index.count != 1 || item->kind == SUBSCRIPT_ELLIPSIS || item->step) {
    diag_error(s->diag, e->span, "bad_index", "a list takes one index, or one range of step 1");
    return NULL;
  }
  if (!subscript(s, item->start, 0, count, &start))
    return NULL;
  if (item->kind == SUBSCRIPT_INDEX)
    return start < 0 || start >= count ? out_of_list(s, e->index.subject, item, count, start)
                                       : script_copy(s, list->list.item[start], e->span);
  if (!subscript(s, item->stop, count, count, &stop))
    return NULL;
  start = start < 0 ? 0 : start > count ? count : start;
  stop = stop > count ? count : stop < start ? start : stop;
  return script_list(s, list->list.item + start, (int)(stop - start), e->span);
}

static bool eval_bound(Script *s, Expr **bound) {
  return !*bound || (*bound = script_value(s, *bound)) != NULL;
}

static Expr *eval_index(Script *s, const Expr *e) {
  Expr *subject = script_value(s, e->index.subject);
  if (!subject)
    return NULL;
  if (expr_is_list(subject))
    return index_list(s, subject, e);
  Expr *c = script_copy(s, e, e->span);
  c->index.subject = subject;
  c->index.item = ARENA_ARRAY(s->arena, Subscript, e->index.count);
  for (int i = 0; i < e->index.count; i++) {
    Subscript *item = &c->index.item[i];
    *item = e->index.item[i];
    if (!eval_bound(s, &item->start) || !eval_bound(s, &item->stop) || !eval_bound(s, &item->step))
      return NULL;
  }
  return c;
}

Expr *script_eval(Script *s, const Expr *e) {
  if (s->made > MOST_MADE) {
    diag_error(s->diag, e->span, "limit",
               "the lists and strings that the script made take more than %d MiB", MOST_MADE >> 20);
    return NULL;
  }
  switch (e->kind) {
  case EXPR_INT:
  case EXPR_LARGE:
  case EXPR_FLOAT:
  case EXPR_STRING:
  case EXPR_UNKNOWN:
  case EXPR_STAR:
    return script_copy(s, e, e->span);
  case EXPR_NAME:
    return eval_name(s, e);
  case EXPR_LIST:
  case EXPR_TUPLE:
    return eval_list(s, e);
  case EXPR_NEGATE:
  case EXPR_INVERT:
  case EXPR_BINARY:
    return eval_operator(s, e);
  case EXPR_CALL:
    return eval_call(s, e);
  case EXPR_PIPE:
    return eval_pipe(s, e);
  case EXPR_INDEX:
    return eval_index(s, e);
  case EXPR_COMPARE:
    return eval_compare(s, e);
  }
  return NULL;
}
