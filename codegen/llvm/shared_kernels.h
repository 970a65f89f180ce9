// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Outputs whose nests differ only in their start in the input: they share one kernel. The usual case is queries, keys
// and values that are split from one tensor.
#ifndef CODEGEN_SHARED_KERNELS_H
#define CODEGEN_SHARED_KERNELS_H

#include "codegen/plan/plan.h"
#include "frontend/text/hash.h"

#include <llvm-c/Core.h>

typedef struct SharedKernel {
  const char *key;       // describes the nests, see shared_kernel_key
  int uses;              // outputs with this key
  int number;            // in order of first use
  LLVMValueRef function; // void (const void *first, void *output); NULL until it is built
  UT_hash_handle hh;
} SharedKernel;

// The keys of all outputs of the plans. The table is in the arena; shared_kernels_free frees its hash.
SharedKernel *shared_kernels_of(Arena *arena, const Plan *const *plans, int count);
void shared_kernels_free(SharedKernel *shared_kernels);

// The kernel of an output if another output shares it, else NULL.
SharedKernel *shared_kernel_find(SharedKernel *shared_kernels, Arena *arena, const Plan *plan,
                                 const OutputPlan *output);

#endif
