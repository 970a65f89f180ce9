// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers of elements that a function with sizes must be able to count, before it does anything.
#ifndef CODEGEN_VOLUMES_H
#define CODEGEN_VOLUMES_H

#include "codegen/plan/plan.h"

typedef struct Volume {
  const rsh_shape *shape;
  rsh_num count;
  int64_t limit;          // of elements
  int node;               // whose result it is, or GUARD_WHERE of an input
  const int64_t *divisor; // of each size, which then is over the symbols themselves; else NULL
  bool is_late;           // it is made of what the conditions of that node say
  int symbols;            // its sizes are made of the first so many
} Volume;

// Of tensors with the same number of elements there is one.
typedef struct Volumes {
  VEC(Volume) list;
} Volumes;

// Of the inputs and of each operator's results, which 64 bits must count: in the order of the graph.
Volumes volumes_of(Arena *arena, const Plan *plan);
// Behind the volumes from `first` on whose elements are counted before the guard is asked: those of inputs and of
// operators before it, and of a reshape those of its target, after what stands before overflow in statuses.def.
int volumes_before(const Volumes *volumes, int first, const Graph *graph, const Guard *guard);
// Of what lies in memory and may be too large there, though its elements can be counted: bytes fit a pointer
// difference. `pointer`: bits of the target's pointers.
Volumes volumes_in_memory(Arena *arena, const Plan *plan, int pointer);
// Elements of a tensor in memory, of such a type, that a pointer difference counts.
int64_t volume_limit(rsh_dtype type, int pointer);

#endif
