// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans to C: one file that needs <stdint.h>, <stddef.h> and, unless it is freestanding, <string.h>; and
// <math.h> where functions of elements call libm.
#include "codegen/c/c_file.h"

#include "codegen/c/c_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *c_helper(const CFile *file, const char *key) {
  for (int i = 0; i < file->helper.count; i++)
    if (strcmp(file->helper.item[i].key, key) == 0)
      return file->helper.item[i].name;
  return NULL;
}

const char *c_helper_add(CFile *file, const char *key, const char *wanted) {
  const char *name = name_unique(&file->names, wanted);
  VEC_PUSH(file->arena, file->helper, ((CHelper){key, name}));
  return name;
}

// Other names than those that functions have of their own: a parameter `from` is from_2.
static const char **parameter_names(CFile *file, const Graph *graph, const Signature *signature) {
  static const char *const own[] = {"at",   "bad",   "begin",  "cycle",  "digit", "end",   "from",
                                    "last", "left",  "leader", "lowest", "most",  "place", "right",
                                    "rest", "saved", "task",   "tasks",  "used"};
  NameSet set = {.arena = file->arena};
  const char **name = c_parameter_names(file->arena, graph, signature);
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    name_unique(&set, own[i]);
  for (int i = 0; i < signature->parameter.count; i++)
    name[i] = name_unique(&set, name[i]);
  return name;
}

CKernel c_kernel_begin(CFile *file, const Plan *plan, const Signature *signature,
                       const char *name) {
  CKernel k = {.file = file, .plan = plan, .name = name, .signature = signature, .depth = 1};
  k.parameter = parameter_names(file, plan->graph, signature);
  k.is_used = ARENA_ARRAY(file->arena, bool, signature->parameter.count + 1);
  k.place = ARENA_ARRAY(file->arena, const char *, plan->graph->symbol.count + 1);
  k.place_text = ARENA_ARRAY(file->arena, const char *, plan->graph->symbol.count + 1);
  k.out.arena = k.locals.arena = file->arena;
  for (int i = 0; i < signature->parameter.count; i++)
    name_unique(&k.locals, k.parameter[i]);
  for (int i = 0; i < plan->graph->symbol.count; i++)
    if (plan->graph->symbol.item[i].is_edge)
      k.place[i] = name_unique(&k.locals, "place");
  return k;
}

void c_line(CKernel *k, const char *format, ...) {
  va_list list, again;
  va_start(list, format);
  va_copy(again, list);
  int length = vsnprintf(NULL, 0, format, list);
  char *line = arena_alloc(k->file->arena, (size_t)length + 1);
  vsnprintf(line, (size_t)length + 1, format, again);
  va_end(again);
  va_end(list);
  c_put(&k->out, "%*s%s\n", 2 * k->depth, "", line);
}

const char *c_parameter(CKernel *k, ParameterKind kind, int index) {
  int place = signature_find(k->signature, kind, index);
  k->is_used[place] = true;
  return k->parameter[place];
}

void c_body_begin(CKernel *k) {
  k->out = (CText){.arena = k->file->arena};
  memset(k->is_used, 0, sizeof *k->is_used * (size_t)k->signature->parameter.count);
  memset(k->place_text, 0, sizeof *k->place_text * (size_t)k->plan->graph->symbol.count);
}

void c_body_end(CKernel *k, int count) {
  CText *to = &k->file->body;
  for (int i = 0; i < count; i++)
    if (!k->is_used[i])
      c_put(to, "  (void)%s;\n", k->parameter[i]);
  for (int i = 0; i < k->plan->graph->symbol.count; i++)
    if (k->place_text[i])
      c_put(to, "  const size_t %s = (size_t)%s;\n", k->place[i], k->place_text[i]);
  c_put(to, "%.*s}\n", k->out.letter.count, k->out.letter.item ? k->out.letter.item : "");
}

// The parameters of a kernel with sizes, which are of type size_t there.
const char *c_kernel_parameters(CKernel *k) {
  const char *text = "";
  for (int i = 0; i < k->signature->parameter.count; i++) {
    Parameter p = k->signature->parameter.item[i];
    text = arena_printf(k->file->arena, "%s%s%s%s", text, i ? ", " : "",
                        p.kind == PARAMETER_SIZE
                            ? "size_t "
                            : c_parameter_type(k->file->arena, k->plan, p, "restrict "),
                        k->parameter[i]);
  }
  return text;
}

