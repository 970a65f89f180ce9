// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Before a script runs: checks that the names in its statements are defined. A misspelled name on the last line is
// found before the first line writes a file. Other errors depend on the data.
#include "driver/script/script.h"
#include "frontend/text/words.h"

#include <string.h>

enum { MOST_HINTS = 20, MOST_NAMES = 1024 };

typedef struct Checker {
  Script *script;
  Variable *known; // names assigned so far
  int hints;       // given so far: each one searches all names
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

bool script_is_word(const char *name) {
  return has_word("true false True False None newaxis inf nan", name) ||
         rsh_dtype_find(name, strlen(name)) != RSH_DTYPE_NONE;
}

static void check_name(Checker *c, const Expr *e) {
  Variable *variable;
  HASH_FIND_STR(c->known, e->name, variable);
  if (variable || script_is_word(e->name))
    return;
  const char *among[MOST_NAMES], *dtype = dtype_of_others(c->script->arena, e->name);
  int count = 0;
  if (dtype) {
    diag_error(c->script->diag, e->span, "unknown_name",
               "nothing is called '%s' here; did you mean '%s'?", e->name, dtype);
    return;
  }
  for (variable = c->known; variable && count < MOST_NAMES; variable = variable->hh.next)
    among[count++] = variable->name;
  const char *near = hint(c, e->name, among, count);
  if (c->script->options->text && !*near)
    near = arena_printf(c->script->arena, "; if it is in a file, add '%s=FILE'", e->name);
  diag_error(c->script->diag, e->span, "unknown_name", "nothing is called '%s' here%s", e->name,
             near);
}

// x of a call x.reshape(...), or NULL if the name has no dot.
static const char *subject_of(Arena *arena, const char *callee) {
  const char *dot = strrchr(callee, '.');
  return dot ? arena_text(arena, callee, (size_t)(dot - callee)) : NULL;
}

static bool can_call(const Checker *c, const char *name) {
  return script_function(name) || session_can_call(c->script->session, name);
}

// x.reshape(...), with a value x: to be written reshape(x, ...).
static void refuse_method(Checker *c, const Expr *e, const char *subject) {
  Arena *arena = c->script->arena;
  const char *method = e->call.callee + strlen(subject) + 1;
  diag_error(c->script->diag, e->call.callee_span, "unknown_name",
             "'%s' is a value, which has no methods%s", subject,
             can_call(c, method) ? arena_printf(arena, "; write '%s(%s, ...)'", method, subject)
                                 : hint_of_others(arena, method));
}

static void check_callee(Checker *c, const Expr *e) {
  const char *name = e->call.callee, *subject = subject_of(c->script->arena, name);
  if (can_call(c, name))
    return;
  Variable *variable = NULL;
  if (subject)
    HASH_FIND_STR(c->known, subject, variable);
  if (variable) {
    refuse_method(c, e, subject);
    return;
  }
  const char *among[MOST_NAMES];
  const char *known = hint_of_others(c->script->arena, subject ? strrchr(name, '.') + 1 : name);
  int count = script_functions(among, MOST_NAMES);
  count += session_callables(c->script->session, among + count, MOST_NAMES - count);
  if (subject && can_call(c, strrchr(name, '.') + 1)) // np.load
    known = arena_printf(c->script->arena, "; did you mean '%s'?", strrchr(name, '.') + 1);
  diag_error(c->script->diag, e->call.callee_span, "unknown_name",
             "no operator, graph or function is called '%s'%s", name,
             *known ? known : hint(c, name, among, count));
}

static void check_one(void *of, const Expr *e) {
  if (e->kind == EXPR_NAME)
    check_name(of, e);
  else if (e->kind == EXPR_CALL)
    check_callee(of, e);
}

typedef struct Wanted {
  const char *name;
  bool is_found;
} Wanted;

static void compare_one(void *of, const Expr *e) {
  Wanted *w = of;
  const char *callee = e->kind == EXPR_CALL ? e->call.callee : NULL;
  size_t length = strlen(w->name);
  // x.reshape(...) is an error that says what to write, so x counts as used.
  bool is_subject = callee && strncmp(callee, w->name, length) == 0 && callee[length] == '.';
  w->is_found =
      w->is_found || is_subject || (e->kind == EXPR_NAME && strcmp(e->name, w->name) == 0);
}

static void find_use(const Statement *statement, int count, Wanted *wanted) {
  for (int i = 0; i < count; i++) {
    expr_visit(statement[i].value, compare_one, wanted);
    find_use(statement[i].body, statement[i].body_count, wanted);
  }
}

bool script_uses(const Ast *ast, const char *name) {
  Wanted wanted = {.name = name};
  find_use(ast->statement, ast->statement_count, &wanted);
  return wanted.is_found;
}

// Names that are first assigned in a loop are only known in it: they are the newest in the table.
static void check_statements(Checker *c, const Statement *statement, int count) {
  for (int i = 0; i < count; i++) {
    unsigned before = HASH_COUNT(c->known);
    expr_visit(statement[i].value, check_one, c);
    for (int k = 0; k < statement[i].target_count; k++)
      add(c, statement[i].target[k].name);
    check_statements(c, statement[i].body, statement[i].body_count);
    while (statement[i].is_loop && HASH_COUNT(c->known) > before) {
      Variable *last = ELMT_FROM_HH(c->known->hh.tbl, c->known->hh.tbl->tail);
      HASH_DEL(c->known, last);
    }
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
  check_statements(&c, ast->statement, ast->statement_count);
  HASH_CLEAR(hh, c.known);
}
