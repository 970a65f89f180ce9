// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of writing a C function: the helpers it calls, its parameters, its lines.
#include "codegen/c/c_internal.h"

#include <inttypes.h>
#include <stdarg.h>
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

// Names of parameters, distinct from names that functions use internally: a parameter `begin` becomes begin_2.
static const char **parameter_names(CFile *file, const Graph *graph, const Signature *signature) {
  static const char *const own[] = {"at",   "begin", "end",   "last", "left",
                                    "most", "task",  "tasks", "used"};
  NameSet set = {.arena = file->arena};
  const char **name = c_parameter_names(file->arena, graph, signature);
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    name_unique(&set, own[i]);
  name_unique(&set, graph_identifier(file->arena, graph)); // NAME_task calls NAME
  for (int i = 0; i < signature->parameter.count; i++)
    name[i] = name_unique(&set, name[i]);
  return name;
}

void c_locals_begin(CKernel *k) {
  k->locals = (NameSet){.arena = k->file->arena};
  for (int i = 0; i < k->signature->parameter.count; i++)
    name_unique(&k->locals, k->parameter[i]);
  for (int i = 0; i < k->plan->graph->symbol.count; i++)
    if (k->plan->graph->symbol.item[i].is_edge)
      k->place[i] = name_unique(&k->locals, "place");
}

CKernel c_kernel_begin(CFile *file, const Plan *plan, const Signature *signature,
                       const char *name) {
  CKernel k = {.file = file, .plan = plan, .name = name, .signature = signature, .depth = 1};
  k.parameter = parameter_names(file, plan->graph, signature);
  k.is_used = ARENA_ARRAY(file->arena, bool, signature->parameter.count + 1);
  k.place = ARENA_ARRAY(file->arena, const char *, plan->graph->symbol.count + 1);
  k.is_place_used = ARENA_ARRAY(file->arena, bool, plan->graph->symbol.count + 1);
  k.out.arena = file->arena;
  c_locals_begin(&k);
  return k;
}

void c_line(CKernel *k, const char *format, ...) {
  va_list list;
  va_start(list, format);
  c_put(&k->out, "%*s%s\n", 2 * k->depth, "", arena_vprintf(k->file->arena, format, list));
  va_end(list);
}

void c_open(CKernel *k, const char *format, ...) {
  va_list list;
  va_start(list, format);
  c_put(&k->out, "%*s%s {\n", 2 * k->depth, "", arena_vprintf(k->file->arena, format, list));
  va_end(list);
  k->depth++;
}

void c_for(CKernel *k, const char *index, const char *from, const char *to, int64_t step) {
  Arena *arena = k->file->arena;
  const char *next = step == 1 ? arena_printf(arena, "%s++", index)
                               : arena_printf(arena, "%s += %" PRId64 "U", index, step);
  c_open(k, "for (size_t %s = %s; %s < %s; %s)", index, from, index, to, next);
}

void c_close(CKernel *k) {
  k->depth--;
  c_line(k, "}");
}

const char *c_parameter(CKernel *k, ParameterKind kind, int index) {
  int place = signature_find(k->signature, kind, index);
  k->is_used[place] = true;
  return k->parameter[place];
}

const char *c_list(const CKernel *k, const char *size, bool only_sizes) {
  const char *text = "";
  for (int i = 0; i < k->signature->parameter.count; i++) {
    bool is_size = k->signature->parameter.item[i].kind == PARAMETER_SIZE;
    if (is_size || !only_sizes)
      text = arena_printf(k->file->arena, "%s%s%s%s", text, *text ? ", " : "", is_size ? size : "",
                          k->parameter[i]);
  }
  return text;
}

const char *c_arguments(CKernel *k, const char *size, bool only_sizes) {
  memset(k->is_used, 1, sizeof *k->is_used * (size_t)k->signature->parameter.count);
  return c_list(k, size, only_sizes);
}

const char *c_symbol(CKernel *k, int symbol) {
  if (!k->place[symbol])
    return c_parameter(k, PARAMETER_SIZE, symbol);
  k->is_place_used[symbol] = true;
  return k->place[symbol];
}

const char *c_places(const CKernel *k, const char *type) {
  const char *text = "";
  for (int i = 0; i < k->plan->graph->symbol.count; i++)
    if (k->place[i])
      text = arena_printf(k->file->arena, "%s, %s%s", text, type, k->place[i]);
  return text;
}

const char *c_use_places(CKernel *k) {
  memset(k->is_place_used, 1, sizeof *k->is_place_used * (size_t)k->plan->graph->symbol.count);
  return c_places(k, "");
}

void c_body_begin(CKernel *k) {
  k->out = (CText){.arena = k->file->arena};
  c_locals_begin(k);
  memset(k->is_used, 0, sizeof *k->is_used * (size_t)k->signature->parameter.count);
  memset(k->is_place_used, 0, sizeof *k->is_place_used * (size_t)k->plan->graph->symbol.count);
  k->is_index_used = false;
}

void c_body_end(CKernel *k, int count) {
  CText *to = &k->file->body;
  for (int i = 0; i < count; i++)
    if (!k->is_used[i])
      c_put(to, "  (void)%s;\n", k->parameter[i]);
  for (int i = 0; i < k->plan->graph->symbol.count; i++)
    if (k->has_places && k->place[i] && !k->is_place_used[i])
      c_put(to, "  (void)%s;\n", k->place[i]);
  c_put(to, "%.*s}\n", k->out.letter.count, k->out.letter.item ? k->out.letter.item : "");
}

const char *c_parameters(const CKernel *k, int count, const char *alone) {
  const char *text = "";
  for (int i = 0; i < count; i++) {
    Parameter p = k->signature->parameter.item[i];
    const char *type =
        p.kind == PARAMETER_SIZE ? "size_t " : c_parameter_type(k->file->arena, k->plan, p, alone);
    text = arena_printf(k->file->arena, "%s%s%s%s", text, i ? ", " : "", type, k->parameter[i]);
  }
  return text;
}

const char *c_kernel_parameters(const CKernel *k) {
  return arena_printf(k->file->arena, "%s%s",
                      c_parameters(k, k->signature->parameter.count, "restrict "),
                      c_places(k, "size_t "));
}
