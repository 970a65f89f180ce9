// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/machine/known.h"

#include <string.h>

typedef enum Order { ORDER_LITTLE, ORDER_BIG } Order;

const char known_host[] = "x86_64-pc-linux-gnu";

#define RSH_TARGET(triple, options, text, normal, family, bits, order, unit)                       \
  {triple, options, normal, family, bits, ORDER_##order == ORDER_BIG, UNIT_##unit},
static const KnownTarget rows[] = {
#include "codegen/machine/targets.def"
    {known_host, "", known_host, "x86-64", 64, false, UNIT_ALL}};
#undef RSH_TARGET
enum { ROWS = sizeof rows / sizeof *rows };

const KnownTarget *known_target(Arena *arena, const char *normal, const EmitOptions *options) {
  const char *words = options->cpu        ? arena_printf(arena, "-mcpu=%s", options->cpu)
                      : options->features ? arena_printf(arena, "-mattr=%s", options->features)
                                          : "";
  if ((options->cpu && options->features) || options->abi)
    return NULL;
  for (int i = 0; i < ROWS; i++)
    if (strcmp(rows[i].normal, normal) == 0 && strcmp(rows[i].options, words) == 0)
      return &rows[i];
  return NULL;
}

const KnownTarget *known_processor(Arena *arena, const char *cpu) {
  const char *option = arena_printf(arena, "-mcpu=%s", cpu);
  for (int i = 0; i < ROWS; i++)
    if (strcmp(rows[i].options, option) == 0)
      return &rows[i];
  return NULL;
}

const char *known_triple(const char *triple) {
  for (int i = 0; i < ROWS; i++)
    if (strcmp(rows[i].triple, triple) == 0)
      return rows[i].normal;
  return triple;
}
