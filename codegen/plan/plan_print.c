// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --dump=plan: a plan as stable text, all numbers in bytes.
//
//   graph f
//     y: f32[3, 2]: static, 24 bytes: transpose moves axes 0 and 1: 3 x 2 elements
//       from x+0 to 0
//         for 3: dst 8, src 4
//           for 2: dst 4, src 12
//             copy 4, align 4
//
// The two innermost loops of a transposition end in `transpose 4 in blocks of 128 by 4096, align 4`:
// bytes of the source by bytes of the destination. A nest by element ends in `element cast u8 to f32, relu, align 4`
// instead. Passes come before the outputs:
//
//     pass %1: f32[2, 3] in y: softmax of 2 rows of 3
//       from x+0 to 0 ...
//
// ", walked" and ", streamed" describe how the target executes the loops (codegen/plan/strategy.h).
#include "codegen/plan/lanes.h"
#include "codegen/plan/zip.h"

#include <inttypes.h>
#include <string.h>

typedef struct Printer {
  Arena *arena;
  const Plan *plan;
  const Machine *machine; // the target, then the x86-64 levels that are also emitted
  int machine_count;
  FILE *out;
} Printer;

static const char *value_name(Arena *arena, const Graph *graph, int id) {
  const char *name = graph->value.item[id]->name;
  return name ? name : arena_printf(arena, "%%%d", id);
}

// The bytes of a constant, in memory order.
static const char *fill_text(Arena *arena, const Graph *graph, int source) {
  uint8_t bytes[16];
  int count = plan_fill(graph, source, bytes);
  const char *text = "";
  for (int i = 0; i < count; i++)
    text = arena_printf(arena, "%s%s%02x", text, i ? " " : "", bytes[i]);
  return text;
}

// " cast u8 to f32, relu"
static void print_map(Arena *arena, const Graph *graph, int32_t map, FILE *out) {
  int count;
  const rsh_step *step = graph_map_steps(arena, graph, map, &count);
  for (int i = 0; i < count; i++) {
    fprintf(out, "%s%s", i ? ", " : " ", rsh_op_name(step[i].op));
    if (step[i].op == RSH_OP_CAST)
      fprintf(out, " %s to %s", rsh_dtype_name(step[i].from), rsh_dtype_name(step[i].to));
  }
}

// "+12", "-4*B"
static const char *offset_text(Arena *arena, const Plan *plan, rsh_num n) {
  const char *text = num_text(arena, plan->graph, n);
  return *text == '-' ? text : arena_printf(arena, "+%s", text);
}

static bool fits_line(const Loop *loop, rsh_num run, int64_t bytes) {
  return rsh_is_known(loop->extent) && loop->extent.n * run.n <= bytes;
}

static bool tile_is_whole(const Nest *nest) {
  const Loop *along = &nest->loop[nest->loop_count - 2], *across = along + 1;
  const Tile *tile = &nest->tiles.tile;
  return fits_line(along, nest->run, tile->src) && fits_line(across, nest->run, tile->dst);
}

// Returns the indentation of their bodies.
static int print_loops(const Printer *p, const Nest *nest) {
  FILE *out = p->out;
  const Graph *graph = p->plan->graph;
  int indent = 6;
  for (int i = 0; i < nest->loop_count; i++, indent += 2) {
    const Loop *loop = &nest->loop[i];
    fprintf(out, "%*sfor %s: dst %s", indent, "", num_text(p->arena, graph, loop->extent),
            num_text(p->arena, graph, loop->dst));
    if (nest->source >= 0)
      fprintf(out, ", src %s", num_text(p->arena, graph, loop->src));
    if (!rsh_is(loop->at, 0))
      fprintf(out, ", entry %s", num_text(p->arena, graph, loop->at));
    fputc('\n', out);
  }
  return indent;
}

static void print_tile(const Nest *nest, FILE *out) {
  const Tile *tile = &nest->tiles.tile;
  if (!tile_is_whole(nest))
    fprintf(out, " in %s%sblocks of %" PRId64 " by %" PRId64, tile->packs ? "packed " : "",
            tile->prefetches ? "prefetched " : "", tile->src, tile->dst);
  else if (tile->prefetches)
    fprintf(out, " in one prefetched block");
  if (tile->near)
    fprintf(out, ", near");
  if (tile->strips)
    fprintf(out, ", in strips");
}

static const char *verb_of(const Plan *plan, const Nest *nest, const Machine *machine) {
  NestStrategy strategy = nest_strategy(plan, nest, machine, WHOLE_NEST);
  if (nest->source < 0)
    return strategy == STRATEGY_ZIP ? "zip fill" : "fill";
  if (strategy == STRATEGY_ZIP || strategy == STRATEGY_WALK || strategy == STRATEGY_PARTS)
    return strategy == STRATEGY_ZIP ? "zip" : "copy";
  strategy = nest_strategy_inside(nest, machine);
  return strategy == STRATEGY_WEAVE     ? "weave"
         : strategy == STRATEGY_TILES   ? "transpose"
         : strategy == STRATEGY_SHUFFLE ? "shuffle"
                                        : "copy";
}

