// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DRIVER_VERIFY_SIZES_H
#define DRIVER_VERIFY_SIZES_H

#include "codegen/plan/plan.h"
#include "driver/verify/verify_bind.h"

// Sizes, shapes and targets that a graph is run with. Of a static graph there is one, without a text.
typedef struct Trial {
  Map *map;            // with its sizes, and an arena of its own
  rsh_status expected; // of the call
  const char *text;    // "B = 2, S = 5"
  bool is_known;       // else nothing is known of what it must return
  bool is_huge; // no memory holds these tensors: the call must say `expected`, and touch nothing
} Trial;

typedef struct Trials {
  VEC(Trial) trial;
} Trials;

// `is_quick`: few, for a compile.
Trials trials_of(Arena *arena, const Written *written, const Plan *plan, bool is_quick);

#endif
