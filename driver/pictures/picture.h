// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs as pictures: the graph as written, the operators that remain after folding, and the memory accesses of each
// kernel.
#ifndef DRIVER_PICTURE_H
#define DRIVER_PICTURE_H

#include "codegen/plan/strategy.h"

typedef struct Picture {
  const char *title;
  const Graph *graph; // NULL: not available, with the reason in `note`
  const Plan *plan;   // NULL: it could not be planned, with the reason in `note`
  const char *note;   // or NULL
  Machine machine;    // that kernels are made for
} Picture;

// Prints the pictures one below the other, as SVG.
void pictures_print_svg(Arena *arena, const Picture *picture, int count, FILE *out);
// Prints a self-contained HTML page: the lines of a report, links to the pictures, and the pictures.
void pictures_print_html(Arena *arena, const char *title, const char *report,
                         const Picture *picture, int count, FILE *out);
// Prints the same graphs for Graphviz, without the walks of the kernels.
void pictures_print_dot(Arena *arena, const Picture *picture, int count, FILE *out);

#endif
