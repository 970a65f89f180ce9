// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An SVG page: marks are put on it, then it is printed. All lengths are whole pixels, so a picture is byte-identical on
// every machine. Colors come from classes of one style sheet, which has a light and
// a dark scheme.
#ifndef DRIVER_SVG_H
#define DRIVER_SVG_H

#include "frontend/text/arena.h"

#include <stdio.h>

typedef struct Svg {
  Arena *arena;
  VEC(char) body;
  int width, height; // extent of the marks
} Svg;

enum {
  SVG_LINE = 17,
  SVG_SMALL_CHAR = 6
}; // height of a line of text; width of a character of class "small"

// Columns of a text, and its width in pixels at the normal text size.
int svg_columns(const char *text);
int svg_text_width(const char *text);

// Text that starts, ends or is centered ("start", "end", "middle") at x; y is its baseline. Bytes that are not allowed
// in a document are shown as "?".
void svg_text(Svg *svg, int x, int y, const char *anchor, const char *classes, const char *text);
void svg_rect(Svg *svg, int x, int y, int width, int height, int radius, const char *classes);
// A cell of a strip of memory. Its color shows at which of `count` steps it is visited.
void svg_cell(Svg *svg, int x, int y, int width, int height, int step, int count, const char *text);
// A curve that is vertical at both ends; class "arrow" adds an arrowhead.
void svg_curve(Svg *svg, int x1, int y1, int x2, int y2, const char *classes);
// The same in the color of a step.
void svg_thread(Svg *svg, int x1, int y1, int x2, int y2, int step, int count);

void svg_print(const Svg *svg, FILE *out);
// Prints text between tags, also of HTML: <, > and & are escaped.
void markup_print(Arena *arena, const char *text, FILE *out);

#endif
