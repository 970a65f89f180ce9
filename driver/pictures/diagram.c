// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layered graph drawing: each box is below its predecessors, an edge that crosses a layer gets a bend there, and the
// boxes of a layer are ordered by the mean position of their neighbors and placed as near to it as space allows.
#include "driver/pictures/diagram.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  ROW = 68,     // from one layer to the next
  HEIGHT = 42,  // of a box
  SIDE = 10,    // between a box and its text
  SPACE = 18,   // between boxes of a layer
  BEND = 10,    // width of a bend
  SWEEPS = 6,   // over all layers, alternately down and up
  HEADING = 30, // above the first layer
};

int diagram_box(Diagram *diagram, BoxKind kind, const char *title, const char *detail,
                const char *remark) {
  Box box = {.kind = kind, .title = title, .detail = detail, .remark = remark};
  int first = svg_text_width(title);
  int second = svg_text_width(detail) + (*remark ? svg_text_width(remark) + 18 : 0);
  box.width = (first > second ? first : second) + 2 * SIDE;
  VEC_PUSH(diagram->arena, diagram->box, box);
  return diagram->box.count - 1;
}

void diagram_wire(Diagram *diagram, int from, int to) {
  Wire wire = {from, to};
  VEC_PUSH(diagram->arena, diagram->wire, wire);
}

// ---- layers ----

// Wires lead to later boxes, and all wires to a box are adjacent, so one pass in order is enough.
static int assign_layers(Diagram *d) {
  int layers = 0;
  for (int i = 0; i < d->wire.count; i++) {
    Box *to = &d->box.item[d->wire.item[i].to];
    int layer = d->box.item[d->wire.item[i].from].layer + 1;
    to->layer = layer > to->layer ? layer : to->layer;
  }
  for (int i = 0; i < d->box.count; i++)
    layers = d->box.item[i].layer >= layers ? d->box.item[i].layer + 1 : layers;
  return layers;
}

// a -> b over three layers becomes a -> bend -> bend -> b.
static void add_bends(Diagram *d) {
  for (int i = 0, wires = d->wire.count; i < wires; i++) {
    int to = d->wire.item[i].to, from = d->wire.item[i].from;
    if (d->box.item[to].layer - d->box.item[from].layer < 2)
      continue;
    for (int layer = d->box.item[from].layer + 1; layer < d->box.item[to].layer; layer++) {
      Box bend = {
          .kind = BOX_BEND, .layer = layer, .width = BEND, .title = "", .detail = "", .remark = ""};
      VEC_PUSH(d->arena, d->box, bend);
      if (from == d->wire.item[i].from)
        d->wire.item[i].to = d->box.count - 1;
      else
        diagram_wire(d, from, d->box.count - 1);
      from = d->box.count - 1;
    }
    diagram_wire(d, from, to);
  }
}

// ---- order and place within layers ----

static int center(const Box *box) { return box->x + box->width / 2; }

// The ideal places of the boxes of a layer: the mean of their neighbors in the layer above, or below. A box without
// neighbors keeps its place.
static void wish_places(const Diagram *d, int layer, bool below, int64_t *sum, int *count) {
  for (int i = 0; i < d->box.count; i++)
    sum[i] = count[i] = 0;
  for (int i = 0; i < d->wire.count; i++) {
    const Wire *wire = &d->wire.item[i];
    int box = below ? wire->from : wire->to;
    if (d->box.item[box].layer != layer)
      continue;
    sum[box] += center(&d->box.item[below ? wire->to : wire->from]);
    count[box]++;
  }
  for (int i = 0; i < d->box.count; i++)
    sum[i] = count[i] ? sum[i] / count[i] : center(&d->box.item[i]);
}

typedef struct Seat {
  int box, wanted, order;
} Seat;

static int by_wish(const void *a, const void *b) {
  const Seat *x = a, *y = b;
  return x->wanted != y->wanted ? (x->wanted > y->wanted) - (x->wanted < y->wanted)
                                : (x->order > y->order) - (x->order < y->order);
}

// Sorts the boxes of a layer by their ideal places, sets them from left to right with room between them, then shifts
// all of them by their mean deviation.
static void seat_layer(Diagram *d, int layer, Seat *seat, const int64_t *wish) {
  int count = 0, right = 0;
  int64_t missed = 0;
  for (int i = 0; i < d->box.count; i++)
    if (d->box.item[i].layer == layer)
      seat[count++] = (Seat){i, (int)wish[i], d->box.item[i].order};
  qsort(seat, (size_t)count, sizeof *seat, by_wish);
  for (int i = 0; i < count; i++) {
    Box *box = &d->box.item[seat[i].box];
    int x = seat[i].wanted - box->width / 2;
    box->order = i;
    box->x = i > 0 && x < right + SPACE ? right + SPACE : x;
    right = box->x + box->width;
    missed += box->x - x;
  }
  for (int i = 0; i < count; i++)
    d->box.item[seat[i].box].x -= (int)(missed / count);
}

