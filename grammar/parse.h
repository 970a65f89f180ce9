// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text to tree. Reports every syntax error to `diag`, and recovers at the ends of statements and graphs;
// the tree has everything that could be parsed.
#ifndef GRAMMAR_PARSE_H
#define GRAMMAR_PARSE_H

#include "frontend/text/ast.h"

Ast *parse_source(Arena *arena, const Source *source, Diag *diag);

#endif
