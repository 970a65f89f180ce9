// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates expressions of scripts to literals and to expressions of graphs. Lowering resolves names of tensors,
// operators and their arguments.
#include "driver/script/script.h"

#include "frontend/text/text_out.h"

#include <inttypes.h>
#include <string.h>

static Expr nothing = {.kind = EXPR_TUPLE};
Expr *const script_nothing = &nothing;

// ---- literals ----

enum {
  MOST_MADE = 1 << 29, // bytes of all values of a script
  MOST_TEXT = 1 << 20  // bytes of a string that + makes
};

static Expr *new_expr(Script *s, ExprKind kind, Span span) {
  Expr *e = ARENA_NEW(s->arena, Expr);
  s->made += sizeof *e;
  e->kind = kind;
  e->depth = 1;
  e->span = span;
  return e;
}

// A copy of an expression with another span.
static Expr *copy_expr(Script *s, const Expr *e, Span span) {
  Expr *c = new_expr(s, e->kind, span);
  *c = *e;
  c->span = span;
  return c;
}

Expr *script_integer(Script *s, int64_t n, Span span) {
  Expr *e = new_expr(s, EXPR_INT, span);
  e->integer = n;
  return e;
}

static Expr *name(Script *s, const char *text, Span span) {
  Expr *e = new_expr(s, EXPR_NAME, span);
  e->name = text;
  return e;
}

Expr *script_truth(Script *s, bool truth, Span span) {
  return name(s, truth ? "true" : "false", span);
}

// One list may be in another twice, so a few statements make lists that are too large to visit.
Expr *script_list(Script *s, Expr **item, int count, Span span) {
  Expr *e = new_expr(s, EXPR_LIST, span);
  int64_t entries = count;
  e->list.item = item;
  e->list.count = count;
  s->made += (uint64_t)count * sizeof *item;
  for (int i = 0; i < count; i++) {
    entries += expr_is_list(item[i]) ? item[i]->list.entries : 0;
    e->depth = item[i]->depth >= e->depth ? item[i]->depth + 1 : e->depth;
  }
  e->list.entries = (int)entries;
  if (entries > SCRIPT_LIST_MOST) {
    diag_error(
        s->diag, span, "limit",
        "a list has at most %d entries, those of lists in it counted; this would have %" PRId64,
        SCRIPT_LIST_MOST, entries);
    return NULL;
  }
  if (e->depth > EXPR_MAX_DEPTH) {
    diag_error(s->diag, span, "limit", "lists are nested at most %d deep", EXPR_MAX_DEPTH - 1);
    return NULL;
  }
  return e;
}

Expr *script_string(Script *s, const char *text, Span span) {
  Expr *e = new_expr(s, EXPR_STRING, span);
  e->string.text = text;
  e->string.length = (uint32_t)strlen(text);
  s->made += e->string.length;
  return e;
}

bool script_is_tensor(const Script *s, const Expr *e) {
  switch (e->kind) {
  case EXPR_CALL:
  case EXPR_PIPE:
  case EXPR_INDEX:
  case EXPR_NEGATE: // negated numbers are already evaluated
  case EXPR_INVERT:
  case EXPR_BINARY:
    return true;
  default:
    return e->kind == EXPR_NAME && session_find(s->session, e->name);
  }
}

// Writes at most *room entries of lists; "..." stands for the rest.
static void write_text(FILE *out, const Expr *e, bool quotes, int *room) {
  switch (e->kind) {
  case EXPR_INT:
    fprintf(out, "%" PRId64, e->integer);
    return;
  case EXPR_LARGE:
    fprintf(out, "%" PRIu64, e->large);
    return;
  case EXPR_FLOAT:
    fputs(e->number, out);
    return;
  case EXPR_STRING:
    fprintf(out, quotes ? "\"%s\"" : "%s", e->string.text);
    return;
  case EXPR_NAME:
    fputs(e->name[0] == '#' ? "a tensor" : e->name, out);
    return;
  case EXPR_LIST:
  case EXPR_TUPLE:
    fputc('[', out);
    for (int i = 0; i < e->list.count; i++) {
      fputs(i ? ", " : "", out);
      if (--*room < 0) {
        fputs("...", out);
        break;
      }
      write_text(out, e->list.item[i], true, room);
    }
    fputc(']', out);
    return;
  default:
    fputs("a tensor", out);
  }
}

