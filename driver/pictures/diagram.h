// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boxes and wires between them, drawn in layers from top to bottom, or printed for Graphviz.
#ifndef DRIVER_DIAGRAM_H
#define DRIVER_DIAGRAM_H

#include "driver/pictures/svg.h"

#include <stdbool.h>

typedef enum BoxKind {
  BOX_VALUE,    // a tensor of the caller
  BOX_KEEPS,    // moves nothing
  BOX_MOVES,    // moves elements
  BOX_COMPUTES, // changes elements where they are
  BOX_NOTE,     // only says something
  BOX_BEND,     // a place where a wire passes a layer
} BoxKind;

typedef struct Box {
  BoxKind kind;
  const char *title, *detail, *remark; // the remark stands behind the detail; "": none
  int layer, order;                    // which of the layer's boxes it is
  int x, width;
} Box;

typedef struct Wire {
  int from, to; // boxes
} Wire;

typedef struct Diagram {
  Arena *arena;
  const char *title;
  VEC(Box) box;
  VEC(Wire) wire;
} Diagram;

// The number of the new box. What it is made from must be there already.
int diagram_box(Diagram *diagram, BoxKind kind, const char *title, const char *detail,
                const char *remark);
void diagram_wire(Diagram *diagram, int from, int to);

typedef struct Size {
  int width, height;
} Size;

// Gives boxes their places, once; then the diagram can be drawn, with its upper left corner at (x, y).
Size diagram_lay_out(Diagram *diagram);
void diagram_draw(const Diagram *diagram, Svg *svg, int x, int y);

// As a cluster of a dot graph; `number` tells it from others.
void diagram_print_dot(const Diagram *diagram, int number, FILE *out);

#endif
