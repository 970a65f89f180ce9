// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/plan/processor.h"

#include "frontend/text/words.h"

#include <stddef.h>

typedef struct Row {
  const char *cpus; // "znver4 znver5"
  Processor processor;
} Row;

#define RSH_MACHINE(name, cpus, l1, ways, l2, last, page, pages, near, far, rows, channels, queue, \
                    past, tile, planes, in_l1, in_l2, in_last, in_memory)                          \
  {cpus,                                                                                           \
   {name,                                                                                          \
    (l1) * INT64_C(1024),                                                                          \
    ways,                                                                                          \
    (l2) * INT64_C(1024),                                                                          \
    (last) * INT64_C(1024),                                                                        \
    page,                                                                                          \
    pages,                                                                                         \
    near,                                                                                          \
    far,                                                                                           \
    rows,                                                                                          \
    channels,                                                                                      \
    queue,                                                                                         \
    (past) * INT64_C(1024),                                                                        \
    tile,                                                                                          \
    planes,                                                                                        \
    in_l1,                                                                                         \
    in_l2,                                                                                         \
    in_last,                                                                                       \
    in_memory,                                                                                     \
    false,                                                                                         \
    false}},
static const Row rows[] = {
#include "codegen/plan/machines.def"
};
#undef RSH_MACHINE

const Processor *processor_find(const char *cpu) {
  for (size_t i = 0; cpu && i < sizeof rows / sizeof *rows; i++)
    if (has_word(rows[i].cpus, cpu))
      return &rows[i].processor;
  return &rows[0].processor;
}

const Processor *processor_for(Arena *arena, const Processor *row, bool small, Shuffles shuffles) {
  Processor *copy = ARENA_NEW(arena, Processor);
  *copy = *row;
  copy->small = small;
  copy->shuffles = shuffles;
  return copy;
}
