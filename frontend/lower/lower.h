// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// lower: tree to graph. Looks names up, binds arguments to the operator table, resolves every shape
// through the runtime, inlines calls of graphs, turns rearrange into primitive steps.
#ifndef FRONTEND_LOWER_H
#define FRONTEND_LOWER_H

#include "frontend/graph/graph.h"

// All independent mistakes are reported; a statement with a mistake poisons its names quietly.
// A graph with an error is left out of the module.
Module *lower_module(Arena *arena, const Ast *ast, Diag *diag);

#endif
