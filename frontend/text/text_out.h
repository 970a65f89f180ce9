// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A string written like a file. If memory runs out, rescue.h handles it, so no text is ever truncated.
//
//   TextOut text;
//   FILE *out = text_out_begin(&text);
//   fputs("a", out);
//   const char *all = text_out_end(&text, arena, &size);
#ifndef FRONTEND_TEXT_OUT_H
#define FRONTEND_TEXT_OUT_H

#include "frontend/text/arena.h"

#include <stdio.h>

typedef struct TextStream TextStream;

typedef struct TextOut {
  TextStream *stream;
} TextOut;

FILE *text_out_begin(TextOut *text);
// The text, in the arena, NUL-terminated. `size` may be NULL.
char *text_out_end(TextOut *text, Arena *arena, size_t *size);

#endif
