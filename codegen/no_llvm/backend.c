// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without LLVM, the targets are the rows of targets.def. They have everything that C, headers and pictures need: the
// output is identical to that of a build with LLVM. The default target is x86-64 Linux on any machine.
#include "codegen/machine/backend.h"

#include <string.h>

typedef enum Order { ORDER_LITTLE, ORDER_BIG } Order;

typedef struct Known {
  const char *triple, *options, *normal, *family;
  int pointer;
  Order order;
  Unit unit;
} Known;

static const char host[] = "x86_64-pc-linux-gnu";

#define RSH_TARGET(triple, options, text, normal, family, bits, order, unit)                       \
  {triple, options, normal, family, bits, ORDER_##order, UNIT_##unit},
static const Known rows[] = {
#include "codegen/machine/targets.def"
    {host, "", host, "x86-64", 64, ORDER_LITTLE, UNIT_ALL}};
#undef RSH_TARGET
enum { ROWS = sizeof rows / sizeof *rows };

// NULL: there is no such row.
static const Known *find(Arena *arena, const char *triple, const EmitOptions *options) {
  const char *words = options->cpu        ? arena_printf(arena, "-mcpu=%s", options->cpu)
                      : options->features ? arena_printf(arena, "-mattr=%s", options->features)
                                          : "";
  for (int i = 0; i < ROWS; i++)
    if (strcmp(rows[i].normal, triple) == 0 && strcmp(rows[i].options, words) == 0)
      return (options->cpu && options->features) || options->abi ? NULL : &rows[i];
  return NULL;
}

const char *backend_version(Arena *arena) {
  (void)arena;
  return "no LLVM: C only (--emit=c)";
}

const char *backend_host_triple(Arena *arena) {
  (void)arena;
  return host;
}

const char *backend_triple(Arena *arena, const char *triple) {
  (void)arena;
  for (int i = 0; i < ROWS; i++)
    if (strcmp(rows[i].triple, triple) == 0)
      return rows[i].normal;
  return triple;
}

const char *backend_host_cpu(Arena *arena) {
  (void)arena;
  return "generic";
}

const char *backend_host_features(Arena *arena) {
  (void)arena;
  return "";
}

const char *backend_family(Arena *arena, const EmitOptions *options, const Target *target,
                           Diag *diag) {
  const Known *known = find(arena, target->triple, options);
  if (!known)
    diag_error_file(diag, "no_llvm",
                    "this build of reshapec has no LLVM, so it knows only the targets of 'reshapec "
                    "--print-targets', with their options");
  return known ? known->family : NULL;
}

bool backend_open(Arena *arena, const EmitOptions *options, Target *target, Diag *diag) {
  (void)diag;
  const Known *known = find(arena, target->triple, options);
  target->pointer = known->pointer;
  target->is_big = known->order == ORDER_BIG;
  target->unit = known->unit;
  return true;
}

void backend_close(Target *target) { (void)target; }

void target_find_unit(Target *target, const Plan *const *plans, int count) {
  (void)plans, (void)count;
  ElementMachine *element = &target->can.element;
  element->has_single = target->unit >= UNIT_SINGLE;
  element->has_double = target->unit >= UNIT_DOUBLE;
  element->has_long = target->unit >= UNIT_ALL;
}

bool backend_emit(Arena *arena, const Plan *const *plans, int count, const EmitOptions *options,
                  Target *target, EmitKind kind, bool passes, Bytes *out, Diag *diag) {
  (void)arena, (void)plans, (void)count, (void)options, (void)target, (void)kind, (void)passes,
      (void)out;
  diag_error_file(diag, "no_llvm",
                  "this build of reshapec has no LLVM, so it emits only C: write --emit=c, or use "
                  "a build with LLVM");
  return false;
}

void backend_abandon(void) {}

void backend_watch_memory(void (*failed)(void)) { (void)failed; }
