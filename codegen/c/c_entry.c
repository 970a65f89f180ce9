// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that take sizes, as C: they check their arguments (codegen/code/code_entry.c) and call the kernel, which
// takes sizes as size_t.
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

// Writes the checks. Returns the arguments for the kernel; NULL for NAME_shape, which has none.
static const char *put_checks(CKernel *k, CodeRole role, bool is_variant, const CVariant *variant) {
  CLeaves leaves = {
      .variant = variant, .argument = "(size_t)task", .keeps_sizes = role != CODE_SHAPE};
  const char *places = c_put_code(
      k, code_entry(k->file->arena, k->plan, role, is_variant, k->file->machine.word), leaves);
  if (role == CODE_SHAPE)
    return NULL;
  return arena_printf(k->file->arena, "%s%s", c_arguments(k, "(size_t)", false), places);
}

static void put_text(CKernel *k, const char *prototype) {
  c_line(k, "return RSH_ok;");
  c_put(&k->file->body, "\n%s {\n", prototype);
  c_body_end(k, k->signature->parameter.count);
}

// NAME_tasks and NAME_task; static for a variant.
static void put_tasks(const CKernel *kernel, const char *name, bool is_variant,
                      const CVariant *variant, TaskNames names) {
  const char *linkage = is_variant ? "static " : "";
  CKernel k = c_kernel_begin(kernel->file, kernel->plan, kernel->signature, names.task);
  const char *part = c_put_part(kernel, variant, names, linkage);
  if (!part) {
    c_put_only_task(&k, name, names);
    return;
  }
  const char *given = put_checks(&k, CODE_TASK, is_variant, variant);
  c_line(&k, "%s((size_t)task, %s);", part, given);
  put_text(&k, arena_printf(k.file->arena, "%s%s", linkage, c_task_prototype(&k, names.task)));
}

static bool is_divided(CFile *file, const Plan *plan) {
  int64_t tasks;
  return plan_split(file->arena, plan, &tasks) != NULL;
}

static void put_function(CFile *file, const Plan *plan, const char *name, const char *shape,
                         bool is_variant, const TaskNames *task);

// `has_tasks`: the graph's task functions call those of the variant.
static CVariant put_entry_variant(CFile *file, const Plan *plan, const char *name, bool has_tasks) {
  CVariant variant = {.name[CODE_WORK] = name_unique(&file->names, name)};
  const char *work = variant.name[CODE_WORK];
  bool is_split = has_tasks && is_divided(file, plan);
  if (is_split) {
    variant.name[CODE_TASKS] =
        name_unique(&file->names, arena_printf(file->arena, "%s_tasks", work));
    variant.name[CODE_TASK] = name_unique(&file->names, arena_printf(file->arena, "%s_task", work));
  }
  TaskNames task = {.count = variant.name[CODE_TASKS], .task = variant.name[CODE_TASK]};
  put_function(file, plan, work, NULL, true, is_split ? &task : NULL);
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
    variant[i] = put_entry_variant(file, plan->variant[i],
                                   arena_printf(file->arena, "%s_variant_%d", name, i), has_tasks);
  CKernel kernel = {.name = NULL};
  if (!shape)
    kernel = c_put_kernel(file, plan, name);
  CKernel k = c_kernel_begin(file, plan, s, name);
  const char *given = put_checks(&k, shape ? CODE_SHAPE : CODE_WORK, is_variant, variant);
  if (!shape && plan_checks_late(plan)) {
    const char *status = name_unique(&k.locals, "status");
    c_line(&k, "const rsh_status %s = %s(%s);", status, kernel.name, given);
    c_open(&k, "if (%s != RSH_ok)", status);
    c_line(&k, "return %s;", status);
    c_close(&k);
  } else if (!shape) {
    c_line(&k, "%s(%s);", kernel.name, given);
  }
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