void script_write(const Expr *e, FILE *out) {
  int room = SCRIPT_LIST_MOST;
  write_text(out, e, false, &room);
}

const char *script_text(Script *s, const Expr *e) {
  int room = 32;
  TextOut text;
  write_text(text_out_begin(&text), e, true, &room);
  return text_out_end(&text, s->arena, NULL);
}

static const char *words(const Script *s, const Expr *e) {
  if (script_is_tensor(s, e))
    return "a tensor";
  switch (e->kind) {
  case EXPR_INT:
    return "an integer";
  case EXPR_LARGE:
    return "an integer above 2^63 - 1";
  case EXPR_FLOAT:
    return "a number";
  case EXPR_STRING:
    return "a string";
  case EXPR_LIST:
  case EXPR_TUPLE:
    return "a list";
  default:
    return "a name";
  }
}

Expr *script_hide(Script *s, Value *value, Span span) {
  const char *text = arena_printf(s->arena, "#%d", ++s->hidden);
  session_name(s->session, text, value, span);
  return name(s, text, span);
}

Expr *script_settle(Script *s, Expr *e) {
  if (expr_is_list(e)) {
    Expr **item = NULL; // a list without new tensors stays as it is
    for (int i = 0; i < e->list.count; i++) {
      Expr *settled = script_settle(s, e->list.item[i]);
      if (!settled)
        return NULL;
      if (!item && settled != e->list.item[i]) {
        item = ARENA_ARRAY(s->arena, Expr *, e->list.count);
        memcpy(item, e->list.item, sizeof *item * (size_t)i);
      }
      if (item)
        item[i] = settled;
    }
    return item ? script_list(s, item, e->list.count, e->span) : e;
  }
  if (!script_is_tensor(s, e) || (e->kind == EXPR_NAME && e->name[0] == '#'))
    return e;
  Value *value = session_value(s->session, e);
  return value ? script_hide(s, value, e->span) : NULL;
}

// ---- comparisons ----

// -1, 0, 1 for integers; for others, 0 if equal.
static int order(const Script *s, const Expr *a, const Expr *b) {
  if (a->kind == EXPR_INT && b->kind == EXPR_INT)
    return (a->integer > b->integer) - (a->integer < b->integer);
  if (expr_is_list(a) && expr_is_list(b)) {
    bool same = a->list.count == b->list.count;
    for (int i = 0; same && i < a->list.count; i++)
      same = order(s, a->list.item[i], b->list.item[i]) == 0;
    return !same;
  }
  if (a->kind != b->kind)
    return 1;
  if (a->kind == EXPR_STRING)
    return strcmp(a->string.text, b->string.text) != 0;
  if (a->kind == EXPR_LARGE)
    return a->large != b->large;
  if (a->kind == EXPR_FLOAT)
    return strtod(a->number, NULL) != strtod(b->number, NULL);
  return a->kind != EXPR_NAME || strcmp(a->name, b->name) != 0;
}

bool script_compare(Script *s, ConditionKind kind, const Expr *a, const Expr *b, bool *holds) {
  bool is_order = kind != WHERE_EQ && kind != WHERE_NE;
  if (is_order && (a->kind != EXPR_INT || b->kind != EXPR_INT)) {
    const Expr *wrong = a->kind != EXPR_INT ? a : b;
    diag_error(s->diag, wrong->span, "bad_arg", "'%s' compares integers; this is %s",
               comparison_text(kind), words(s, wrong));
    return false;
  }
  int o = order(s, a, b);
  switch (kind) {
  case WHERE_EQ:
  case WHERE_IN:
    *holds = o == 0;
    break;
  case WHERE_NE:
    *holds = o != 0;
    break;
  case WHERE_LT:
    *holds = o < 0;
    break;
  case WHERE_LE:
    *holds = o <= 0;
    break;
  case WHERE_GT:
    *holds = o > 0;
    break;
  case WHERE_GE:
    *holds = o >= 0;
    break;
  }
  return true;
}

