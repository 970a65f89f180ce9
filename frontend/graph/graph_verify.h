// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The invariants of graphs: NULL, or what is wrong. fold_graph checks both and reports a fault of the compiler.
#ifndef FRONTEND_GRAPH_VERIFY_H
#define FRONTEND_GRAPH_VERIFY_H

#include "frontend/graph/graph.h"

// As it was lowered: values, nodes in order, symbols, conditions, results.
const char *graph_verify(const Graph *graph);
// The moves of its values, once it is folded: from where, and as many elements as there are.
const char *graph_verify_moves(const Graph *graph);

#endif
