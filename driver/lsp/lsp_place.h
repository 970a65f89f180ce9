// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Positions of LSP: lines and UTF-16 code units, both from 0. Lines end with \n, \r\n or \r there, not with \n alone.
//
//   # größe 😀 x     x is byte 15, character 11
#ifndef DRIVER_LSP_PLACE_H
#define DRIVER_LSP_PLACE_H

#include "frontend/text/source.h"

#include <jansson.h>

typedef struct Lines {
  const Source *source;
  const uint32_t *begin; // of each line: the byte of the text
  int count;             // at least 1
} Lines;

Lines lines_of(Arena *arena, const Source *source);

// {"line", "character"} of a byte of the text, and back. A position after the end of a line is that end, one inside a
// character its beginning. False: it is no position.
json_t *lines_position(const Lines *lines, uint32_t byte);
bool lines_byte(const Lines *lines, const json_t *position, uint32_t *out);
// {"start", "end"} of a span of this source.
json_t *lines_range(const Lines *lines, Span span);

#endif
