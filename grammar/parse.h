// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text to tree. Every syntax error of the text is reported to `diag`, with recovery at the ends of
// statements and graphs; the tree holds what could be read.
#ifndef GRAMMAR_PARSE_H
#define GRAMMAR_PARSE_H

#include "frontend/text/ast.h"

Ast *parse_source(Arena *arena, const Source *source, Diag *diag);

#endif
