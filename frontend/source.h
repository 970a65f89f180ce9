// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A source text and places in it. A place is a byte range; lines and columns are counted only when
// a message is printed (columns count UTF-8 characters from 1; a tab is one column).
#ifndef FRONTEND_SOURCE_H
#define FRONTEND_SOURCE_H

#include "frontend/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Span {
  uint32_t begin, end; // bytes from the start of the text, end excluded
} Span;

static inline Span span_join(Span a, Span b) {
  Span s = {a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
  return s;
}

typedef struct Source {
  const char *name; // as given on the command line, "<stdin>" for -
  const char *text; // length bytes, then two NULs (what flex wants)
  uint32_t length;
  // A model has no lines: what a span covers is not a part of a text but says which part of the model is
  // meant, "node 3 'r' (Reshape)".
  bool is_model;
} Source;

// Reads a whole file ("-": standard input). On failure returns NULL and sets *why (static or arena text).
// Refuses a directory, an unreadable file, more than 64 MiB.
const Source *source_read(Arena *arena, const char *path, const char **why);
const Source *source_from_text(Arena *arena, const char *name, const char *text, size_t length);

typedef struct Place {
  uint32_t line, column; // from 1
} Place;
Place source_place(const Source *source, uint32_t offset);

// Bytes of the UTF-8 character that starts at text[0], 1 to 4, or 0 where the bytes before `end`
// are none (a surrogate and an overlong form are none). text < end.
int utf8_length(const char *text, const char *end);

#endif
