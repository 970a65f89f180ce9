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
static const char *put_checks(CKernel *k, EntryPoint entry, bool is_variant,
                              const GraphNames *variant) {
  CLeaves leaves = {
      .variant = variant, .argument = "(size_t)task", .keeps_sizes = entry != ENTRY_SHAPE};
  const char *places = c_put_code(
      k, code_entry(k->file->arena, k->plan, entry, is_variant, k->file->machine.word), leaves);
  if (entry == ENTRY_SHAPE)
    return NULL;
  return arena_printf(k->file->arena, "%s%s", c_arguments(k, "(size_t)", false), places);
}

static void put_text(CKernel *k, const char *prototype) {
  c_line(k, "return RSH_ok;");
  c_put(&k->file->body, "\n%s {\n", prototype);
  c_body_end(k, k->signature->parameter.count);
}

// NAME_tasks and NAME_task; static for a variant.
static void put_tasks(const CKernel *kernel, const GraphNames *names, bool is_variant,
                      const GraphNames *variant) {
  const char *linkage = is_variant ? "static " : "", *task = names->entry[ENTRY_TASK];
  CKernel k = c_kernel_begin(kernel->file, kernel->plan, kernel->signature, task);
  const char *part = c_put_part(kernel, variant, names, linkage);
  if (!part) {
    c_put_only_task(&k, names);
    return;
  }
  const char *given = put_checks(&k, ENTRY_TASK, is_variant, variant);
  c_line(&k, "%s((size_t)task, %s);", part, given);
  put_text(&k, arena_printf(k.file->arena, "%s%s", linkage, c_task_prototype(&k, task)));
}

static bool is_divided(CFile *file, const Plan *plan) {
  int64_t tasks;
  return plan_split(file->arena, plan, &tasks) != NULL;
}

static void put_function(CFile *file, const Plan *plan, const GraphNames *names, EntryPoint entry,
                         bool is_variant);

// `has_tasks`: the graph's task functions call those of the variant.
static GraphNames put_entry_variant(CFile *file, const Plan *plan, const char *name,
                                    bool has_tasks) {
  const char *work = name_unique(&file->names, name);
  GraphNames variant = {.entry[ENTRY_WHOLE] = work};
  if (has_tasks && is_divided(file, plan)) {
    variant.entry[ENTRY_TASK_COUNT] =
        name_unique(&file->names, arena_printf(file->arena, "%s_tasks", work));
    variant.entry[ENTRY_TASK] =
        name_unique(&file->names, arena_printf(file->arena, "%s_task", work));
  }
  put_function(file, plan, &variant, ENTRY_WHOLE, true);
  return variant;
}

// NAME, after the functions of the graph's variants and before those of its tasks; or NAME_shape.
static void put_function(CFile *file, const Plan *plan, const GraphNames *names, EntryPoint entry,
                         bool is_variant) {
  bool is_shape = entry == ENTRY_SHAPE, has_tasks = names->entry[ENTRY_TASK] && !is_shape;
  const Signature *s = is_shape ? &plan->shape_signature : &plan->signature;
  const char *name = names->entry[ENTRY_WHOLE];
  const Graph *graph = plan->graph;
  GraphNames *variant = ARENA_ARRAY(file->arena, GraphNames, graph->variant.count + 1);
  bool has_parts = has_tasks && is_divided(file, plan);
  for (int i = 0; i < graph->variant.count && !is_shape; i++)
    variant[i] = put_entry_variant(file, plan->variant[i],
                                   arena_printf(file->arena, "%s_variant_%d", name, i), has_parts);
  CKernel kernel = {.name = NULL};
  if (!is_shape)
    kernel = c_put_kernel(file, plan, name);
  CKernel k = c_kernel_begin(file, plan, s, name);
  const char *given = put_checks(&k, entry, is_variant, variant);
  if (!is_shape && plan_checks_late(plan)) {
    const char *status = name_unique(&k.locals, "status");
    c_line(&k, "const rsh_status %s = %s(%s);", status, kernel.name, given);
    c_open(&k, "if (%s != RSH_ok)", status);
    c_line(&k, "return %s;", status);
    c_close(&k);
  } else if (!is_shape) {
    c_line(&k, "%s(%s);", kernel.name, given);
  }
  const char *prototype =
      c_prototype(file->arena, plan, s, names->entry[entry], k.parameter, "restrict ");
  put_text(&k, is_variant ? arena_printf(file->arena, "static %s", prototype) : prototype);
  if (has_tasks)
    put_tasks(&kernel, names, is_variant, variant);
}

void c_put_entry(CFile *file, const Plan *plan, const GraphNames *names) {
  file->needs_statuses = true;
  put_function(file, plan, names, ENTRY_WHOLE, false);
  put_function(file, plan, names, ENTRY_SHAPE, false);
}