Size diagram_lay_out(Diagram *d) {
  int layers = assign_layers(d), left = 0, right = 0;
  add_bends(d);
  Seat *seat = ARENA_ARRAY(d->arena, Seat, d->box.count + 1);
  int64_t *wish = ARENA_ARRAY(d->arena, int64_t, d->box.count + 1);
  int *neighbors = ARENA_ARRAY(d->arena, int, d->box.count + 1);
  for (int i = 0; i < d->box.count; i++)
    d->box.item[i].order = i;
  for (int sweep = 0; sweep < SWEEPS; sweep++)
    for (int i = 0; i < layers; i++) {
      bool up = sweep % 2 == 1;
      int layer = up ? layers - 1 - i : i;
      wish_places(d, layer, up, wish, neighbors);
      seat_layer(d, layer, seat, wish);
    }
  for (int i = 0; i < d->box.count; i++) {
    const Box *box = &d->box.item[i];
    left = i == 0 || box->x < left ? box->x : left;
    right = i == 0 || box->x + box->width > right ? box->x + box->width : right;
  }
  for (int i = 0; i < d->box.count; i++)
    d->box.item[i].x -= left;
  int title = svg_text_width(d->title);
  return (Size){right - left > title ? right - left : title,
                layers ? HEADING + (layers - 1) * ROW + HEIGHT : HEADING};
}

// ---- drawing ----

static const char *class_of(BoxKind kind) {
  switch (kind) {
  case BOX_VALUE:
    return "value";
  case BOX_KEEPS:
    return "keeps";
  case BOX_MOVES:
    return "moves";
  case BOX_COMPUTES:
    return "computes";
  case BOX_NOTE:
  case BOX_BEND:
    break;
  }
  return "note";
}

static void draw_box(const Box *box, Svg *svg, int x, int y) {
  bool two = *box->detail != '\0';
  svg_rect(svg, x, y, box->width, HEIGHT, box->kind == BOX_VALUE ? 12 : 3, class_of(box->kind));
  svg_text(svg, x + SIDE, y + (two ? 17 : 25), "start", "bold", box->title);
  if (*box->remark)
    svg_text(svg, x + box->width - SIDE, y + 33, "end", "faint", box->remark);
  svg_text(svg, x + SIDE, y + 33, "start", "", box->detail);
}

void diagram_draw(const Diagram *d, Svg *svg, int x, int y) {
  svg_text(svg, x, y + 13, "start", "faint", d->title);
  for (int i = 0; i < d->wire.count; i++) {
    const Box *from = &d->box.item[d->wire.item[i].from], *to = &d->box.item[d->wire.item[i].to];
    int below = y + HEADING + from->layer * ROW + HEIGHT, above = y + HEADING + to->layer * ROW;
    svg_curve(svg, x + center(from), below, x + center(to), above,
              to->kind == BOX_BEND ? "wire" : "wire arrow");
    if (to->kind == BOX_BEND)
      svg_curve(svg, x + center(to), above, x + center(to), above + HEIGHT, "wire");
  }
  for (int i = 0; i < d->box.count; i++)
    if (d->box.item[i].kind != BOX_BEND)
      draw_box(&d->box.item[i], svg, x + d->box.item[i].x,
               y + HEADING + d->box.item[i].layer * ROW);
}

// ---- dot ----

static void print_quoted(const char *text, FILE *out) {
  for (; *text; text++) {
    if (*text == '"' || *text == '\\')
      putc('\\', out);
    putc((unsigned char)*text < 0x20 ? ' ' : *text, out);
  }
}

static const char *shape_of(BoxKind kind) {
  switch (kind) {
  case BOX_VALUE:
    return "shape=box, style=rounded";
  case BOX_KEEPS:
    return "shape=box, color=\"#2c7a3f\"";
  case BOX_MOVES:
    return "shape=box, color=\"#b35900\", penwidth=2";
  case BOX_COMPUTES:
    return "shape=box, color=\"#2f6fd0\"";
  case BOX_NOTE:
  case BOX_BEND:
    break;
  }
  return "shape=plain";
}

void diagram_print_dot(const Diagram *d, int number, FILE *out) {
  fprintf(out, "  subgraph cluster_%d {\n    label=\"", number);
  print_quoted(d->title, out);
  fputs("\"\n", out);
  for (int i = 0; i < d->box.count; i++) {
    const Box *box = &d->box.item[i];
    fprintf(out, "    c%d_%d [%s, label=\"", number, i, shape_of(box->kind));
    print_quoted(box->title, out);
    const char *more[] = {box->remark, box->detail};
    for (int k = 0; k < 2; k++) {
      fputs(*more[k] ? "\\n" : "", out);
      print_quoted(more[k], out);
    }
    fputs("\"]\n", out);
  }
  for (int i = 0; i < d->wire.count; i++)
    fprintf(out, "    c%d_%d -> c%d_%d\n", number, d->wire.item[i].from, number,
            d->wire.item[i].to);
  fputs("  }\n", out);
}
