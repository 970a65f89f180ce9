// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/header/c_text.h"
#include "codegen/plan/names.h"

#include <stdarg.h>
#include <string.h>

void c_put(CText *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  for (const char *piece = arena_vprintf(text->arena, format, list); *piece; piece++)
    VEC_PUSH(text->arena, text->letter, *piece);
  va_end(list);
}

const char *c_comment(Arena *arena, const char *text) {
  char *out = arena_printf(arena, "%s", text);
  for (char *c = out; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 127 || (*c == '/' && c > out && c[-1] == '*') ||
        (*c == '*' && c > out && c[-1] == '/'))
      *c = '?';
  return out;
}

const char *c_element(Arena *arena, rsh_dtype type, bool is_const) {
  const char *name = rsh_dtype_ctype(type);
  if (name[strlen(name) - 1] == '*')
    return arena_printf(arena, "%s%s", name, is_const ? "const " : "");
  return arena_printf(arena, "%s%s ", is_const ? "const " : "", name);
}

const Value *c_alias_place(const Graph *graph, const OutputPlan *out) {
  if (out->tier != TIER_ALIAS || out->source)
    return out->tier == TIER_ALIAS ? out->source : NULL;
  for (int i = 0; i < graph->input_count; i++)
    if (graph->value.item[i]->dtype == out->output->value->dtype)
      return graph->value.item[i];
  return NULL;
}

const char **c_parameter_names(Arena *arena, const Graph *graph, const Signature *signature) {
  NameSet set = {.arena = arena};
  int count = signature->parameter.count;
  const char **name = ARENA_ARRAY(arena, const char *, count + 1);
  for (int i = 0; i < count; i++)
    name[i] = name_unique(
        &set, c_identifier(arena, parameter_name(arena, graph, signature->parameter.item[i])));
  return name;
}

bool c_meets_an_output(const Plan *plan, const Value *input) {
  for (int i = 0; i < plan->output_count; i++)
    if (c_alias_place(plan->graph, &plan->output[i]) == input || plan->output[i].in_place == input)
      return true;
  return false;
}

static bool may_meet_an_input(const Plan *plan, int output) {
  const OutputPlan *out = &plan->output[output];
  return c_alias_place(plan->graph, out) || out->in_place;
}

const char *c_parameter_type(Arena *arena, const Plan *plan, Parameter p, const char *alone) {
  const Graph *graph = plan->graph;
  bool is_tensor = parameter_is_tensor(graph, p.kind);
  switch (p.kind) {
  case PARAMETER_SIZE:
    return "int64_t ";
  case PARAMETER_INPUT:
    if (is_tensor)
      return "const DLTensor *";
    return arena_printf(arena, "%s*%s", c_element(arena, graph->value.item[p.index]->dtype, true),
                        c_meets_an_output(plan, graph->value.item[p.index]) ? "" : alone);
  case PARAMETER_OUTPUT:
    if (is_tensor)
      return "DLTensor *";
    return arena_printf(arena, "%s*%s",
                        c_element(arena, graph->output[p.index].value->dtype, false),
                        may_meet_an_input(plan, p.index) ? "" : alone);
  case PARAMETER_SCRATCH:
    return arena_printf(arena, "void *%s", alone);
  case PARAMETER_DIMS:
    return "int64_t *";
  case PARAMETER_RANK:
    return "int32_t *";
  case PARAMETER_PLAN:
    return "void *";
  }
  return "";
}

const char *c_prototype(Arena *arena, const Plan *plan, const Signature *signature,
                        const char *function, const char *const *name, const char *alone) {
  const char *text =
      arena_printf(arena, "%s %s(", signature->returns_status ? "rsh_status" : "void", function);
  for (int i = 0; i < signature->parameter.count; i++)
    text =
        arena_printf(arena, "%s%s%s%s", text, i ? ", " : "",
                     c_parameter_type(arena, plan, signature->parameter.item[i], alone), name[i]);
  return arena_printf(arena, "%s)", text);
}

const char *c_prototype_of_task(Arena *arena, const char *prototype, const char *task) {
  const char *list = strchr(prototype, '(') + 1;
  return arena_printf(arena, "%.*sint32_t %s, %s", (int)(list - prototype), prototype, task, list);
}

void c_put_statuses(CText *text) {
  c_put(text, "\n#ifndef RSH_STATUS_H\n#define RSH_STATUS_H\ntypedef enum rsh_status {\n");
#define RSH_STATUS(name, what) c_put(text, "  RSH_%s, /* %s */\n", #name, what);
#include "runtime/statuses.def"
#undef RSH_STATUS
  c_put(text, "  RSH_STATUS_COUNT\n} rsh_status;\n"
              "/* Defined in librsh_runtime. */\n"
              "const char *rsh_status_name(rsh_status status);\n"
              "const char *rsh_status_string(rsh_status status);\n#endif\n");
}

void c_put_edge(CText *text) {
  c_put(text,
        "\n/* Where a slice begins or ends on an axis: an index below 0 counts from the end. */\n"
        "#ifndef RSH_EDGE\n"
        "#define RSH_CUT(at, size, least) \\\n"
        "  ((at) < (least) ? (least) : (at) > (size) ? (size) : (at))\n"
        "#define RSH_EDGE(at, size, least) \\\n"
        "  RSH_CUT((at) < 0 ? (at) + (size) : (at), size, least)\n"
        "#endif\n");
}
