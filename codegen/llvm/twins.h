// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Outputs that do the same to memory, but for where in their input they begin: they share one kernel.
// Queries, keys and values that are split off one tensor are the usual case.
#ifndef CODEGEN_TWINS_H
#define CODEGEN_TWINS_H

#include "codegen/plan/plan.h"
#include "frontend/text/hash.h"

#include <llvm-c/Core.h>

typedef struct Twin {
  const char *key;       // what the nests do, see twin_key
  int uses;              // outputs with this key
  int number;            // in order of first use
  LLVMValueRef function; // void (const void *first, void *output), once it is built
  UT_hash_handle hh;
} Twin;

// All keys of the plans' outputs. The table lives in the arena, its hash is freed with twins_free.
Twin *twins_of(Arena *arena, const Plan *const *plans, int count);
void twins_free(Twin *twins);

// The twin of an output that at least one other output shares; NULL for all others.
Twin *twin_find(Twin *twins, Arena *arena, const Plan *plan, const OutputPlan *output);

#endif
