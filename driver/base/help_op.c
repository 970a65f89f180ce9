// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reshapec help NAME: signature and description of an operator or function of scripts, and an example that compiles.
#include "driver/base/options.h"
#include "frontend/lower/lower.h"

#include <string.h>

const char *param_text(ParamKind kind) {
  switch (kind) {
  case PARAM_INT:
    return "an integer";
  case PARAM_BOOL:
    return "true or false";
  case PARAM_TEXT:
    return "a string";
  case PARAM_DTYPE:
    return "an element type";
  case PARAM_INTS:
    return "an integer or a list of integers";
  case PARAM_DATA:
    return "an integer, a list of integers, or a 1-D integer tensor";
  case PARAM_TARGET:
    return "a list of sizes, or a 1-D integer tensor";
  case PARAM_NAME:
    return "the name of an element-wise function, or None";
  case PARAM_INDICES:
    return "an integer, nested lists of integers, or an integer tensor";
  case PARAM_VALUE:
    return "a number, or nested lists of numbers";
  case PARAM_VALUES:
    return "a list of numbers";
  }
  return "";
}

static const char *signature_text(Arena *arena, rsh_op op, const Param *param, int count) {
  int least = rsh_op_min_operands(op);
  const char *more = rsh_op_max_operands(op) == INT32_MAX ? ", ..." : least > 1 ? ", indices" : "";
  const char *text = arena_printf(arena, "%s(x%s", rsh_op_name(op), more);
  for (int i = 0; i < count; i++)
    text = arena_printf(arena, param[i].needed ? "%s, %s" : "%s, [%s]", text, param[i].name);
  return arena_printf(arena, "%s)", text);
}

enum { HELP_LINE = 80, HELP_NAME = 15 };

static void print_summary(FILE *out, const char *text) {
  print_row(out, (Cell[]){{text, HELP_LINE}}, 1);
}

static void print_param(FILE *out, const char *name, const char *text) {
  Cell row[] = {{"", 0}, {name, HELP_NAME}, {text, HELP_LINE - HELP_NAME - 4}};
  print_row(out, row, 3);
}

static void print_help_of(Arena *arena, rsh_op op, FILE *out) {
  Param param[RSH_MAX_ARGS];
  int count = params_of(arena, op, param);
  fprintf(out, "%s\n\n", signature_text(arena, op, param, count));
  print_summary(out, rsh_op_summary(op));
  for (int i = 0; i < count; i++) {
    const char *text = param_text(param[i].kind), *other = param[i].other;
    fputs(i == 0 ? "\n" : "", out);
    print_param(out, param[i].name,
                other ? arena_printf(arena, "%s; also written %s", text, other) : text);
  }
  OpExample e = op_example(op);
  const char *onnx = rsh_op_onnx_name(op);
  if (*onnx)
    fprintf(out, "\nfollows: %s of ONNX\n", onnx);
  else if (e.follows)
    fprintf(out, "\nfollows: %s\n", e.follows);
  if (e.statement)
    fprintf(out, "\nexample:\n  graph example(%s) -> %s {\n      %s\n  }\n", e.inputs, e.results,
            e.statement);
}

// rearrange is not in the table: a pattern becomes reshapes and transposes.
static const char rearrange_signature[] = "rearrange(x, ..., pattern, NAME=size, ...)";
static const char rearrange_help[] =
    "\n\n" REARRANGE_SUMMARY "\n\n"
    "  pattern          a string, \"axes of x -> axes of the result\"; (a b) is one\n"
    "                   axis made of two\n"
    "  NAME             the size of an axis that cannot be inferred\n\n"
    "follows: rearrange and repeat of einops, sums of einx\n\n"
    "example:\n"
    "  graph example(x: f32[2, 16, 24]) -> y {\n"
    "      y = rearrange(x, \"b s (h d) -> b h s d\", h=3)\n"
    "  }\n";

typedef struct Function {
  const char *name, *shown, *help, *example;
} Function;

static const Function functions[] = {
#define FUNCTION(id, name, fewest, most, shown, help, example) {name, shown, help, example},
#include "driver/base/functions.def"
#undef FUNCTION
};

static const Function *function_find(const char *name) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strcmp(functions[i].name, name) == 0)
      return &functions[i];
  return NULL;
}

bool print_op_help(Arena *arena, const char *name, FILE *out) {
  const Function *function = function_find(name);
  if (function && out) {
    fprintf(out, "%s\n\n", function->shown);
    print_summary(out, function->help);
    fprintf(out, "\na function of scripts\n\nexample:\n  %s\n", function->example);
  }
  bool is_rearrange = strcmp(name, "rearrange") == 0;
  if (is_rearrange && out)
    fprintf(out, "%s%s", rearrange_signature, rearrange_help);
  for (int op = 0; op < RSH_OP_COUNT && !is_rearrange; op++)
    if (strcmp(name, rsh_op_name((rsh_op)op)) == 0) {
      if (out)
        print_help_of(arena, (rsh_op)op, out);
      return true;
    }
  return is_rearrange || function;
}

const char *op_signature(Arena *arena, const char *name) {
  Param param[RSH_MAX_ARGS];
  if (strcmp(name, "rearrange") == 0)
    return rearrange_signature;
  for (int op = 0; op < RSH_OP_COUNT; op++)
    if (strcmp(name, rsh_op_name((rsh_op)op)) == 0)
      return signature_text(arena, (rsh_op)op, param, params_of(arena, (rsh_op)op, param));
  return NULL;
}

int help_names(const char *name[HELP_NAMES]) {
  int count = 0;
  name[count++] = "rearrange";
  for (int op = 0; op < RSH_OP_COUNT; op++)
    name[count++] = rsh_op_name((rsh_op)op);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    name[count++] = functions[i].name;
  return count;
}
