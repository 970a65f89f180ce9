// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A page of SVG: marks are put on it, then it is printed. All lengths are whole pixels, so a picture is the same
// to the last byte on every machine. Colours come from classes: one style sheet, with a dark half.
#ifndef DRIVER_SVG_H
#define DRIVER_SVG_H

#include "frontend/text/arena.h"

#include <stdio.h>

typedef struct Svg {
  Arena *arena;
  VEC(char) body;
  int width, height; // what has been drawn on
} Svg;

enum {
  SVG_LINE = 17,
  SVG_SMALL_CHAR = 6
}; // from one line of text to the next; a character of class "small"

// Columns of a text and their width in pixels, of the size that most text has.
int svg_columns(const char *text);
int svg_text_width(const char *text);

// Text whose line begins, ends or is centred ("start", "end", "middle") at x; y is its base line. Bytes that no
// document may have are shown as "?".
void svg_text(Svg *svg, int x, int y, const char *anchor, const char *classes, const char *text);
void svg_rect(Svg *svg, int x, int y, int width, int height, int radius, const char *classes);
// A cell of a strip of memory: its colour says at which of `count` steps it is visited.
void svg_cell(Svg *svg, int x, int y, int width, int height, int step, int count, const char *text);
// A curve that leaves the first point and reaches the second vertically; classes "arrow" ends it in one.
void svg_curve(Svg *svg, int x1, int y1, int x2, int y2, const char *classes);
// The same in the colour of a step.
void svg_thread(Svg *svg, int x1, int y1, int x2, int y2, int step, int count);

void svg_print(const Svg *svg, FILE *out);
// A text between tags, also of HTML: <, > and & escaped.
void markup_print(Arena *arena, const char *text, FILE *out);

#endif
