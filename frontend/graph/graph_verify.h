// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The invariants of graphs. Returns NULL or a description of the fault. fold_graph checks both and reports a
// compiler fault.
#ifndef FRONTEND_GRAPH_VERIFY_H
#define FRONTEND_GRAPH_VERIFY_H

#include "frontend/graph/graph.h"

// After lowering: values, order of nodes, symbols, conditions, results.
const char *graph_verify(const Graph *graph);
// After folding: the moves of its values, their sources and element counts.
const char *graph_verify_moves(const Graph *graph);

#endif
