// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs as pictures: what was written, what is left of it once it is folded, and how each kernel walks through
// memory.
#ifndef DRIVER_PICTURE_H
#define DRIVER_PICTURE_H

#include "codegen/plan/way.h"

typedef struct Picture {
  const char *title;
  const Graph *graph; // NULL: there is none, and `note` says why
  const Plan *plan;   // NULL: it could not be planned, and `note` says why
  const char *note;   // or NULL
  Machine machine;    // that kernels are made for
} Picture;

// Pictures below each other, as SVG.
void pictures_print_svg(Arena *arena, const Picture *picture, int count, FILE *out);
// A page of HTML that needs no other file: the lines of a report, links to the pictures, and each of them.
void pictures_print_html(Arena *arena, const char *title, const char *report,
                         const Picture *picture, int count, FILE *out);
// The same graphs for Graphviz; kernels without their walks.
void pictures_print_dot(Arena *arena, const Picture *picture, int count, FILE *out);

#endif
