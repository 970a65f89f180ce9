// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hints for syntax of other languages, with a replacement.
#ifndef GRAMMAR_HINTS_H
#define GRAMMAR_HINTS_H

#include "grammar/parser.h"

// The end of a message about this token, such as "; a comment begins with '#'", or "".
const char *syntax_hint(const Parser *parser, Span token);

#endif
