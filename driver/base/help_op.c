// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reshapec help OPERATOR: how it is called, what it does, and an example that compiles.
#include "driver/base/options.h"

#include <string.h>

typedef struct Example {
  const char *inputs, *results, *statement;
} Example;

// The statement is NULL where there is none.
static Example example_of(rsh_op op) {
  static const Example all[RSH_OP_COUNT] = {
#define EXAMPLE(id, inputs, results, statement) [RSH_OP_##id] = {inputs, results, statement},
#include "driver/base/examples.def"
#undef EXAMPLE
  };
  return all[op];
}

// What a kind of argument in ops.def takes.
static const char *kind_text(const char *kind, size_t length) {
  static const char *const kinds[][2] = {
      {"int", "an integer"},
      {"bool", "true or false"},
      {"text", "a text"},
      {"dtype", "an element type"},
      {"ints", "an integer or a list of integers"},
      {"data", "an integer, a list of integers, or a 1-D integer tensor"},
      {"target", "a list of sizes, or a 1-D integer tensor"},
      {"name", "the name of a function of elements, or None"},
      {"indices", "an integer, nested lists of integers, or an integer tensor"},
      {"value", "a number, or nested lists of numbers"},
      {"values", "a list of numbers"},
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strlen(kinds[i][0]) == length && strncmp(kind, kinds[i][0], length) == 0)
      return kinds[i][1];
  return "";
}

// One of "axes|axis:data!": "axes", "axis", "data", and whether it is required.
typedef struct Argument {
  int name, other, kind; // lengths; other: 0 where there is none
  const char *at;
  bool is_required;
} Argument;

// The next argument of a text, which moves on. False: there is none.
static bool next_argument(const char **text, Argument *out) {
  const char *at = *text + strspn(*text, " ");
  int length = (int)strcspn(at, " "), colon = (int)strcspn(at, ":"), bar = (int)strcspn(at, "|:");
  if (length == 0)
    return false;
  *out = (Argument){.name = bar, .other = bar < colon ? colon - bar - 1 : 0, .at = at};
  out->is_required = at[length - 1] == '!';
  out->kind = length - colon - 1 - out->is_required;
  *text = at + length;
  return true;
}

// slice(x, starts, ends, [axes], [steps])
static void print_signature(rsh_op op, FILE *out) {
  int least = rsh_op_min_operands(op);
  const char *more = rsh_op_max_operands(op) == INT32_MAX ? ", ..." : least > 1 ? ", indices" : "";
  fprintf(out, "%s(x%s", rsh_op_name(op), more);
  const char *text = rsh_op_arguments(op);
  for (Argument a; next_argument(&text, &a);)
    fprintf(out, a.is_required ? ", %.*s" : ", [%.*s]", a.name, a.at);
  fputs(")\n", out);
}

static void print_help_of(rsh_op op, FILE *out) {
  print_signature(op, out);
  fprintf(out, "\n%s\n", rsh_op_summary(op));
  const char *text = rsh_op_arguments(op), *onnx = rsh_op_onnx_name(op);
  if (*text)
    fputs("\n", out);
  for (Argument a; next_argument(&text, &a);) {
    fprintf(out, "  %-16.*s %s", a.name, a.at,
            kind_text(a.at + (a.other ? a.other + 1 : 0) + a.name + 1, (size_t)a.kind));
    if (a.other)
      fprintf(out, "; also written %.*s", a.other, a.at + a.name + 1);
    fputs("\n", out);
  }
  if (*onnx)
    fprintf(out, "\nONNX calls it %s.\n", onnx);
  Example e = example_of(op);
  if (e.statement)
    fprintf(out, "\nexample:\n  graph example(%s) -> %s {\n      %s\n  }\n", e.inputs, e.results,
            e.statement);
}

// It is not in the table: a pattern becomes reshapes and transposes.
static const char rearrange_help[] =
    "rearrange(x, ..., pattern, NAME=size, ...)\n\n"
    "named axes reordered, split, joined, repeated or stacked, as in einops\n\n"
    "  pattern          a text, \"axes of x -> axes of the result\"; (a b) is one axis made of "
    "two\n"
    "  NAME             the size of an axis that cannot be inferred\n\n"
    "example:\n"
    "  graph example(x: f32[2, 16, 24]) -> y {\n"
    "      y = rearrange(x, \"b s (h d) -> b h s d\", h=3)\n"
    "  }\n";

bool print_op_help(const char *name, FILE *out) {
  bool is_rearrange = strcmp(name, "rearrange") == 0;
  if (is_rearrange && out)
    fputs(rearrange_help, out);
  for (int op = 0; op < RSH_OP_COUNT && !is_rearrange; op++)
    if (strcmp(name, rsh_op_name((rsh_op)op)) == 0) {
      if (out)
        print_help_of((rsh_op)op, out);
      return true;
    }
  return is_rearrange;
}