static int iterations_at_once(const Nest *nest, const Machine *machine) {
  FieldLanes lanes;
  return nest_lanes(nest, machine, &lanes) ? lanes.count * lanes.iterations : 1;
}

// "8 turns at once at x86-64-v2, 16 at x86-64-v3": iterations of the innermost loop per vector.
static void print_lanes(const Printer *p, const Nest *nest, int indent) {
  int before = 1;
  for (int i = 0; i < p->machine_count; i++) {
    int iterations = iterations_at_once(nest, &p->machine[i]);
    if (iterations == before)
      continue;
    if (before == 1)
      fprintf(p->out, "%*s%d turns at once", indent, "", iterations);
    else
      fprintf(p->out, ", %d", iterations);
    if (p->machine[i].level)
      fprintf(p->out, " at %s", p->machine[i].level);
    before = iterations;
  }
  fputs(before == 1 ? "" : "\n", p->out);
}

// "element at 0: bits 13 to 15 at 0, bits 11 to 15 at 3": the elements that each iteration assembles.
static void print_fields(const Nest *nest, int indent, bool is_walked, FILE *out) {
  for (int i = 0, at = 0; i < nest->fields.element_count; i++) {
    fprintf(out, "%*selement at %" PRId64 ":", indent, "", nest->fields.element[i].dst);
    if (nest->fields.element[i].constant)
      fprintf(out, " 0x%" PRIx64, nest->fields.element[i].constant);
    for (; at < nest->fields.field_count && nest->fields.field[at].element == i; at++) {
      const NestField *f = &nest->fields.field[at];
      fprintf(out, " %d+%d", f->shift, f->bits);
      if (f->src > 0)
        fprintf(out, " of %" PRId64, f->src);
      fprintf(out, " at %d", f->at);
    }
    fprintf(out, ", align %" PRIu32 "%s\n", nest->unit, is_walked ? ", walked" : "");
  }
}

// How the run of a walked nest is moved.
static const char *run_text(const Printer *p, const Nest *nest) {
  int64_t piece = nest_run_piece(p->plan, nest, p->machine);
  switch (nest_run_strategy(p->plan, nest, p->machine)) {
  case RUN_UNITS:
    return ", walked";
  case RUN_WORDS:
    return piece == (int64_t)nest->unit ? ", walked"
                                        : arena_printf(p->arena, ", walked by %" PRId64, piece);
  case RUN_CALL:
    return ", walked, the run by a call";
  case RUN_LIBRARY:
    return nest->source < 0 ? ", walked, the run by memset" : ", walked, the run by memcpy";
  }
  return "";
}

// "copy 128, align 2": the body of the loops. If x86-64 levels differ, so does the text:
// "copy 1, align 1; weave at x86-64-v2".
static void print_inside(const Printer *p, const Nest *nest, int indent) {
  FILE *out = p->out;
  NestStrategy strategy = nest_strategy(p->plan, nest, p->machine, WHOLE_NEST);
  const char *verb = verb_of(p->plan, nest, p->machine);
  fprintf(out, "%*s%s %s", indent, "", verb, num_text(p->arena, p->plan->graph, nest->run));
  if (strategy != STRATEGY_WALK && nest->kind == NEST_TILES)
    print_tile(nest, out);
  if (nest->kind == NEST_SHIFTED)
    fprintf(out, ", from bit %d", nest->shift);
  ZipPiece piece;
  NestLines lines = nest_lines(nest);
  bool streams =
      strategy == STRATEGY_STREAM
          ? lines.streams || lines.past > 0
          : strategy == STRATEGY_ZIP && nest_zip(nest, p->machine, &piece) && piece.streams;
  fprintf(out, ", align %" PRIu32 "%s", nest->unit,
          strategy == STRATEGY_WALK    ? run_text(p, nest)
          : strategy == STRATEGY_PARTS ? ", in parts"
          : streams                    ? ", streamed"
                                       : "");
  int64_t past = strategy == STRATEGY_ZIP ? nest->zip->past : lines.past;
  if (streams && past > 0 && !plan_nest_is_known(strategy == STRATEGY_ZIP ? nest->zip->nest : nest))
    fprintf(out, " from %" PRId64 " bytes on", past);
  for (int i = 1; i < p->machine_count; i++)
    if (verb_of(p->plan, nest, &p->machine[i]) != verb_of(p->plan, nest, &p->machine[i - 1]))
      fprintf(out, "; %s at %s", verb_of(p->plan, nest, &p->machine[i]), p->machine[i].level);
  fputc('\n', out);
}

