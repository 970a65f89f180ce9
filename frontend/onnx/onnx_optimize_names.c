// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names in all graphs of a model, its values by name, and their names in the new model.
#include "frontend/onnx/onnx_optimize_internal.h"

#include <string.h>

// ---- Names of all graphs

static GivenName *given_add(Arena *arena, GivenName **names, const char *text) {
  GivenName *found = NULL;
  if (!*text)
    return NULL;
  HASH_FIND_STR(*names, text, found);
  if (found) {
    found->count++;
    return found;
  }
  found = ARENA_NEW(arena, GivenName);
  *found = (GivenName){.text = text, .count = 1};
  HASH_ADD_KEYPTR(hh, *names, found->text, strlen(found->text), found);
  return found;
}

static int given_count(const GivenName *names, const char *text) {
  const GivenName *found = NULL;
  HASH_FIND_STR(names, text, found);
  return found ? found->count : 0;
}

void optimize_collect_names(Arena *arena, GivenName **names, const Onnx__GraphProto *graph) {
  for (size_t i = 0; i < graph->n_input; i++)
    (void)given_add(arena, names, graph->input[i]->name);
  for (size_t i = 0; i < graph->n_initializer; i++)
    (void)given_add(arena, names, graph->initializer[i]->name);
  for (size_t i = 0; i < graph->n_node; i++) {
    const Onnx__NodeProto *node = graph->node[i];
    for (size_t k = 0; k < node->n_output; k++)
      (void)given_add(arena, names, node->output[k]);
    const Onnx__GraphProto *body;
    for (BodyPlace at = {0}; (body = onnx_next_body(node, &at));)
      optimize_collect_names(arena, names, body);
  }
}

bool optimize_is_unique(const Optimizer *o, const char *name) {
  return given_count(*o->names, name) < 2;
}

const char *optimize_new_name(Optimizer *o, const char *base, const char *what) {
  const char *name = arena_printf(o->arena, "%s/%s", base, what);
  for (int number = 2; given_count(*o->names, name) > 0; number++)
    name = arena_printf(o->arena, "%s/%s_%d", base, what, number);
  (void)given_add(o->arena, o->names, name);
  return name;
}

// ---- Values

Var *optimize_var(const Optimizer *o, const char *name) {
  Var *var = NULL;
  if (name && *name)
    HASH_FIND_STR(o->vars, name, var);
  return var;
}

const rsh_shape *optimize_shape(const Optimizer *o, const char *name) {
  const Var *var = optimize_var(o, name);
  return var ? var->shape : NULL;
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
  if (!var->is_result || var->is_seen || is_initializer || from->is_sparse || from->is_outer)
    return false;
  from->renamed = var->name;
  from->is_outer = true;
  var->same = from;
  return true;
}
