// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --version, --list-ops, --list-statuses and --print-targets, printed from the tables of this build.
#include "codegen/machine/backend.h"
#include "driver/base/options.h"

#include <string.h>

void print_version(FILE *out) {
  Arena *arena = arena_new();
  fprintf(out, "reshapec %s\n%s\ndefault target: %s\n", RESHAPEC_VERSION, backend_version(arena),
          backend_host_triple(arena));
  arena_free(arena);
}

// The number of tensors that an operator takes: "1", "1-3", "1+".
static void print_operands(rsh_op op, char *text, size_t size) {
  int32_t least = rsh_op_min_operands(op), most = rsh_op_max_operands(op);
  if (most == INT32_MAX)
    snprintf(text, size, "%d+", (int)least);
  else if (most == least)
    snprintf(text, size, "%d", (int)least);
  else
    snprintf(text, size, "%d-%d", (int)least, (int)most);
}

enum { LINE = 100 }; // columns of a terminal that the tables fit

// Bytes of the text that fit one line of the cell: whole words.
static int list_piece(Cell cell) {
  int length = (int)strlen(cell.text), cut = cell.width;
  if (length <= cell.width)
    return length;
  while (cut > 0 && cell.text[cut] != ' ')
    cut--;
  return cut > 0 ? cut : (int)strcspn(cell.text, " ");
}

void print_row(FILE *out, Cell *cell, int count) {
  bool more = true;
  while (more) {
    int blanks = 0;
    more = false;
    for (int i = 0; i < count; i++) {
      int piece = list_piece(cell[i]);
      if (piece > 0)
        fprintf(out, "%*s%.*s", blanks, "", piece, cell[i].text);
      blanks = (piece > 0 ? 0 : blanks) + cell[i].width - piece + 2;
      cell[i].text += piece + strspn(cell[i].text + piece, " ");
      more = more || *cell[i].text;
    }
    fputc('\n', out);
  }
}

static int longest_word(const char *text) {
  int longest = 0;
  for (; *text; text += strspn(text, " ")) {
    int n = (int)strcspn(text, " ");
    longest = n > longest ? n : longest;
    text += n;
  }
  return longest;
}

static void print_functions(FILE *out) {
  static const struct {
    const char *shown, *help;
  } functions[] = {
      {"function of scripts", "meaning"},
#define FUNCTION(id, name, fewest, most, shown, help, example) {shown, help},
#include "driver/base/functions.def"
#undef FUNCTION
  };
  int shown = 0;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    int n = (int)strlen(functions[i].shown);
    shown = n > shown ? n : shown;
  }
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    print_row(out, (Cell[]){{functions[i].shown, shown}, {functions[i].help, LINE - shown - 2}}, 2);
}

void print_ops(FILE *out) {
  int name = 8, arguments = 9;
  for (int op = 0; op < RSH_OP_COUNT; op++) {
    int n = (int)strlen(rsh_op_name((rsh_op)op)), a = longest_word(rsh_op_arguments((rsh_op)op));
    name = n > name ? n : name;
    arguments = a > arguments ? a : arguments;
  }
  int meaning = LINE - name - 7 - arguments - 3 * 2;
  print_row(
      out,
      (Cell[]){{"operator", name}, {"tensors", 7}, {"arguments", arguments}, {"meaning", meaning}},
      4);
  print_row(out,
            (Cell[]){{"rearrange", name},
                     {"1+", 7},
                     {"pattern:text! NAME:int", arguments},
                     {REARRANGE_SUMMARY, meaning}},
            4);
  for (int op = 0; op < RSH_OP_COUNT; op++) {
    char tensors[32];
    print_operands((rsh_op)op, tensors, sizeof tensors);
    print_row(out,
              (Cell[]){{rsh_op_name((rsh_op)op), name},
                       {tensors, 7},
                       {rsh_op_arguments((rsh_op)op), arguments},
                       {rsh_op_summary((rsh_op)op), meaning}},
              4);
  }
  fputc('\n', out);
  print_functions(out);
}

void print_targets(FILE *out) {
  static const struct {
    const char *triple, *options, *text;
  } targets[] = {
#define RSH_TARGET(triple, options, text, normal, family, bits, order, unit)                       \
  {triple, options, text},
#include "codegen/machine/targets.def"
#undef RSH_TARGET
  };
  fprintf(out, "%-28s  %-16s  %s\n", "--target=", "and", "which is");
  for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
    fprintf(out, "%-28s  %-16s  %s\n", targets[i].triple, targets[i].options, targets[i].text);
}

void print_statuses(FILE *out) {
  int name = 0;
  for (int s = 0; s < RSH_STATUS_COUNT; s++) {
    int n = (int)strlen(rsh_status_name((rsh_status)s));
    name = n > name ? n : name;
  }
  for (int s = 0; s < RSH_STATUS_COUNT; s++)
    fprintf(out, "%-*s  %s\n", name, rsh_status_name((rsh_status)s),
            rsh_status_string((rsh_status)s));
}
