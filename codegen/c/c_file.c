// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From plans to C: one file that needs <stdint.h>, <stddef.h> and, unless it is freestanding, <string.h>; and
// <math.h> if functions of elements call libm.
#include "codegen/c/c_file.h"

#include "codegen/c/c_internal.h"

#include <string.h>

// A graph whose sizes are known.
static void put_static(CFile *file, const Plan *plan, const char *name, const TaskNames *task) {
  CKernel k = c_put_kernel(file, plan, name);
  const char *part = task ? c_put_part(&k, NULL, *task, "") : NULL;
  if (part)
    c_put_task(&k, part, task->task);
  else if (task)
    c_put_only_task(&k, name, *task);
}

static void put_graph(CFile *file, const Plan *plan, const char *name, const char *shape,
                      const TaskNames *task) {
  c_put_comment(&file->body, plan);
  if (plan->tape)
    c_put_dynamic(file, plan, name, shape);
  else if (plan->signature.returns_status)
    c_put_entry(file, plan, name, shape, task);
  else
    put_static(file, plan, name, task);
}

// A file that does not include the header repeats the parts of it that it needs.
static void put_head(CFile *file, CText *text, const Source *source, const char *header,
                     const Stamp *stamp) {
  const char *name = source ? source->name : "", *slash = strrchr(name, '/');
  c_put(text, "/* Made by reshapec from %s: C99.%s */\n",
        c_comment(file->arena, slash ? slash + 1 : name),
        stamp ? arena_printf(file->arena, "\n * %s",
                             c_comment(file->arena, stamp_text(file->arena, stamp)))
              : "");
  if (header)
    c_put(text, "#include \"%s\"\n\n", header);
  c_put(text, "%s#include <stddef.h>\n#include <stdint.h>\n%s",
        file->needs_math ? "#include <math.h>\n" : "",
        file->needs_string && file->has_string ? "#include <string.h>\n" : "");
  if (!header && file->needs_tensors)
    c_put(text, "#include <dlpack/dlpack.h>\n");
  if (!header && file->needs_statuses)
    c_put_statuses(text);
  if (file->needs_string && !file->has_string)
    c_put(text, "\nvoid *memcpy(void *restrict to, const void *restrict from, size_t bytes);\n"
                "void *memset(void *to, int byte, size_t bytes);\n");
}

// Products and sums are each rounded, as IEEE 754 defines: no fused operations, no wider intermediate results.
static void put_rounding(CText *text) {
  c_put(text, "\n#if defined __clang__ || !defined __GNUC__\n"
              "#pragma STDC FP_CONTRACT OFF\n"
              "#else\n#pragma GCC optimize(\"fp-contract=off\")\n#endif\n"
              "#if defined __FLT_EVAL_METHOD__ && (__FLT_EVAL_METHOD__ == 1 || "
              "__FLT_EVAL_METHOD__ == 2)\n"
              "#error \"float must be computed with as float: on x86 give -msse2 -mfpmath=sse\"\n"
              "#endif\n");
}

// Elements are read as elements of another size, which depends on the byte order.
static void put_order(CText *text) {
  c_put(text, "\n#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__\n"
              "#error \"made for machines that store the lowest byte first\"\n#endif\n");
}

bool emit_c(Arena *arena, const Plan *const *plans, int count, const CTarget *target,
            const char *header, Bytes *out, Diag *diag) {
  CFile file = {.arena = arena,
                .diag = diag,
                .machine = target->machine,
                .has_string = !target->freestanding,
                .can = target->can,
                .small = target->small};
  file.can.vectorises = false; // left to C compilers
  file.helpers.arena = file.body.arena = file.names.arena = arena;
  const char **name = function_names(arena, plans, count),
             **shape = shape_names(arena, plans, count);
  const TaskNames *task = target->parallel ? task_names(arena, plans, count) : NULL;
  for (int i = 0; i < count; i++) {
    const Signature *s = &plans[i]->signature;
    const char **parameter = c_parameter_names(arena, plans[i]->graph, s);
    for (int p = 0; p < s->parameter.count; p++)
      name_unique(&file.names, parameter[p]);
    const char *own[] = {name[i], shape[i], task ? task[i].count : NULL, task ? task[i].task : NULL,
                         task ? task[i].parallel : NULL};
    for (size_t n = 0; n < sizeof own / sizeof *own; n++)
      if (own[n])
        name_unique(&file.names, own[n]);
  }
  for (int i = 0; i < count; i++)
    put_graph(&file, plans[i], name[i], shape[i], task ? &task[i] : NULL);
  CText text = {.arena = arena};
  put_head(&file, &text, diag->source, header, target->stamp);
  for (int i = 0; i < count; i++)
    if (plan_resizes(plans[i])) {
      put_order(&text);
      break;
    }
  if (file.rounds)
    put_rounding(&text);
  CText parts[2] = {file.helpers, file.body};
  for (int i = 0; i < 2; i++)
    for (int at = 0; at < parts[i].letter.count; at++)
      VEC_PUSH(arena, text.letter, parts[i].letter.item[at]);
  *out = (Bytes){text.letter.item, (size_t)text.letter.count};
  return !file.failed;
}
