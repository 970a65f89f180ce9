// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks (codegen/plan/split.h) as C, as emit_task.c builds them: the part of a graph that one task does, and the number of
// tasks.
//
//   static void outer_task_part(size_t task, const float *restrict x, float *restrict y) {
//     {
//       const size_t begin = task_begin(40U, 1U, task, 5U);
//       const size_t end = task_begin(40U, 1U, task + 1U, 5U);
//       for (size_t j = begin; j < end; j++) {
#include "codegen/c/c_internal.h"

#include <inttypes.h>
#include <string.h>

// The first index of a task; for task `tasks`, one past the last, it is the extent.
static const char *task_begin(CFile *file) {
  const char *name = c_helper(file, "task_begin");
  if (name)
    return name;
  name = c_helper_add(file, "task_begin", "task_begin");
  c_put(&file->helpers,
        "\n/* The first index of a task, of a loop that is divided in units. */\n"
        "static size_t %s(size_t extent, size_t unit, size_t task, size_t tasks) {\n"
        "  const uint64_t units = (((uint64_t)extent + unit) - 1U) / unit;\n"
        "  const uint64_t begin = ((units * task) / tasks) * unit;\n"
        "  return (begin < extent) ? (size_t)begin : extent;\n}\n",
        name);
  return name;
}

static const char *more_tasks(CFile *file) {
  const char *name = c_helper(file, "more_tasks");
  if (name)
    return name;
  name = c_helper_add(file, "more_tasks", "more_tasks");
  c_put(&file->helpers,
        "\n/* As many as a loop has units, but not more than %d. */\n"
        "static size_t %s(size_t most, size_t extent, size_t unit) {\n"
        "  const uint64_t units = (((uint64_t)extent + unit) - 1U) / unit;\n"
        "  const size_t tasks = (units < %dU) ? (size_t)units : %dU;\n"
        "  return (tasks > most) ? tasks : most;\n}\n",
        MOST_TASKS, name, MOST_TASKS, MOST_TASKS);
  return name;
}

// The sizes alone, each after `before`: "int64_t B, int64_t S", "(size_t)B, (size_t)S" or "B, S".
static const char *sizes(const CKernel *k, const char *before) {
  const char *text = "";
  for (int i = 0; i < k->signature->parameter.count; i++)
    if (k->signature->parameter.item[i].kind == PARAMETER_SIZE)
      text = arena_printf(k->file->arena, "%s%s%s%s", text, *text ? ", " : "", before,
                          k->parameter[i]);
  return text;
}

// NAME_tasks where it is a constant: int32_t heads_tasks(int64_t B) { (void)B; return 4; }
static void put_known_count(const CKernel *k, const char *name, int64_t tasks) {
  CText *to = &k->file->body;
  const char *list = sizes(k, "int64_t ");
  c_put(to, "\nint32_t %s(%s) {\n", name, *list ? list : "void");
  for (int i = 0; i < k->signature->parameter.count; i++)
    if (k->signature->parameter.item[i].kind == PARAMETER_SIZE)
      c_put(to, "  (void)%s;\n", k->parameter[i]);
  c_put(to, "  return %" PRId64 ";\n}\n", tasks);
}

// Puts static size_t heads_tasks_count(size_t B, size_t S), and returns its name.
static const char *put_counting(CFile *file, const Plan *plan, const Split *split,
                                const Signature *only, TaskNames names) {
  CKernel k = c_kernel_begin(file, plan, only, names.count);
  k.has_places = true;
  const char *name = name_unique(&file->names, arena_printf(file->arena, "%s_count", names.count));
  c_line(&k, "size_t most = 1U;");
  for (int i = 0; i < plan->output_count; i++)
    for (int n = 0; n < split[i].count; n++) {
      const Share *share = &split[i].share[n];
      if (share->depth < 0)
        continue;
      const char *extent = c_number(&k, share->nest.loop[share->depth].extent, false);
      c_line(&k, "most = %s(most, %s, %" PRId64 "U);", more_tasks(file), extent, share->unit);
    }
  c_line(&k, "return most;");
  c_put(&file->body, "\nstatic size_t %s(%s%s) {\n", name, sizes(&k, "size_t "),
        c_places(&k, "size_t "));
  c_body_end(&k, only->parameter.count);
  return name;
}

