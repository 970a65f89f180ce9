// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that take sizes, as C: their checks are code (codegen/code/code_entry.c), and the work is done by a function
// of its own, which takes sizes as size_t.
//
//   rsh_status heads(int64_t B, int64_t S, const uint16_t *restrict x, uint16_t *restrict y) {
//     if (B < 0 || S < 0) {
//       return RSH_bad_dim;
//     }
//     ...
//     heads_kernel((size_t)B, (size_t)S, x, y);
//     return RSH_ok;
//   }
#include "codegen/c/c_internal.h"

static const char *leave_work(CKernel *k, const CVariant *variant) {
  return arena_printf(k->file->arena, "%s(%s)", variant->work, c_arguments(k, "", false));
}

// A task calls the same task of the variant; where the variant is not divided, task 0 does its work.
static const char *leave_task(CKernel *k, const CVariant *variant) {
  if (!variant->task)
    return arena_printf(k->file->arena, "task != 0 ? RSH_ok : %s", leave_work(k, variant));
  return arena_printf(k->file->arena, "%s(task, %s)", variant->task, c_arguments(k, "", false));
}

// The checks. Returns the arguments for the function that does the work; NULL for NAME_shape, which does none.
static const char *put_checks(CKernel *k, CodeRole role, bool is_variant, const CVariant *variant,
                              bool is_task) {
  const Code *code = code_entry(k->file->arena, k->plan, role, is_variant, k->file->machine.word);
  const char *places = c_put_code(k, code,
                                  (CLeaves){.variant = variant,
                                            .leave = is_task ? leave_task : leave_work,
                                            .keeps_sizes = role == CODE_WORK});
  if (role != CODE_WORK)
    return NULL;
  return arena_printf(k->file->arena, "%s%s", c_arguments(k, "(size_t)", false), places);
}

// Where the work itself has something to check.
static void put_checked(CKernel *k, const char *kernel, const char *given) {
  const char *status = name_unique(&k->locals, "status");
  c_line(k, "const rsh_status %s = %s(%s);", status, kernel, given);
  c_open(k, "if (%s != RSH_ok)", status);
  c_line(k, "return %s;", status);
  c_close(k);
}

static void put_text(CKernel *k, const char *prototype) {
  c_line(k, "return RSH_ok;");
  c_put(&k->file->body, "\n%s {\n", prototype);
  c_body_end(k, k->signature->parameter.count);
}

// NAME_tasks and NAME_task; of a variant they are static.
static void put_tasks(const CKernel *kernel, const char *name, bool is_variant,
                      const CVariant *variant, TaskNames names) {
  const char *linkage = is_variant ? "static " : "";
  CKernel k = c_kernel_begin(kernel->file, kernel->plan, kernel->signature, names.task);
  const char *part = c_put_part(kernel, variant, names, linkage);
  if (!part) {
    c_put_only_task(&k, name, names);
    return;
  }
  const char *given = put_checks(&k, CODE_WORK, is_variant, variant, true);
  c_line(&k, "%s((size_t)task, %s);", part, given);
  put_text(&k, arena_printf(k.file->arena, "%s%s", linkage, c_task_prototype(&k, names.task)));
}

static bool is_divided(CFile *file, const Plan *plan) {
  int64_t tasks;
  return plan_split(file->arena, plan, &tasks) != NULL;
}

static void put_function(CFile *file, const Plan *plan, const char *name, const char *shape,
                         bool is_variant, const TaskNames *task);

// `has_tasks`: those of the graph call those of the variant.
static CVariant put_variant(CFile *file, const Plan *plan, const char *name, bool has_tasks) {
  CVariant variant = {.work = name_unique(&file->names, name)};
  TaskNames task = {.count = NULL};
  if (has_tasks && is_divided(file, plan)) {
    variant.count = name_unique(&file->names, arena_printf(file->arena, "%s_tasks", variant.work));
    variant.task = name_unique(&file->names, arena_printf(file->arena, "%s_task", variant.work));
    task = (TaskNames){.count = variant.count, .task = variant.task};
  }
  put_function(file, plan, variant.work, NULL, true, variant.task ? &task : NULL);
  return variant;
}

// NAME or NAME_shape, after the functions of the graph's variants.
static void put_function(CFile *file, const Plan *plan, const char *name, const char *shape,
                         bool is_variant, const TaskNames *task) {
  const Signature *s = shape ? &plan->shape_signature : &plan->signature;
  const Graph *graph = plan->graph;
  CVariant *variant = ARENA_ARRAY(file->arena, CVariant, graph->variant.count + 1);
  bool has_tasks = task && is_divided(file, plan);
  for (int i = 0; i < graph->variant.count && !shape; i++)
    variant[i] = put_variant(file, plan->variant[i],
                             arena_printf(file->arena, "%s_variant_%d", name, i), has_tasks);
  CKernel kernel = {.name = NULL};
  if (!shape)
    kernel = c_put_kernel(file, plan, name);
  CKernel k = c_kernel_begin(file, plan, s, name);
  const char *given = put_checks(&k, shape ? CODE_SHAPE : CODE_WORK, is_variant, variant, false);
  if (!shape && plan_checks_late(plan))
    put_checked(&k, kernel.name, given);
  else if (!shape)
    c_line(&k, "%s(%s);", kernel.name, given);
  const char *function = shape ? shape : name;
  const char *prototype = c_prototype(file->arena, plan, s, function, k.parameter, "restrict ");
  put_text(&k, is_variant ? arena_printf(file->arena, "static %s", prototype) : prototype);
  if (task)
    put_tasks(&kernel, name, is_variant, variant, *task);
}

void c_put_entry(CFile *file, const Plan *plan, const char *name, const char *shape,
                 const TaskNames *task) {
  file->needs_statuses = true;
  put_function(file, plan, name, NULL, false, task);
  put_function(file, plan, name, shape, false, NULL);
}
