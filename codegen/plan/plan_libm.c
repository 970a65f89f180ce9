// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a plan's kernel computes, and which functions of libm it calls: for activations in the chains of its nests,
// and for the operators of its passes.
#include "codegen/plan/plan.h"

#include "frontend/text/words.h"

#include <string.h>

bool plan_computes(const Plan *plan) {
  bool some = plan->graph->maps.count > 1 || plan->pass_count > 0 ||
              (plan->tape && plan->tape->function.count > 0);
  for (int v = 0; v < plan->graph->variant.count; v++)
    some = some || plan_computes(plan->variant[v]);
  return some;
}

static const char *libm_of(rsh_op op) {
  static const char *const functions[] = {
#define RSH_OP(id, name, in, max, args, rule, family, result, pieces, effect, libm, onnx, summary) \
  libm,
#include "runtime/ops.def"
#undef RSH_OP
  };
  return functions[op];
}

bool plan_is_libm(const char *function) {
  char name[16];
  size_t length = strlen(function);
  if (length >= sizeof name)
    return false;
  memcpy(name, function, length + 1);
  for (int i = 0; i < 2; i++) {
    for (int op = 0; op < RSH_OP_COUNT; op++)
      if (*name && has_word(libm_of((rsh_op)op), name))
        return true;
    if (length == 0 || name[length - 1] != 'f') // tanhf is tanh of a float; erf is erf
      return false;
    name[length - 1] = '\0';
  }
  return false;
}

// "exp log1p" of f32 adds "expf log1pf"; integers need no function.
static const char *with_functions(Arena *arena, const char *text, rsh_op op, rsh_dtype type) {
  const char *all = rsh_dtype_is_integer(type) ? "" : libm_of(op);
  while (*all) {
    int length = (int)strcspn(all, " ");
    const char *name = arena_printf(arena, "%.*s%s", length, all, type == RSH_F64 ? "" : "f");
    if (!has_word(text, name))
      text = arena_printf(arena, "%s%s%s", text, *text ? " " : "", name);
    all += length + (all[length] == ' ');
  }
  return text;
}

static const char *with_nests(Arena *arena, const Graph *graph, const char *text, const Nest *nest,
                              int count) {
  for (int i = 0; i < count; i++) {
    int steps;
    const rsh_step *step = graph_map_steps(arena, graph, nest_elements(&nest[i]).map, &steps);
    for (int k = 0; k < steps; k++)
      text = with_functions(arena, text, step[k].op, step[k].from);
  }
  return text;
}

const char *plan_libm(Arena *arena, const Plan *plan) {
  const char *text = "";
  for (int i = 0; i < plan->pass_count; i++) {
    const Pass *pass = &plan->pass[i];
    text = with_nests(arena, plan->graph, text, pass->nest, pass->nest_count);
    text = with_functions(arena, text, pass->value->node->call.op, pass->value->dtype);
  }
  for (int i = 0; i < plan->output_count; i++)
    text = with_nests(arena, plan->graph, text, plan->output[i].nest, plan->output[i].nest_count);
  for (int i = 0; i < plan->stage_count; i++)
    text = with_nests(arena, plan->graph, text, plan->stage[i].nest, plan->stage[i].nest_count);
  for (int i = 0; plan->tape && i < plan->tape->function.count; i++) {
    const rsh_step *step = &plan->tape->function.item[i];
    text = with_functions(arena, text, step->op, step->from);
  }
  return text;
}

// "expf and log1pf" of "expf log1pf".
static const char *with_and(Arena *arena, const char *names) {
  const char *space = strchr(names, ' ');
  return space ? arena_printf(arena, "%.*s and %s", (int)(space - names), names, space + 1) : names;
}

bool plan_refuse_libm(Arena *arena, const Plan *plan, const char *machine, Diag *diag) {
  const char *called = plan_libm(arena, plan);
  const Graph *graph = plan->graph;
  bool refused = false;
  for (int i = 0; i < graph->node.count; i++) {
    const Node *node = graph->node.item[i];
    const char *needs = with_functions(arena, "", node->call.op, node->call.in_type[0]);
    if (!*needs || !has_word(called, arena_text(arena, needs, strcspn(needs, " "))))
      continue; // needs no function, or its result is never used
    refused = true;
    diag_error(diag, node->span, "unsupported",
               "'%s' needs %s from libm, but code for '%s' must not need a library: give --libm if "
               "the program has a libm",
               rsh_op_name(node->call.op), with_and(arena, needs), machine);
  }
  return refused;
}
