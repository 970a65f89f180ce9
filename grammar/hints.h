// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What to write instead of syntax that other languages have.
#ifndef GRAMMAR_HINTS_H
#define GRAMMAR_HINTS_H

#include "grammar/parser.h"

// The end of a message about this token, "; a comment begins with '#'", or "".
const char *syntax_hint(const Parser *parser, Span token);

#endif
