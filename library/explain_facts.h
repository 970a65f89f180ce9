// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts for explanations, both as text and as JSON.
#ifndef LIBRARY_EXPLAIN_FACTS_H
#define LIBRARY_EXPLAIN_FACTS_H

#include "codegen/plan/plan.h"

// The single move of an output, if it reads an input directly; else NULL.
const rsh_move *explain_single_move(const Graph *graph, const OutputPlan *output);
// The nests that compute an output, starting with those of passes; *count is their number.
const Nest **explain_nests(Arena *arena, const OutputPlan *output, int *count);
// The number of times that the cycles are run.
rsh_num explain_batches(const Graph *graph, const Cycles *c);
// "4, 1"
const char *explain_strides(Arena *arena, const Graph *graph, const Placed *placed);

#endif
