// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Outputs whose nests differ only in their start in the input: they share one kernel. The usual case is queries, keys
// and values that are split from one tensor.
#ifndef CODEGEN_TWINS_H
#define CODEGEN_TWINS_H

#include "codegen/plan/plan.h"
#include "frontend/text/hash.h"

#include <llvm-c/Core.h>

typedef struct Twin {
  const char *key;       // describes the nests, see twin_key
  int uses;              // outputs with this key
  int number;            // in order of first use
  LLVMValueRef function; // void (const void *first, void *output); NULL until it is built
  UT_hash_handle hh;
} Twin;

// The keys of all outputs of the plans. The table is in the arena; twins_free frees its hash.
Twin *twins_of(Arena *arena, const Plan *const *plans, int count);
void twins_free(Twin *twins);

// The twin of an output if another output shares it, else NULL.
Twin *twin_find(Twin *twins, Arena *arena, const Plan *plan, const OutputPlan *output);

#endif