// int32_t heads_tasks(int64_t B, int64_t S)
static void put_count(CFile *file, const Plan *plan, const char *count, const Signature *only,
                      TaskNames names) {
  CKernel k = c_kernel_begin(file, plan, only, names.count);
  const Code *code = code_entry(file->arena, plan, CODE_SIZES, true, file->machine.word);
  CPrinter printer = c_code_begin(&k, code, true);
  for (int i = 0; i < code->node.count; i++)
    if (code->node.item[i].op != CODE_LEAVE)
      c_code_put(&printer, i);
  const char *places = c_code_places(&printer);
  for (int i = 0; i < only->parameter.count; i++)
    k.is_used[i] = true;
  c_line(&k, "return (int32_t)%s(%s%s);", count, sizes(&k, "(size_t)"), places);
  c_put(&file->body, "\nint32_t %s(%s) {\n", names.count, sizes(&k, "int64_t "));
  c_body_end(&k, only->parameter.count);
}

// A nest that this task does, or its part of one. `tasks`: their number, or 0 where the variable `tasks` has it.
static void put_share(CKernel *k, const Share *share, int64_t tasks, int output) {
  Arena *arena = k->file->arena;
  const char *all = tasks > 0 ? arena_printf(arena, "%" PRId64 "U", tasks) : "tasks";
  if (share->depth >= 0) {
    const char *begin = task_begin(k->file);
    const char *extent = c_number(k, share->nest.loop[share->depth].extent, false);
    c_line(k, "{");
    k->depth++;
    c_line(k, "const size_t begin = %s(%s, %" PRId64 "U, task, %s);", begin, extent, share->unit,
           all);
    c_line(k, "const size_t end = %s(%s, %" PRId64 "U, task + 1U, %s);", begin, extent, share->unit,
           all);
  } else if (tasks > 0) {
    c_open(k, "if (task == %" PRId64 "U)", share->task % tasks);
  } else {
    c_open(k, "if (task == (%dU %% tasks))", share->task);
  }
  k->share = share;
  c_put_nest(k, &share->nest, c_parameter(k, PARAMETER_OUTPUT, output),
             k->plan->output[output].output->value->dtype);
  k->share = NULL;
  c_close(k);
}

const char *c_put_part(const CKernel *whole, TaskNames names) {
  CKernel k = *whole;
  CFile *file = k.file;
  int64_t tasks;
  const Split *split = plan_split(file->arena, k.plan, &tasks);
  if (!split)
    return NULL;
  Signature only = {0};
  for (int i = 0; i < k.signature->parameter.count; i++)
    if (k.signature->parameter.item[i].kind == PARAMETER_SIZE)
      VEC_PUSH(file->arena, only.parameter, k.signature->parameter.item[i]);
  const char *count = tasks > 0 ? NULL : put_counting(file, k.plan, split, &only, names);
  const char *name = name_unique(&file->names, arena_printf(file->arena, "%s_part", names.task));
  c_body_begin(&k);
  bool is_divided = false;
  for (int i = 0; i < k.plan->output_count; i++)
    is_divided = is_divided || split[i].count > 0;
  if (count && is_divided)
    c_line(&k, "const size_t tasks = %s(%s%s);", count, sizes(&k, ""), c_use_places(&k));
  for (int i = 0; i < k.plan->output_count; i++) {
    if (split[i].count == 0) {
      c_open(&k, "if (task == 0U)");
      c_put_output(&k, i);
      c_close(&k);
    }
    for (int n = 0; n < split[i].count; n++)
      put_share(&k, &split[i].share[n], tasks, i);
  }
  c_put(&file->body, "\nstatic void %s(size_t task, %s) {\n", name, c_kernel_parameters(&k));
  c_body_end(&k, k.signature->parameter.count);
  if (count)
    put_count(file, k.plan, count, &only, names);
  else
    put_known_count(&k, names.count, tasks);
  return name;
}

const char *c_task_prototype(CKernel *k, const char *function) {
  const char *text =
      c_prototype(k->file->arena, k->plan, k->signature, function, k->parameter, "restrict ");
  const char *list = strchr(text, '(') + 1;
  return arena_printf(k->file->arena, "%.*sint32_t task, %s", (int)(list - text), text, list);
}

// All parameters, as arguments.
static const char *arguments(const CKernel *k) {
  const char *text = "";
  for (int i = 0; i < k->signature->parameter.count; i++)
    text = arena_printf(k->file->arena, "%s%s%s", text, i ? ", " : "", k->parameter[i]);
  return text;
}

void c_put_task(CKernel *k, const char *part, const char *name) {
  c_put(&k->file->body, "\n%s {\n  %s((size_t)task, %s);\n}\n", c_task_prototype(k, name), part,
        arguments(k));
}

void c_put_only_task(CKernel *k, const char *function, TaskNames names) {
  put_known_count(k, names.count, 1);
  c_put(&k->file->body, "\n%s {\n  (void)task;\n  %s%s(%s);\n}\n", c_task_prototype(k, names.task),
        k->signature->returns_status ? "return " : "", function, arguments(k));
}
