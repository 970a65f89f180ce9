// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of the C header that --parallel adds: tasks, and a function that runs all of them, on the threads of
// OpenMP or by a function of the program.
#include "codegen/header/header_internal.h"
#include "codegen/plan/split.h"

#include <inttypes.h>

const char *header_prototype(Header *h, const Plan *plan, const Signature *signature,
                             const char *function) {
  return c_prototype(h->arena, plan, signature, function,
                     c_parameter_names(h->arena, plan->graph, signature), "RSH_RESTRICT ");
}

// A name that no parameter of the graph has: rsh_i, or rsh_i_2.
static const char *free_name(Header *h, const Plan *plan, const char *name) {
  NameSet set = {.arena = h->arena};
  const char **parameter = c_parameter_names(h->arena, plan->graph, &plan->signature);
  for (int i = 0; i < plan->signature.parameter.count; i++)
    name_unique(&set, parameter[i]);
  return name_unique(&set, name);
}

// heads_tasks(B, S), or with a type, heads_tasks(int64_t B, int64_t S)
static void put_task_count(Header *h, const Plan *plan, const GraphNames *name, const char *type) {
  const char **parameter = c_parameter_names(h->arena, plan->graph, &plan->signature);
  int sizes = header_size_count(plan);
  put(h, "%s(", name->entry[ENTRY_TASK_COUNT]);
  for (int i = 0; i < sizes; i++)
    put(h, "%s%s%s", i ? ", " : "", type, parameter[i]);
  put(h, "%s)", *type && sizes == 0 ? "void" : "");
}

// A loop over the tasks, which OpenMP distributes to its threads.
static void put_openmp(Header *h, const Plan *plan, const GraphNames *name) {
  const char **parameter = c_parameter_names(h->arena, plan->graph, &plan->signature);
  const char *task = free_name(h, plan, "rsh_i"), *count = free_name(h, plan, "rsh_n"),
             *all = free_name(h, plan, "rsh_all");
  bool has_status = plan->signature.returns_status;
  put(h, "#ifdef _OPENMP\nstatic inline %s {\n",
      header_prototype(h, plan, &plan->signature, name->parallel));
  put(h, "  const int32_t %s = ", count);
  put_task_count(h, plan, name, "");
  put(h, ";\n  int32_t %s;\n", task);
  if (has_status)
    put(h, "  rsh_status %s[%d];\n", all, MOST_TASKS);
  put(h,
      "#pragma omp parallel for schedule(dynamic)\n"
      "  for (%s = 0; %s < %s; %s++)\n    ",
      task, task, count, task);
  if (has_status)
    put(h, "%s[%s] = ", all, task);
  put(h, "%s(%s", name->entry[ENTRY_TASK], task);
  for (int i = 0; i < plan->signature.parameter.count; i++)
    put(h, ", %s", parameter[i]);
  put(h, ");\n");
  if (has_status)
    put(h, "  return %s[0];\n", all);
  put(h, "}\n#endif\n");
}

// The arguments of a call, kept for the tasks.
static void put_call_type(Header *h, const Plan *plan, const char *type, const char *all) {
  const Signature *s = &plan->signature;
  const char **parameter = c_parameter_names(h->arena, plan->graph, s);
  put(h, "struct %s {\n", type);
  for (int i = 0; i < s->parameter.count; i++)
    put(h, "  %s%s;\n", c_parameter_type(h->arena, plan, s->parameter.item[i], ""), parameter[i]);
  if (s->returns_status)
    put(h, "  rsh_status %s[%d];\n", all, MOST_TASKS);
  put(h, "};\n");
}

// One task, as rsh_parallel_for calls it.
static void put_body(Header *h, const Plan *plan, const GraphNames *name, const char *type,
                     const char *body, const char *all) {
  const Signature *s = &plan->signature;
  const char **parameter = c_parameter_names(h->arena, plan->graph, s);
  put(h, "static inline void %s(int32_t task, void *context) {\n", body);
  put(h, "  struct %s *call = (struct %s *)context;\n  ", type, type);
  if (s->returns_status)
    put(h, "call->%s[task] = ", all);
  put(h, "%s(task", name->entry[ENTRY_TASK]);
  for (int i = 0; i < s->parameter.count; i++)
    put(h, ", call->%s", parameter[i]);
  put(h, ");\n}\n");
}

static void put_hooked(Header *h, const Plan *plan, const GraphNames *name) {
  const Signature *s = &plan->signature;
  const char **parameter = c_parameter_names(h->arena, plan->graph, s);
  const char *type = name_unique(&h->functions, arena_printf(h->arena, "%s_call", name->parallel));
  const char *body = name_unique(&h->functions, arena_printf(h->arena, "%s_body", name->parallel));
  const char *all = free_name(h, plan, "rsh_all"), *call = free_name(h, plan, "rsh_call");
  put_call_type(h, plan, type, all);
  put_body(h, plan, name, type, body, all);
  put(h, "static inline %s {\n  struct %s %s;\n", header_prototype(h, plan, s, name->parallel),
      type, call);
  for (int i = 0; i < s->parameter.count; i++)
    put(h, "  %s.%s = %s;\n", call, parameter[i], parameter[i]);
  put(h, "  rsh_parallel_for(");
  put_task_count(h, plan, name, "");
  put(h, ", %s, &%s);\n", body, call);
  if (s->returns_status)
    put(h, "  return %s.%s[0];\n", call, all);
  put(h, "}\n");
}

void header_put_hook(Header *h) {
  put(h, "\n#ifndef RSH_PARALLEL_FOR\n#define RSH_PARALLEL_FOR\n"
         "/*\n * The program defines this function. It calls body(i, context) once for each i from "
         "0 to\n * count - 1 (count is at least 1), on any threads and in any order, and returns "
         "after all calls.\n */\n"
         "void rsh_parallel_for(int32_t count, void (*body)(int32_t i, void *context), void "
         "*context);\n#endif\n");
}

void header_put_tasks(Header *h, const Plan *plan, const GraphNames *name) {
  int64_t tasks;
  plan_split(h->arena, plan, &tasks);
  const char *index = free_name(h, plan, "rsh_i"), *task = name->entry[ENTRY_TASK],
             *count = name->entry[ENTRY_TASK_COUNT];
  const char *which = tasks == 1 ? arena_printf(h->arena, "%s = 0", index)
                      : tasks > 0
                          ? arena_printf(h->arena, "each %s from 0 to %" PRId64, index, tasks - 1)
                          : arena_printf(h->arena, "each %s below %s", index, count);
  put(h,
      "\n/*\n * The same, divided into tasks, which may run concurrently and in any order: %s "
      "for\n"
      " * %s does what %s does%s. Two tasks never write to the same\n"
      " * 64 bytes of an output that is aligned to 64 bytes. %s%s runs all of them.\n "
      "*/\n",
      task, which, name->entry[ENTRY_WHOLE],
      plan->signature.returns_status ? " and returns the same status" : "",
      h->hook ? "" : "With OpenMP, ", name->parallel);
  put(h, "int32_t ");
  put_task_count(h, plan, name, "int64_t ");
  const char *prototype = header_prototype(h, plan, &plan->signature, task);
  put(h, ";\n%s;\n", c_prototype_of_task(h->arena, prototype, index));
  (h->hook ? put_hooked : put_openmp)(h, plan, name);
}