CKernel c_put_kernel(CFile *file, const Plan *plan, const char *name) {
  CKernel k = c_kernel_begin(file, plan, &plan->signature, name);
  c_put_stages(&k);
  c_body_begin(&k);
  c_put_passes(&k);
  c_put_outputs(&k);
  bool has_sizes = plan->signature.returns_status;
  if (has_sizes)
    name = name_unique(&file->names, arena_printf(file->arena, "%s_kernel", name));
  if (has_sizes)
    c_put(&file->body, "\nstatic void %s(%s) {\n", name, c_kernel_parameters(&k));
  else
    c_put(&file->body, "\n%s {\n",
          c_prototype(file->arena, plan, &plan->signature, name, k.parameter, "restrict "));
  c_body_end(&k, k.signature->parameter.count);
  k.name = name;
  return k;
}

// A graph whose sizes are known.
static void put_static(CFile *file, const Plan *plan, const char *name, const TaskNames *task) {
  CKernel k = c_put_kernel(file, plan, name);
  const char *part = task ? c_put_part(&k, *task) : NULL;
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

// A file of its own takes what it needs of the header.
static void put_head(CFile *file, CText *text, const Source *source, const char *header) {
  const char *name = source ? source->name : "", *slash = strrchr(name, '/');
  c_put(text, "/* Made by reshapec from %s: C99. */\n",
        c_comment(file->arena, slash ? slash + 1 : name));
  if (header)
    c_put(text, "#include \"%s\"\n\n", header);
  c_put(text, "%s#include <stddef.h>\n#include <stdint.h>\n%s",
        file->needs_math ? "#include <math.h>\n" : "",
        file->needs_string ? "#include <string.h>\n" : "");
  if (!header && file->needs_tensors)
    c_put(text, "#include <dlpack/dlpack.h>\n");
  if (!header && file->needs_statuses)
    c_put_statuses(text);
}

// Products and sums are rounded each for itself, as IEEE 754 has it.
static void put_rounding(CText *text) {
  c_put(text, "\n#if defined __clang__ || !defined __GNUC__\n"
              "#pragma STDC FP_CONTRACT OFF\n"
              "#else\n#pragma GCC optimize(\"fp-contract=off\")\n#endif\n"
              "#if defined __FLT_EVAL_METHOD__ && (__FLT_EVAL_METHOD__ == 1 || "
              "__FLT_EVAL_METHOD__ == 2)\n"
              "#error \"float must be computed with as float: on x86 give -msse2 -mfpmath=sse\"\n"
              "#endif\n");
}

bool emit_c(Arena *arena, const Plan *const *plans, int count, const Target *target,
            const char *header, Bytes *out, Diag *diag) {
  CFile file = {.arena = arena,
                .diag = diag,
                .pointer = target->pointer,
                .freestanding = target->freestanding,
                .has_single = target->has_single,
                .has_double = target->has_double,
                .has_long = target->has_long,
                .keeps_nan = target->keeps_nan,
                .small = target->small};
  file.helpers.arena = file.body.arena = file.names.arena = arena;
  const char **name = function_names(arena, plans, count),
             **shape = shape_names(arena, plans, count);
  const TaskNames *task = target->parallel ? task_names(arena, plans, count) : NULL;
  for (int i = 0; i < count; i++) {
    const Signature *s = &plans[i]->signature;
    const char **parameter = c_parameter_names(arena, plans[i]->graph, s);
    for (int p = 0; p < s->parameter.count; p++)
      name_unique(&file.names, parameter[p]);
    name_unique(&file.names, name[i]);
    if (shape[i])
      name_unique(&file.names, shape[i]);
    if (task && task[i].task) {
      name_unique(&file.names, task[i].count);
      name_unique(&file.names, task[i].task);
      name_unique(&file.names, task[i].parallel);
    }
  }
  for (int i = 0; i < count; i++)
    put_graph(&file, plans[i], name[i], shape[i], task ? &task[i] : NULL);
  CText text = {.arena = arena};
  put_head(&file, &text, diag->source, header);
  if (file.rounds)
    put_rounding(&text);
  CText parts[2] = {file.helpers, file.body};
  for (int i = 0; i < 2; i++)
    for (int at = 0; at < parts[i].letter.count; at++)
      VEC_PUSH(arena, text.letter, parts[i].letter.item[at]);
  *out = (Bytes){text.letter.item, (size_t)text.letter.count};
  return !file.failed;
}
