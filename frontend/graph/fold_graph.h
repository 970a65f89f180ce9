// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fold_graph: computes the moves of every value that an output needs, and checks the `view` contracts.
#ifndef FRONTEND_FOLD_GRAPH_H
#define FRONTEND_FOLD_GRAPH_H

#include "frontend/graph/graph.h"

// False: an error was reported (not_a_view, overflow). Moves refer to inputs, and to staged values if
// a chain would split into too many pieces.
bool fold_graph(Arena *arena, Graph *graph, Diag *diag);

#endif
