// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DRIVER_VERIFY_SIZES_H
#define DRIVER_VERIFY_SIZES_H

#include "codegen/plan/plan.h"
#include "driver/verify/verify_bind.h"

// Sizes, shapes and targets for runs of a graph. A static graph has one trial, without text.
typedef struct Trial {
  Map *map;            // with its sizes, and an arena of its own
  rsh_status expected; // of the call
  const char *text;    // "B = 2, S = 5"
  bool is_known;       // else the result of the call is unknown
  bool is_any;         // any refusal: the graph was refused before the data of its lists was read
  bool
      is_huge; // the tensors exceed the address space: the call must return `expected` and access no memory
} Trial;

typedef struct Trials {
  VEC(Trial) trial;
} Trials;

// `is_quick`: few trials, for -fverify.
Trials trials_of(Arena *arena, const Written *written, const Plan *plan, bool is_quick);

#endif