// "at {src 64, dst 0} for 2: dst 8, src 32": one line for each place with its own loops.
static void print_places(const NestPlaces *places, FILE *out) {
  const PlaceLoop *loop = places->loop;
  for (int i = 0; i < places->count; i++) {
    bool is_first = i == 0 || places->loop;
    fprintf(out, "%s{src %" PRId64 ", dst %" PRId64 "}", is_first ? "      at " : " ",
            places->place[i].src, places->place[i].dst);
    for (int k = 0; k < places->loop_count; k++, loop++)
      if (loop->extent > 1)
        fprintf(out, " for %" PRId64 ": dst %" PRId64 ", src %" PRId64, loop->extent, loop->dst,
                loop->src);
    fputs(places->loop || i + 1 == places->count ? "\n" : "", out);
  }
}

// "tiled", "16 at once", "element": how the elements of a nest are processed.
static const char *element_text(const Printer *p, const Nest *nest, const Machine *machine) {
  NestStrategy strategy = nest_strategy(p->plan, nest, machine, WHOLE_NEST);
  if (strategy == STRATEGY_VECTORS)
    return arena_printf(p->arena, "%" PRId64 " at once", nest_vector_elements(nest, machine));
  return strategy == STRATEGY_TILED ? "tiled" : "element";
}

// Loops around "element relu, align 4"; or, in the order of tiles, around "transpose 4, relu, align 4" or "weave 4,
// relu, align 4". If x86-64 levels differ, so does the text: "element cast f16 to f32, align 2; tiled at x86-64-v3".
static void print_elements(const Printer *p, const Nest *nest) {
  FILE *out = p->out;
  NestStrategy strategy = nest_strategy(p->plan, nest, p->machine, WHOLE_NEST);
  const Nest *tiled = strategy == STRATEGY_TILED ? nest->elements.tiled : NULL;
  int indent = print_loops(p, tiled ? tiled : nest);
  fprintf(out, "%*s", indent, "");
  if (tiled) {
    fprintf(out, "%s %s", tiled->kind == NEST_WEAVE ? "weave" : "transpose",
            num_text(p->arena, p->plan->graph, tiled->run));
    if (tiled->kind == NEST_TILES)
      print_tile(tiled, out);
    fputc(',', out);
  } else {
    fputs("element", out);
  }
  print_map(p->arena, p->plan->graph, nest->elements.map, out);
  if (nest->elements.repeat)
    fprintf(out, ", tables %" PRId64 " times over", nest->elements.repeat);
  fprintf(out, ", align %" PRIu32, nest->unit);
  if (tiled && nest_lines(tiled).streams && p->machine->streams)
    fputs(", streamed", out);
  if (strategy == STRATEGY_WALK)
    fputs(", walked", out);
  if (strategy == STRATEGY_VECTORS)
    fprintf(out, ", %s", element_text(p, nest, p->machine));
  if (strategy == STRATEGY_WALK && nest_group(nest) > 0)
    fprintf(out, ", %" PRId64 " of a byte at once", nest_group(nest));
  for (int i = 1; i < p->machine_count; i++) {
    const char *here = element_text(p, nest, &p->machine[i]);
    if (strcmp(here, element_text(p, nest, &p->machine[i - 1])) != 0)
      fprintf(out, "; %s at %s", here, p->machine[i].level);
  }
  fputc('\n', out);
}

static void print_nest(const Printer *p, const Nest *nest) {
  const Plan *plan = p->plan;
  const Graph *graph = plan->graph;
  NestStrategy strategy = nest_strategy(plan, nest, p->machine, WHOLE_NEST);
  bool is_fill = nest->source < 0;
  const char *to = num_text(p->arena, graph, nest->dst_offset);
  if (is_fill)
    fprintf(p->out, "    %s to %s\n", fill_text(p->arena, graph, nest->source), to);
  else
    fprintf(p->out, "    from %s%s to %s\n", value_name(p->arena, graph, nest->source),
            offset_text(p->arena, plan, nest->src_offset), to);
  if (nest->places)
    print_places(nest->places, p->out);
  if (nest->kind == NEST_ELEMENTS) {
    print_elements(p, nest);
    return;
  }
  int indent = print_loops(p, nest);
  if (nest->kind == NEST_FIELDS) {
    print_fields(nest, indent, strategy == STRATEGY_WALK, p->out);
    print_lanes(p, nest, indent);
    return;
  }
  print_inside(p, nest, indent);
  NestLines lines = nest_lines(nest);
  if (!lines.large || strategy != STRATEGY_STREAM)
    return;
  fprintf(p->out, "      from %" PRId64 " bytes on, in whole lines\n", lines.large_from);
  print_inside(p, lines.large, print_loops(p, lines.large));
}

