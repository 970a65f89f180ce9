// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plan as tasks that may run at the same time (--parallel). No two tasks write to the same line of an
// output that is aligned to lines: ranges of loops end at lines.
#ifndef CODEGEN_SPLIT_H
#define CODEGEN_SPLIT_H

#include "codegen/plan/plan.h"

// One nest, or those of a zip, which have the same loops. Task i of n executes the iterations [units * i / n, units *
// (i + 1) / n) of a loop, in units:
//
//   for 3136: dst 200, src 4     200 * 8 bytes are whole lines, so a unit is 8 iterations
typedef struct Share {
  const Nest *nest;
  int nest_count;
  int depth;    // of the loop; below 0: one task executes all of it
  int64_t unit; // iterations
  int task;     // depth < 0: the task, modulo their number,
  int parts;    // and the number of tasks that the nests of the output occupy
} Share;

// An output. No shares: the first task computes all of it, as the graph's function does.
typedef struct Split {
  Share *share;
  int count;
} Split;

// The most tasks that a graph is divided into.
enum { MOST_TASKS = 64 };

// By output; NULL: there is one task. `tasks`: receives their number; 0: it depends on sizes, and a function computes
// it.
const Split *plan_split(Arena *arena, const Plan *plan, int64_t *tasks);

#endif
