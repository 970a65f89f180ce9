// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the functions of scripts share: their arguments, the tensors that they create, operators that they apply.
#include "driver/script/script_call.h"

#include <string.h>

// f32[2, 3], unless a tensor has the name of the type.
static bool is_type(const Script *s, const Expr *e) {
  const Expr *name = e->kind == EXPR_INDEX ? e->index.subject : NULL;
  return name && name->kind == EXPR_NAME && !session_find(s->session, name->name) &&
         rsh_dtype_find(name->name, strlen(name->name)) != RSH_DTYPE_NONE;
}

Expr *script_refuse(const ScriptCall *c, const Expr *at, const char *wanted) {
  Script *s = c->script;
  const char *found = is_type(s, at)             ? "a type with sizes"
                      : script_is_tensor(s, at)  ? "a tensor"
                      : at->kind == EXPR_COMPARE ? "a comparison"
                                                 : script_text(s, at);
  return script_refuse_as(c, at, wanted, found);
}

Expr *script_refuse_as(const ScriptCall *c, const Expr *at, const char *wanted, const char *found) {
  diag_error(c->script->diag, at->span, "bad_arg", "'%s' takes %s here; this is %s; usage: %s",
             c->function->name, wanted, found, c->function->shown);
  return NULL;
}

Value *script_tensor(const ScriptCall *c, const Expr *e) {
  if (script_is_tensor(c->script, e) || e->kind == EXPR_NAME) // an unknown name is reported
    return session_value(c->script->session, e);
  script_refuse(c, e, "a tensor");
  return NULL;
}

rsh_dtype script_type_argument(const ScriptCall *c, rsh_dtype otherwise) {
  if (c->count < 2)
    return otherwise;
  const Expr *e = c->arg[1];
  rsh_dtype type = e->kind == EXPR_NAME ? rsh_dtype_find(e->name, strlen(e->name)) : RSH_DTYPE_NONE;
  if (type == RSH_DTYPE_NONE)
    script_refuse(c, e,
                  e->kind == EXPR_STRING ? "an element type without quotes" : "an element type");
  return type;
}

Expr *script_add_tensor(const ScriptCall *c, Loaded *loaded, const char *name, Span span) {
  Script *s = c->script;
  rsh_shape shape = {.rank = loaded->array.rank};
  for (int i = 0; i < shape.rank; i++)
    shape.dim[i] = rsh_int(loaded->array.dim[i]);
  Value *value = session_input(s->session, name, loaded->array.dtype, &shape, span);
  loaded->value = value;
  VEC_PUSH(s->arena, s->loaded, *loaded);
  return script_hide(s, value, c->span);
}

Value *script_apply(const ScriptCall *c, const char *op, Value *value, Expr *a, Expr *b) {
  Script *s = c->script;
  Expr *x = script_hide(s, value, c->span);
  Expr call = {.kind = EXPR_CALL, .depth = 2, .span = c->span};
  Arg arg[3] = {{.value = x}, {.value = a}, {.value = b}};
  call.call.callee = op;
  call.call.callee_span = c->span;
  call.call.arg = arg;
  call.call.count = b ? 3 : 2;
  return session_value(s->session, &call);
}

Value *script_convert(const ScriptCall *c, Value *value, rsh_dtype type) {
  Expr name = {.kind = EXPR_NAME, .depth = 1, .span = c->span};
  name.name = rsh_dtype_name(type);
  return script_apply(c, "cast", value, &name, NULL);
}

bool script_take_stdout(const ScriptCall *c, bool *mine, bool other) {
  if (other)
    diag_error(c->script->diag, c->span, "bad_file",
               "standard output cannot take both an array and the output of 'print'");
  *mine = true;
  return !other;
}
