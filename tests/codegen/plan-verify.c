// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t
//
// Plans with one number changed: plan_verify names the broken invariant, so no code is made of them.
#include "codegen/plan/plan.h"

#include <stdio.h>
#include <string.h>

static int failures;

// A plan for y: f32[3, 2] of x: f32[2, 3], transposed.
typedef struct Case {
  Value x, y, *value[2];
  Graph graph;
  Output output;
  Loop loop[3];
  Nest nest;
  OutputPlan of;
  Plan plan;
} Case;

static void make(Case *c) {
  *c = (Case){
      .x = {.id = 0, .name = "x", .dtype = RSH_F32, .shape = {.rank = 2, .dim = {{2, 0}, {3, 0}}}},
      .y = {.id = 1, .name = "y", .dtype = RSH_F32, .shape = {.rank = 2, .dim = {{3, 0}, {2, 0}}}}};
  c->value[0] = &c->x;
  c->value[1] = &c->y;
  c->graph.value.item = c->value;
  c->graph.value.count = 2;
  c->graph.input_count = c->graph.output_count = 1;
  c->graph.output = &c->output;
  c->output = (Output){.name = "y", .value = &c->y};
  c->loop[0] = (Loop){rsh_int(3), rsh_int(8), rsh_int(4), rsh_int(0)};
  c->loop[1] = (Loop){rsh_int(2), rsh_int(4), rsh_int(12), rsh_int(0)};
  c->nest = (Nest){.loop = c->loop, .loop_count = 2, .run = rsh_int(4), .unit = 4};
  c->of =
      (OutputPlan){.output = &c->output, .tier = TIER_STATIC, .nest = &c->nest, .nest_count = 1};
  c->plan = (Plan){.graph = &c->graph, .output = &c->of, .output_count = 1};
}

// Its elements pass through a function with a table of two entries.
static void by_table(Case *c) {
  static rsh_map map[2] = {{0}, {.places = 2}};
  c->graph.maps = (rsh_maps){map, 2, 2};
  c->nest.kind = NEST_ELEMENTS;
  c->nest.elements = (NestElements){.map = 1};
  c->nest.from = c->nest.to = RSH_F32;
  c->loop[1].at = rsh_int(1);
}

// Its rows are planes that fill each other's gaps.
static Nest strand[2];
static Loop along[2];

static void by_zip(Case *c) {
  static const NestZip zip = {.nest = strand, .count = 2};
  for (int i = 0; i < 2; i++) {
    along[i] = c->loop[0];
    strand[i] = (Nest){.loop = &along[i], .loop_count = 1, .run = rsh_int(4), .unit = 4};
    strand[i].dst_offset = rsh_int(4 * i);
    strand[i].src_offset = rsh_int(12 * i);
  }
  c->nest.zip = &zip;
}

static void expect(Case *c, const char *what) {
  const char *wrong = plan_verify(&c->plan);
  if (what ? !wrong || !strstr(wrong, what) : wrong != NULL) {
    fprintf(stderr, "want '%s', got '%s'\n", what ? what : "", wrong ? wrong : "");
    failures++;
  }
}

int main(void) {
  static const NestPlace same[2] = {{0, 0}, {0, 0}}, apart[2] = {{0, 0}, {0, 4}};
  static const NestPlaces twice = {.place = same, .count = 2},
                          outside = {.place = apart, .count = 2}, none = {.place = same},
                          no_loops = {.place = same, .count = 2, .loop_count = 1};
  static const NestTiles tiles = {.tile = {.src = 64, .dst = 64}};
  Case c;
#define BROKEN(what, ...)                                                                          \
  do {                                                                                             \
    make(&c);                                                                                      \
    __VA_ARGS__;                                                                                   \
    expect(&c, what);                                                                              \
  } while (0)
  BROKEN(NULL, (void)0);
  BROKEN("past its memory", c.nest.dst_offset = rsh_int(4));
  BROKEN("past its memory", c.nest.src_offset = rsh_int(-4));
  BROKEN("past its memory", c.loop[0].src = rsh_int(8));
  BROKEN("past its memory", c.loop[0].extent = rsh_int(INT64_MAX));
  BROKEN("past its memory", c.nest.places = &outside);
  BROKEN("written in part", c.loop[0].extent = rsh_int(2));
  BROKEN("written twice", c.nest.places = &twice);
  BROKEN("aligned less", c.nest.unit = 8);
  BROKEN("power of two", c.nest.unit = 3);
  BROKEN("does not run", c.loop[1].extent = rsh_int(0));
  BROKEN("stays where it is", c.loop[1].dst = rsh_int(0));
  BROKEN(NULL, c.nest.kind = NEST_TILES, c.nest.tiles = tiles);
  BROKEN("no blocks", c.nest.kind = NEST_TILES, c.nest.tiles = (NestTiles){0});
  BROKEN("fewer than two loops", c.nest.kind = NEST_TILES, c.nest.tiles = tiles,
         c.nest.loop_count = 1);
  BROKEN("is only tiles", c.nest.kind = NEST_TILES, c.nest.tiles = tiles, c.nest.tiles.map = 1);
  BROKEN("fewer than two loops", c.nest.kind = NEST_WEAVE, c.nest.loop_count = 1);
  BROKEN("special way", c.nest.places = &twice, c.nest.kind = NEST_WEAVE);
  BROKEN("special way", c.nest.places = &twice, c.nest.kind = NEST_TILES, c.nest.tiles = tiles);
  BROKEN("special way", c.nest.places = &twice, c.nest.runs.streams = true);
  BROKEN("shifted by no bits", c.nest.kind = NEST_SHIFTED, c.nest.shift = 8);
  BROKEN("makes no elements", c.nest.kind = NEST_FIELDS, c.nest.fields = (NestFields){0});
  BROKEN(NULL, by_zip(&c));
  BROKEN("different loops", by_zip(&c), strand[1].loop_count = 0);
  BROKEN("different loops", by_zip(&c), along[1].extent = rsh_int(2));
  BROKEN("different loops", by_zip(&c), along[1].dst = rsh_int(4));
  BROKEN("leave gaps", by_zip(&c), strand[1].dst_offset = rsh_int(8));
  BROKEN("leave gaps", by_zip(&c), strand[1].run = rsh_int(2));
  BROKEN("zipped nest goes past", by_zip(&c), strand[1].src_offset = rsh_int(16));
  BROKEN("no places", c.nest.places = &none);
  BROKEN("two kinds of loops", c.nest.places = &no_loops);
  BROKEN("past its tables", by_table(&c), c.loop[0].at = rsh_int(1));
  BROKEN("past its tables", by_table(&c), c.nest.elements.at_offset = rsh_int(-1));
  BROKEN("past its tables", by_table(&c), c.loop[1].at = rsh_int(2));
  BROKEN(NULL, by_table(&c), c.loop[0].at = rsh_int(1), c.loop[1].at = rsh_int(3),
         c.nest.elements.repeat = 3);
  BROKEN("not the same in tiles", by_table(&c), c.nest.elements.tiled = &c.nest);
  BROKEN("large twice", c.nest.runs.large = &c.nest, c.nest.runs.large_from = 1);
  BROKEN("streams at any size", c.nest.runs.streams = true, c.nest.runs.large = &c.nest);
  return failures != 0;
}
