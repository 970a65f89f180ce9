// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `view` contract: a value that must not need a copy, and the reason if it does.
#ifndef FRONTEND_VIEW_H
#define FRONTEND_VIEW_H

#include "frontend/graph/graph.h"

// Reports not_a_view, with the operator and the axes that force the copy.
void check_view(const Graph *graph, const Value *value, Diag *diag);

#endif
