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

// "1", "1-3", "1 or more": the tensors an operator takes.
static void print_operands(rsh_op op, char *text, size_t size) {
  int32_t least = rsh_op_min_operands(op), most = rsh_op_max_operands(op);
  if (most == INT32_MAX)
    snprintf(text, size, "%d+", (int)least);
  else if (most == least)
    snprintf(text, size, "%d", (int)least);
  else
    snprintf(text, size, "%d-%d", (int)least, (int)most);
}

void print_ops(FILE *out) {
  int name = 8, arguments = 9;
  for (int op = 0; op < RSH_OP_COUNT; op++) {
    int n = (int)strlen(rsh_op_name((rsh_op)op)), a = (int)strlen(rsh_op_arguments((rsh_op)op));
    name = n > name ? n : name;
    arguments = a > arguments ? a : arguments;
  }
  fprintf(out, "%-*s  tensors  %-*s  meaning\n", name, "operator", arguments, "arguments");
  for (int op = 0; op < RSH_OP_COUNT; op++) {
    char tensors[32];
    print_operands((rsh_op)op, tensors, sizeof tensors);
    fprintf(out, "%-*s  %-7s  %-*s  %s\n", name, rsh_op_name((rsh_op)op), tensors, arguments,
            rsh_op_arguments((rsh_op)op), rsh_op_summary((rsh_op)op));
  }
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