// ---- expressions ----

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
  return copy_expr(s, variable ? variable->value : e, e->span);
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
    Expr *minus = copy_expr(s, a, e->span);
    minus->number = a->number[0] == '-' ? a->number + 1 : arena_printf(s->arena, "-%s", a->number);
    return minus;
  }
  if (script_is_tensor(s, a) || (b && script_is_tensor(s, b))) {
    Expr *sum = copy_expr(s, e, e->span);
    sum->binary.left = a;
    sum->binary.right = b;
    return sum;
  }
  const Expr *wrong = a->kind != EXPR_INT ? a : b;
  if (wrong && wrong->kind != EXPR_INT) {
    diag_error(s->diag, wrong->span, "bad_arg", "'%s' is for integers%s; this is %s",
               operator_text(e->binary.op), plus ? ", strings and lists" : "", words(s, wrong));
    return NULL;
  }
  Expr *sum = copy_expr(s, e, e->span);
  int64_t n;
  sum->binary.left = a;
  sum->binary.right = b;
  return session_int(s->session, sum, &n) ? script_integer(s, n, e->span) : NULL;
}

static Expr *eval_compare(Script *s, const Expr *e) {
  Expr *c = copy_expr(s, e, e->span);
  c->compare.left = script_value(s, e->compare.left);
  c->compare.right = c->compare.left ? script_value(s, e->compare.right) : NULL;
  return c->compare.right ? c : NULL;
}

// A call of an operator or a graph, with evaluated arguments.
static Expr *eval_arguments(Script *s, const Expr *call) {
  Expr *c = copy_expr(s, call, call->span);
  c->call.arg = ARENA_ARRAY(s->arena, Arg, call->call.count);
  for (int i = 0; i < call->call.count; i++) {
    c->call.arg[i] = call->call.arg[i];
    c->call.arg[i].value = script_value(s, call->call.arg[i].value);
    if (!c->call.arg[i].value)
      return NULL;
  }
  return c;
}

static Expr *eval_call(Script *s, const Expr *e) {
  const ScriptFunction *function = script_function(e->call.callee);
  return function ? script_call(s, function, e, NULL) : eval_arguments(s, e);
}

// left |> stage; consecutive operators become one pipe.
static Expr *add_stage(Script *s, Expr *left, const Expr *stage) {
  const ScriptFunction *function = script_function(stage->call.callee);
  if (left == script_nothing) {
    diag_error(s->diag, stage->span, "arity", "the left of '|>' has no value");
    return NULL;
  }
  if (function)
    return script_call(s, function, stage, left);
  Expr *call = eval_arguments(s, stage);
  if (!call)
    return NULL;
  Expr *pipe = new_expr(s, EXPR_PIPE, span_join(left->span, stage->span));
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

static Expr *out_of_list(Script *s, const Expr *list, const Subscript *item, int count) {
  bool is_args = list->kind == EXPR_NAME && strcmp(list->name, "args") == 0;
  if (is_args)
    diag_error(s->diag, item->span, "bad_index",
               "the script takes more arguments: %d %s given, after its name", count,
               count == 1 ? "is" : "are");
  else
    diag_error(s->diag, item->span, "bad_index", "this index is outside a list of %d", count);
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
               words(s, value));
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
    return start < 0 || start >= count ? out_of_list(s, e->index.subject, item, count)
                                       : copy_expr(s, list->list.item[start], e->span);
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
  Expr *c = copy_expr(s, e, e->span);
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
    return copy_expr(s, e, e->span);
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