// "in place of x: 12 swaps, piece 4; in other memory:", and the nests, which copy; "in other memory after a copy:" if
// all of x is copied first, then swapped; "in place of x: downward, 480 bytes; in other memory:". Otherwise each
// element stays in its place.
static void print_in_place(const Printer *p, const OutputPlan *output, bool is_copied) {
  const Cycles *c = output->cycles;
  fprintf(p->out, "    in place of %s%s", output->in_place->name,
          rsh_is(output->offset, 0) ? "" : offset_text(p->arena, p->plan, output->offset));
  if (c) {
    fputs(": ", p->out);
    if (c->cycles >= 0)
      fprintf(p->out, "%" PRId64 " ", c->cycles);
    fprintf(p->out, "%s%s, piece %s; in other memory%s:",
            c->reversal ? "reversal"
            : c->swaps  ? "swap"
                        : "cycle",
            c->cycles == 1 ? "" : "s", num_text(p->arena, p->plan->graph, c->piece),
            is_copied ? " after a copy" : "");
  }
  rsh_num bytes;
  if (output->slides) {
    fprintf(p->out, ": %s", plan_slides_text(output->slides));
    if (plan_slides_bytes(p->plan->graph, output->slides, &bytes))
      fprintf(p->out, ", %s bytes", num_text(p->arena, p->plan->graph, bytes));
    fputs("; in other memory:", p->out);
  }
  fputc('\n', p->out);
}

static void print_output(const Printer *p, const OutputPlan *output) {
  const Plan *plan = p->plan;
  FILE *out = p->out;
  const Graph *graph = plan->graph;
  const Value *value = output->output->value;
  fprintf(out, "  %s: %s: %s", output->output->name,
          type_text(p->arena, graph, value->dtype, &value->shape), tier_name(output->tier));
  if (output->tier == TIER_ALIAS && output->source)
    fprintf(out, " of %s%s", output->source->name, offset_text(p->arena, plan, output->offset));
  if ((output->tier == TIER_ALIAS && graph_is_static(graph)) || output->tier == TIER_STATIC)
    fprintf(out, ", %" PRIu64 " bytes", output->bytes);
  fprintf(out, ": %s\n", output->why);
  if (output->tier == TIER_ALIAS)
    return;
  bool is_small = p->machine->walks && p->machine->small;
  const Nest *prefill = is_small ? plan_prefill(p->arena, output) : NULL;
  const Nest *whole = is_small ? plan_whole(p->arena, output) : NULL;
  if (output->in_place)
    print_in_place(p, output, whole);
  if (prefill || whole)
    print_nest(p, prefill ? prefill : whole);
  if (whole)
    return;
  for (int i = 0; i < output->nest_count; i++)
    if (!prefill || output->nest[i].source != prefill->source)
      print_nest(p, &output->nest[i]);
}

static void print_pass(const Printer *p, const Pass *pass) {
  const Plan *plan = p->plan;
  FILE *out = p->out;
  const Graph *graph = plan->graph;
  const Value *value = pass->value;
  fprintf(out, "  pass %s: %s", value_name(p->arena, graph, value->id),
          type_text(p->arena, graph, value->dtype, &value->shape));
  if (pass->output >= 0)
    fprintf(out, " in %s", plan->output[pass->output].output->name);
  else
    fprintf(out, " in scratch%s", offset_text(p->arena, plan, pass->at));
  fprintf(out, ": %s\n", plan_pass_text(p->arena, graph, pass));
  for (int i = 0; i < pass->nest_count; i++)
    print_nest(p, &pass->nest[i]);
}

void plan_print(const Plan *plan, const Machine *machine, int machine_count, FILE *out) {
  Arena *arena = arena_new();
  const Printer p = {arena, plan, machine, machine_count, out};
  const Graph *graph = plan->graph;
  fprintf(out, "graph %s\n", graph->name);
  for (int i = 0; i < plan->stage_count; i++) {
    const Value *value = plan->stage[i].value;
    fprintf(out, "  stage %s: %s", value_name(arena, graph, value->id),
            type_text(arena, graph, value->dtype, &value->shape));
    if (value->table)
      fprintf(out, ", a table of elements of %s",
              value_name(arena, graph, value->table_source->id));
    fputc('\n', out);
    for (int k = 0; k < plan->stage[i].nest_count; k++)
      print_nest(&p, &plan->stage[i].nest[k]);
  }
  if (!rsh_is(plan->scratch_bytes, 0))
    fprintf(out, "  scratch: %s bytes, align %" PRIu32 "\n",
            num_text(arena, graph, plan->scratch_bytes), plan->scratch_align);
  for (int i = 0; i < plan->pass_count; i++)
    print_pass(&p, &plan->pass[i]);
  for (int i = 0; i < plan->output_count; i++)
    print_output(&p, &plan->output[i]);
  arena_free(arena);
}
