// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of a model by their names, and the names that they have in the new one.
#include "frontend/onnx/onnx_optimize_internal.h"

#include <string.h>

Var *optimize_var(const Optimizer *o, const char *name) {
  Var *var = NULL;
  if (name && *name)
    HASH_FIND_STR(o->vars, name, var);
  return var;
}

Var *optimize_origin(Var *var) {
  while (var->same)
    var = var->same;
  return var;
}

const char *optimize_name(Var *var) {
  var = optimize_origin(var);
  return var->renamed ? var->renamed : var->name;
}

bool optimize_is_read_elsewhere(const Var *var) {
  return var->same || var->constant || var->is_lifted;
}

const char *optimize_output_name(Optimizer *o, Var *var) {
  bool is_initializer = (var->constant || var->is_lifted) && (var->is_wanted || var->is_outer);
  bool is_taken = is_initializer || (var->same && strcmp(optimize_name(var), var->name) == 0);
  if (!optimize_is_read_elsewhere(var))
    return optimize_name(var);
  return is_taken ? optimize_new_name(o, var->name, "unused") : var->name;
}

bool optimize_is_fixed(const Var *var) {
  while (var->outer)
    var = var->outer;
  return var->constant || var->is_lifted || (var->maker < 0 && var->initializer >= 0);
}

bool optimize_unite(Var *var, Var *from) {
  from = optimize_origin(from);
  if (var->is_weight && optimize_is_fixed(from))
    return false;
  if (!var->is_outer) {
    var->same = from;
    return true;
  }
  bool is_initializer = from->maker < 0 || from->constant || from->is_lifted;
  if (!var->is_result || var->is_seen || is_initializer || from->is_outer || from->renamed)
    return false;
  from->renamed = var->name;
  from->is_outer = true;
  var->same = from;
  return true;
}
