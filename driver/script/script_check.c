// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Before a script does anything: whether what its statements name is there. A misspelled name on the last
// line is found before the first has written a file. The rest depends on the data.
#include "driver/script/script.h"

#include <string.h>

enum { MOST_HINTS = 20, MOST_NAMES = 1024 };

typedef struct Checker {
  Script *script;
  Variable *known; // names that statements so far have given values
  int hints;       // made so far: each looks at all names
} Checker;

static void add(Checker *c, const char *name) {
  Variable *variable;
  HASH_FIND_STR(c->known, name, variable);
  if (variable)
    return;
  variable = ARENA_NEW(c->script->arena, Variable);
  variable->name = name;
  HASH_ADD_KEYPTR(hh, c->known, variable->name, strlen(variable->name), variable);
}

static const char *hint(Checker *c, const char *name, const char *const *among, int count) {
  const char *nearest = c->hints++ < MOST_HINTS ? diag_nearest(name, among, count) : NULL;
  return nearest ? arena_printf(c->script->arena, "; did you mean '%s'?", nearest) : "";
}

static bool is_word(const char *name) {
  static const char *const words[] = {"true", "false", "True", "False", "None", "inf", "nan"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(words[i], name) == 0)
      return true;
  return rsh_dtype_find(name, strlen(name)) != RSH_DTYPE_NONE;
}

static void check_name(Checker *c, const Expr *e) {
  Variable *variable;
  HASH_FIND_STR(c->known, e->name, variable);
  if (variable || is_word(e->name))
    return;
  const char *among[MOST_NAMES];
  int count = 0;
  for (variable = c->known; variable && count < MOST_NAMES; variable = variable->hh.next)
    among[count++] = variable->name;
  diag_error(c->script->diag, e->span, "unknown_name", "nothing is called '%s' here%s", e->name,
             hint(c, e->name, among, count));
}

static void check_callee(Checker *c, const Expr *e) {
  const char *name = e->call.callee;
  if (script_function(name) || session_can_call(c->script->session, name))
    return;
  const char *among[MOST_NAMES];
  int count = script_functions(among, MOST_NAMES);
  count += session_callables(c->script->session, among + count, MOST_NAMES - count);
  diag_error(c->script->diag, e->call.callee_span, "unknown_name",
             "no operator, graph or function is called '%s'%s", name, hint(c, name, among, count));
}

static void check_expr(Checker *c, const Expr *e);

static void check_list(Checker *c, Expr *const *item, int count) {
  for (int i = 0; i < count; i++)
    check_expr(c, item[i]);
}

static void check_expr(Checker *c, const Expr *e) {
  if (!e)
    return;
  switch (e->kind) {
  case EXPR_INT:
  case EXPR_FLOAT:
  case EXPR_STRING:
  case EXPR_UNKNOWN:
  case EXPR_STAR:
    break;
  case EXPR_NAME:
    check_name(c, e);
    break;
  case EXPR_LIST:
  case EXPR_TUPLE:
    check_list(c, e->list.item, e->list.count);
    break;
  case EXPR_NEGATE:
  case EXPR_INVERT:
  case EXPR_BINARY:
    check_expr(c, e->binary.left);
    check_expr(c, e->binary.right);
    break;
  case EXPR_CALL:
    check_callee(c, e);
    for (int i = 0; i < e->call.count; i++)
      check_expr(c, e->call.arg[i].value);
    break;
  case EXPR_PIPE:
    check_expr(c, e->pipe.first);
    check_list(c, e->pipe.stage, e->pipe.count);
    break;
  case EXPR_INDEX:
    check_expr(c, e->index.subject);
    for (int i = 0; i < e->index.count; i++) {
      check_expr(c, e->index.item[i].start);
      check_expr(c, e->index.item[i].stop);
      check_expr(c, e->index.item[i].step);
    }
    break;
  case EXPR_COMPARE:
    check_expr(c, e->compare.left);
    check_expr(c, e->compare.right);
    break;
  }
}

void script_check(Script *s, const Ast *ast) {
  Checker c = {.script = s};
  for (const Variable *v = s->variables; v; v = v->hh.next)
    add(&c, v->name);
  const char *tensor[MOST_NAMES];
  int tensors = session_names(s->session, tensor, MOST_NAMES);
  for (int i = 0; i < tensors; i++)
    add(&c, tensor[i]);
  for (int i = 0; i < ast->statement_count; i++) {
    const Statement *statement = &ast->statement[i];
    check_expr(&c, statement->value);
    for (int k = 0; k < statement->target_count; k++)
      add(&c, statement->target[k].name);
  }
  HASH_CLEAR(hh, c.known);
}
