// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of scripts: literals, and tensors under hidden names.
#include "driver/script/script.h"

#include "frontend/text/text_out.h"

#include <inttypes.h>
#include <string.h>

static Expr nothing = {.kind = EXPR_TUPLE};
Expr *const script_nothing = &nothing;

// ---- literals ----

Expr *script_new(Script *s, ExprKind kind, Span span) {
  Expr *e = ARENA_NEW(s->arena, Expr);
  s->made += sizeof *e;
  e->kind = kind;
  e->depth = 1;
  e->span = span;
  return e;
}

Expr *script_copy(Script *s, const Expr *e, Span span) {
  Expr *c = script_new(s, e->kind, span);
  *c = *e;
  c->span = span;
  return c;
}

Expr *script_integer(Script *s, int64_t n, Span span) {
  Expr *e = script_new(s, EXPR_INT, span);
  e->integer = n;
  return e;
}

static Expr *name(Script *s, const char *text, Span span) {
  Expr *e = script_new(s, EXPR_NAME, span);
  e->name = text;
  return e;
}

Expr *script_truth(Script *s, bool truth, Span span) {
  return name(s, truth ? "true" : "false", span);
}

// One list may be in another twice, so a few statements make lists that are too large to visit.
Expr *script_list(Script *s, Expr **item, int count, Span span) {
  Expr *e = script_new(s, EXPR_LIST, span);
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
  Expr *e = script_new(s, EXPR_STRING, span);
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
  case EXPR_NAME:
    return session_find(s->session, e->name) != NULL;
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
  return false;
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
  case EXPR_UNKNOWN:
  case EXPR_STAR:
  case EXPR_NEGATE:
  case EXPR_INVERT:
  case EXPR_BINARY:
  case EXPR_CALL:
  case EXPR_PIPE:
  case EXPR_INDEX:
  case EXPR_COMPARE:
    fputs("a tensor", out);
    return;
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

const char *script_kind(const Script *s, const Expr *e) {
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
  case EXPR_NAME:
  case EXPR_UNKNOWN:
  case EXPR_STAR:
  case EXPR_NEGATE:
  case EXPR_INVERT:
  case EXPR_BINARY:
  case EXPR_CALL:
  case EXPR_PIPE:
  case EXPR_INDEX:
  case EXPR_COMPARE:
    break;
  }
  return "a name";
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
               comparison_text(kind), script_kind(s, wrong));
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
