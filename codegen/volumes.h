// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers of elements that a function with sizes must be able to count, before it does anything.
#ifndef CODEGEN_VOLUMES_H
#define CODEGEN_VOLUMES_H

#include "codegen/plan.h"

// Of tensors with the same number of elements there is one.
typedef struct Volume {
  const rsh_shape *shape;
  rsh_num count;
  int64_t limit; // of elements: those of a tensor in memory fit a pointer difference in bytes
} Volume;

typedef struct Volumes {
  VEC(Volume) list;
} Volumes;

// Of all steps of the graph: resolve counts the elements of each. `pointer`: bits of the target's pointers.
Volumes volumes_of(Arena *arena, const Plan *plan, int pointer);
// Elements of a tensor in memory, of such a type, that a pointer difference counts.
int64_t volume_limit(rsh_dtype type, int pointer);

#endif
