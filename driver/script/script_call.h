// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of scripts (functions.def), by file, and what they share.
#ifndef DRIVER_SCRIPT_CALL_H
#define DRIVER_SCRIPT_CALL_H

#include "driver/script/script.h"

typedef struct ScriptCall {
  Script *script;
  const ScriptFunction *function;
  Span span;
  Expr **arg; // evaluated
  int count;
} ScriptCall;

// Each returns the value of the call, script_nothing if it has none, and NULL if an error was reported.

// ---- script_files.c
Expr *script_load(const ScriptCall *c);
Expr *script_save(const ScriptCall *c);
Expr *script_glob(const ScriptCall *c);
Expr *script_names(const ScriptCall *c);
Expr *script_basename(const ScriptCall *c);
Expr *script_stem(const ScriptCall *c);

// ---- script_print.c
Expr *script_show(const ScriptCall *c); // print
// "f32[2, 3]".
const char *script_type(Script *s, const Value *value);
Expr *script_assert(const ScriptCall *c);

// ---- script_arguments.c
// Reports that a function takes `wanted` here. Returns NULL.
Expr *script_refuse(const ScriptCall *c, const Expr *at, const char *wanted);
Expr *script_refuse_as(const ScriptCall *c, const Expr *at, const char *wanted, const char *found);
// NULL: it is not a tensor, which is reported.
Value *script_tensor(const ScriptCall *c, const Expr *e);
// The element type that the second argument names; `otherwise` if it is missing. RSH_DTYPE_NONE: reported.
rsh_dtype script_type_argument(const ScriptCall *c, rsh_dtype otherwise);
// Creates a tensor for an array in memory; messages call it `name`.
Expr *script_add_tensor(const ScriptCall *c, Loaded *loaded, const char *name, Span span);
// Calls an operator on behalf of the script: gather(x, [0, 1, 2, 7, 8, 9], 1). b may be NULL. NULL: reported.
Value *script_apply(const ScriptCall *c, const char *op, Value *value, Expr *a, Expr *b);
// Converts the elements of a tensor.
Value *script_convert(const ScriptCall *c, Value *value, rsh_dtype type);
// Notes that standard output takes text or an array, which is `mine`. False: it takes the other, which is reported.
bool script_take_stdout(const ScriptCall *c, bool *mine, bool other);

#endif
