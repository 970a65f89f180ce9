// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one layout of a text. Only white space changes, and where statements end: tokens and comments stay as
// they are written, in their order.
#ifndef GRAMMAR_FORMAT_H
#define GRAMMAR_FORMAT_H

#include "frontend/text/diag.h"

// The text in its layout, ended by NUL, *length bytes. NULL: it has syntax errors, reported to `diag`.
const char *format_source(Arena *arena, Source *source, size_t *length, Diag *diag);

#endif
