// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Positions of LSP: line and UTF-16 code unit, both from 0. LSP ends lines with \n, \r\n or \r, not only with \n.
//
//   # größe 😀 x     x is byte 15, character 11
#ifndef DRIVER_LSP_PLACE_H
#define DRIVER_LSP_PLACE_H

#include "frontend/text/source.h"

#include <jansson.h>

typedef struct Lines {
  const Source *source;
  const uint32_t *begin; // byte offset of each line
  int count;             // at least 1
} Lines;

Lines lines_of(Arena *arena, const Source *source);

// Converts a byte offset to {"line", "character"} and back. A position after the end of a line means its end, one
// inside a character the beginning of that character. False: it is not a position.
json_t *lines_position(const Lines *lines, uint32_t byte);
bool lines_byte(const Lines *lines, const json_t *position, uint32_t *out);
// {"start", "end"} of a span in this source.
json_t *lines_range(const Lines *lines, Span span);

#endif
