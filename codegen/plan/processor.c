// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/plan/processor.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct Row {
  const char *cpus; // "znver4 znver5"
  Processor processor;
} Row;

#define RSH_MACHINE(name, cpus, l1, ways, l2, last, page, pages, near, far, channels, queue, past) \
  {cpus,                                                                                           \
   {name, (l1)*INT64_C(1024), ways, (l2)*INT64_C(1024), (last)*INT64_C(1024), page, pages, near,   \
    far, channels, queue, (past)*INT64_C(1024)}},
static const Row rows[] = {
#include "codegen/plan/machines.def"
};
#undef RSH_MACHINE

static bool has_word(const char *words, const char *word) {
  size_t length = strlen(word);
  for (const char *at = words; *at; at += strcspn(at, " "), at += *at == ' ')
    if (strcspn(at, " ") == length && strncmp(at, word, length) == 0)
      return true;
  return false;
}

const Processor *processor_find(const char *cpu) {
  for (size_t i = 0; cpu && i < sizeof rows / sizeof *rows; i++)
    if (has_word(rows[i].cpus, cpu))
      return &rows[i].processor;
  return &rows[0].processor;
}
