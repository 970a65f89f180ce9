// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boxes connected by wires, drawn in layers from top to bottom, or printed for Graphviz.
#ifndef DRIVER_DIAGRAM_H
#define DRIVER_DIAGRAM_H

#include "driver/pictures/svg.h"

#include <stdbool.h>

typedef enum BoxKind {
  BOX_VALUE,    // a tensor of the caller
  BOX_KEEPS,    // moves nothing
  BOX_MOVES,    // moves elements
  BOX_COMPUTES, // changes elements in place
  BOX_NOTE,     // only text
  BOX_BEND,     // where a wire crosses a layer
} BoxKind;

typedef struct Box {
  BoxKind kind;
  const char *title, *detail, *remark; // the remark follows the detail; "": none
  int layer, order;                    // position in its layer
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

// Returns the number of the new box. Its predecessors must have been added before.
int diagram_box(Diagram *diagram, BoxKind kind, const char *title, const char *detail,
                const char *remark);
void diagram_wire(Diagram *diagram, int from, int to);

typedef struct Size {
  int width, height;
} Size;

// Places the boxes, once; then the diagram can be drawn, with its upper left corner at (x, y).
Size diagram_lay_out(Diagram *diagram);
void diagram_draw(const Diagram *diagram, Svg *svg, int x, int y);

// Prints a cluster of a dot graph; `number` distinguishes it from others.
void diagram_print_dot(const Diagram *diagram, int number, FILE *out);

#endif
