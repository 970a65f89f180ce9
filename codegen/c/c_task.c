// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks (codegen/code/code_task.c) as C functions.
//
//   static void outer_task_part(size_t task, const float *restrict x, float *restrict y) {
//     {
//       const size_t begin = minimum(part_of(40U, task, 5U), 40U);
//       const size_t end = minimum(part_of(40U, task + 1U, 5U), 40U);
//       for (size_t j = begin; j < end; j++) {
#include "codegen/c/c_internal.h"

#include <inttypes.h>

// Writes static size_t heads_tasks_count(size_t B, size_t S), and returns its name.
static const char *put_counting(CFile *file, const Plan *plan, const Split *split,
                                const Signature *only, const GraphNames *names) {
  CKernel k = c_kernel_begin(file, plan, only, names->entry[ENTRY_TASK_COUNT]);
  k.has_places = true;
  const char *name = name_unique(
      &file->names, arena_printf(file->arena, "%s_count", names->entry[ENTRY_TASK_COUNT]));
  c_put_code(&k, code_task_count(file->arena, plan, split, 0), (CLeaves){0});
  c_put(&file->body, "\nstatic size_t %s(%s%s) {\n", name, c_list(&k, "size_t ", true),
        c_places(&k, "size_t "));
  c_body_end(&k, only->parameter.count);
  return name;
}

// int32_t heads_tasks(int64_t B, int64_t S). Variants have their own task counts, if their work is divided.
static void put_count(CFile *file, const Plan *plan, const char *counting, int64_t tasks,
                      const GraphNames *variant, const GraphNames *names, const char *linkage) {
  Signature only = signature_of_task_count(file->arena, &plan->signature);
  CKernel k = c_kernel_begin(file, plan, &only, names->entry[ENTRY_TASK_COUNT]);
  EntryPoint entry = variant ? ENTRY_TASK_COUNT : ENTRY_SIZES;
  const char *places =
      c_put_code(&k, code_entry(file->arena, plan, entry, true, file->machine.word),
                 (CLeaves){.variant = variant, .keeps_sizes = counting != NULL});
  if (counting)
    c_line(&k, "return (int32_t)%s(%s%s);", counting, c_arguments(&k, "(size_t)", true), places);
  else
    c_line(&k, "return %" PRId64 ";", tasks);
  const char *list = c_list(&k, "int64_t ", true);
  c_put(&file->body, "\n%sint32_t %s(%s) {\n", linkage, names->entry[ENTRY_TASK_COUNT],
        *list ? list : "void");
  c_body_end(&k, only.parameter.count);
}

static void put_share(CKernel *k, const Share *share, int output) {
  k->share = share;
  c_put_nests(k, share->nest, share->nest_count, c_parameter(k, PARAMETER_OUTPUT, output),
              k->plan->output[output].output->value->dtype);
  k->share = NULL;
}

// The work may begin a new set of names; the current one is restored after it.
static void put_work(CKernel *k, const Split *split, const CodeNode *node, const char *begin,
                     const char *end) {
  NameSet locals = k->locals;
  const Share *share = &split[node->index].share[node->n];
  if (node->op == CODE_DO_OUTPUT) {
    c_put_output(k, node->index);
  } else if (node->op == CODE_DO_NEST) {
    put_share(k, share, node->index);
  } else {
    c_line(k, "{");
    k->depth++;
    c_line(k, "const size_t begin = %s;", begin);
    c_line(k, "const size_t end = %s;", end);
    put_share(k, share, node->index);
    c_close(k);
  }
  k->locals = locals;
}

const char *c_put_part(const CKernel *whole, const GraphNames *variant, const GraphNames *names,
                       const char *linkage) {
  CKernel k = *whole;
  CFile *file = k.file;
  int64_t tasks;
  const Split *split = plan_split(file->arena, k.plan, &tasks);
  if (!split)
    return NULL;
  Signature only = signature_of_task_count(file->arena, k.signature);
  const char *count = tasks > 0 ? NULL : put_counting(file, k.plan, split, &only, names);
  const char *name =
      name_unique(&file->names, arena_printf(file->arena, "%s_part", names->entry[ENTRY_TASK]));
  c_body_begin(&k);
  c_put_code(&k, code_task(file->arena, k.plan, split, tasks),
             (CLeaves){.split = split, .work = put_work});
  c_put(&file->body, "\nstatic void %s(size_t task, %s) {\n", name, c_kernel_parameters(&k));
  c_body_end(&k, k.signature->parameter.count);
  put_count(file, k.plan, count, tasks, variant, names, linkage);
  return name;
}

const char *c_task_prototype(CKernel *k, const char *function) {
  const char *text =
      c_prototype(k->file->arena, k->plan, k->signature, function, k->parameter, "restrict ");
  return c_prototype_of_task(k->file->arena, text, "task");
}

void c_put_task(CKernel *k, const char *part, const char *name) {
  c_put(&k->file->body, "\n%s {\n  %s((size_t)task, %s);\n}\n", c_task_prototype(k, name), part,
        c_list(k, "", false));
}

void c_put_only_task(CKernel *k, const GraphNames *names) {
  put_count(k->file, k->plan, NULL, 1, NULL, names, "");
  c_put(&k->file->body, "\n%s {\n  (void)task;\n  %s%s(%s);\n}\n",
        c_task_prototype(k, names->entry[ENTRY_TASK]),
        k->signature->returns_status ? "return " : "", names->entry[ENTRY_WHOLE],
        c_list(k, "", false));
}
