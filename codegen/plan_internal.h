// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between the files of the planner.
#ifndef CODEGEN_PLAN_INTERNAL_H
#define CODEGEN_PLAN_INTERNAL_H

#include "codegen/plan.h"

// Orders the loops of a nest, and blocks a transposition; 1 or 2 nests that together do the same.
// The second is what is left of a loop that is cut in blocks.
int nest_schedule(Arena *arena, rsh_symbols *symbols, const Nest *nest, Nest part[2]);

// Elements of less than a byte, one by one, as runs of whole bytes as far as they are; the number of *out.
int nests_of_packed(Arena *arena, const Nest *nest, Nest **out);

// Joins nests that differ in nothing but their offsets, where there are many; gives the number of *out.
int nests_join_places(Arena *arena, Nest *nest, int count, Nest **out);

// The sentence of an output whose tier, moves and nests are settled.
const char *plan_why(Arena *arena, const Graph *graph, const OutputPlan *out);

#endif
