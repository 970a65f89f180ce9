// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers of elements that a function with sizes first checks for overflow.
#ifndef CODEGEN_VOLUMES_H
#define CODEGEN_VOLUMES_H

#include "codegen/plan/plan.h"

typedef struct Volume {
  const rsh_shape *shape;
  const rsh_shape *now;   // the same over Graph.symbols: see Counted
  int64_t limit;          // of elements
  int node;               // whose result it is; GUARD_WHERE: an input
  const int64_t *divisor; // of each size, which is then over the symbols themselves; else NULL
  bool is_late;           // it depends on conditions of that node
  int inferred; // the axis that is not counted, since conditions of that node determine its size; -1: none
  int symbols; // its sizes use only the first this many
} Volume;

// A tensor has no entry if that of another one covers it (graph_covers).
typedef struct Volumes {
  VEC(Volume) list;
} Volumes;

// Volumes of the inputs and of each operator's results, which must fit 64 bits, in order of the graph.
Volumes volumes_of(Arena *arena, const Plan *plan);
// The end of the volumes, from `first` on, that are checked before the guard: volumes of inputs and of earlier
// operators; for a reshape also that of its target, if the guard is a condition of the reshape itself and its status
// comes after overflow in statuses.def.
int volumes_before(const Volumes *volumes, int first, const Graph *graph, const Guard *guard);
// Volumes of tensors in memory whose bytes may not fit a pointer difference, though their elements can be counted.
// Those of staged values, too: they are not in memory, but lookups count places in them as if they were.
// `pointer`: bits of the target's pointers.
Volumes volumes_in_memory(Arena *arena, const Plan *plan, int pointer);
// Those of staged values that the volumes of inputs and outputs do not cover.
Volumes volumes_in_stages(Arena *arena, const Plan *plan, int pointer);
// The most elements of this type whose bytes fit a pointer difference.
int64_t volume_limit(rsh_dtype type, int pointer);

#endif
