// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of a model by their names, and the names that they have in the new one.
#include "frontend/onnx/onnx_optimize_internal.h"

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
