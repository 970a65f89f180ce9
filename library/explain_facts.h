// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What explanations tell, as text and as JSON.
#ifndef LIBRARY_EXPLAIN_FACTS_H
#define LIBRARY_EXPLAIN_FACTS_H

#include "codegen/plan/plan.h"

// The one move of an output, where its addresses are those of an input; NULL where there is none.
const rsh_move *explain_single_move(const Graph *graph, const OutputPlan *output);
// The nests that make an output, those of passes first; *count of them.
const Nest **explain_nests(Arena *arena, const OutputPlan *output, int *count);
// How many times over the cycles run.
rsh_num explain_batches(const Graph *graph, const Cycles *c);
// "4, 1"
const char *explain_strides(Arena *arena, const Graph *graph, const Placed *placed);

#endif
