// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The standard layout of a text. Only white space and the separators of statements change: tokens and comments, and
// their order, stay.
#ifndef GRAMMAR_FORMAT_H
#define GRAMMAR_FORMAT_H

#include "frontend/text/diag.h"

// The text in the standard layout, *length bytes and a NUL. NULL: it has syntax errors, reported to `diag`.
const char *format_source(Arena *arena, Source *source, size_t *length, Diag *diag);

#endif
