// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plan as tasks that may run at the same time (--parallel). No two of them write to the same line of an
// output that begins at one: ranges of loops end where lines do.
#ifndef CODEGEN_SPLIT_H
#define CODEGEN_SPLIT_H

#include "codegen/plan/plan.h"

// One nest. Task i of n does the indexes [units * i / n, units * (i + 1) / n) of a loop, in units:
//
//   for 3136: dst 200, src 4     200 * 8 bytes are whole lines, so a unit is 8 indexes
typedef struct Share {
  Nest nest;
  int depth;    // of the loop; below 0: one task does the nest
  int64_t unit; // indexes
  int task;     // depth < 0: which, modulo their number
} Share;

// An output. No shares: the first task does it as the graph's function does.
typedef struct Split {
  Share *share;
  int count;
} Split;

// The most tasks that a graph is divided in.
enum { MOST_TASKS = 64 };

// By output; NULL where one task does all. `tasks`: how many there are, or 0: the function that counts them
// looks at the sizes.
const Split *plan_split(Arena *arena, const Plan *plan, int64_t *tasks);

#endif
