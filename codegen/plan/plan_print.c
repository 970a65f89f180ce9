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
// bytes of the source by bytes of the destination. A nest by element ends in `element cast u8 to f32, relu, align 4` instead.
// Passes come before the outputs:
//
//     pass %1: f32[2, 3] in y: softmax of 2 rows of 3
//       from x+0 to 0 ...
#include "codegen/plan/plan.h"

#include <inttypes.h>

static const char *value_name(Arena *arena, const Graph *graph, int id) {
  const char *name = graph->value.item[id]->name;
  return name ? name : arena_printf(arena, "%%%d", id);
}

// The bytes of a constant, in order of memory.
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

static bool fits(const Loop *loop, rsh_num run, int64_t bytes) {
  return rsh_is_known(loop->extent) && loop->extent.n * run.n <= bytes;
}

static bool tile_is_whole(const Nest *nest) {
  const Loop *along = &nest->loop[nest->loop_count - 2], *across = along + 1;
  return fits(along, nest->run, nest->tile.src) && fits(across, nest->run, nest->tile.dst);
}

// Gives how far what is inside of them is indented.
static int print_loops(Arena *arena, const Plan *plan, const Nest *nest, FILE *out) {
  int indent = 6;
  for (int i = 0; i < nest->loop_count; i++, indent += 2) {
    const Loop *loop = &nest->loop[i];
    fprintf(out, "%*sfor %s: dst %s", indent, "", num_text(arena, plan->graph, loop->extent),
            num_text(arena, plan->graph, loop->dst));
    if (nest->source >= 0)
      fprintf(out, ", src %s", num_text(arena, plan->graph, loop->src));
    fputc('\n', out);
  }
  return indent;
}

// "copy 128, align 2": what is done inside of the loops.
static void print_inside(Arena *arena, const Plan *plan, const Nest *nest, int indent, FILE *out) {
  const char *verb = nest->source < 0 ? "fill"
                     : nest->weaves   ? "weave"
                     : nest->tile.src ? "transpose"
                                      : "copy";
  fprintf(out, "%*s%s %s", indent, "", verb, num_text(arena, plan->graph, nest->run));
  if (nest->tile.src && !tile_is_whole(nest))
    fprintf(out, " in %s%sblocks of %" PRId64 " by %" PRId64, nest->tile.packs ? "packed " : "",
            nest->tile.prefetches ? "prefetched " : "", nest->tile.src, nest->tile.dst);
  else if (nest->tile.prefetches)
    fprintf(out, " in one prefetched block");
  if (nest->tile.near)
    fprintf(out, ", near");
  if (nest->tile.strips)
    fprintf(out, ", in strips");
  if (nest->shift)
    fprintf(out, ", from bit %d", nest->shift);
  fprintf(out, ", align %" PRIu32 "%s\n", nest->unit, nest->streams ? ", streamed" : "");
}

// "at {src 64, dst 0} for 2: dst 8, src 32": a place with its own loops is a line.
static void print_places(const Nest *nest, FILE *out) {
  const NestLap *lap = nest->lap;
  for (int i = 0; i < nest->place_count; i++) {
    bool is_first = i == 0 || nest->lap;
    fprintf(out, "%s{src %" PRId64 ", dst %" PRId64 "}", is_first ? "      at " : " ",
            nest->place[i].src, nest->place[i].dst);
    for (int k = 0; k < nest->lap_count; k++, lap++)
      if (lap->extent > 1)
        fprintf(out, " for %" PRId64 ": dst %" PRId64 ", src %" PRId64, lap->extent, lap->dst,
                lap->src);
    fputs(nest->lap || i + 1 == nest->place_count ? "\n" : "", out);
  }
}

static void print_nest(Arena *arena, const Plan *plan, const Nest *nest, FILE *out) {
  const Graph *graph = plan->graph;
  bool is_fill = nest->source < 0;
  const char *to = num_text(arena, plan->graph, nest->dst_offset);
  if (is_fill)
    fprintf(out, "    %s to %s\n", fill_text(arena, graph, nest->source), to);
  else
    fprintf(out, "    from %s%s to %s\n", value_name(arena, graph, nest->source),
            offset_text(arena, plan, nest->src_offset), to);
  print_places(nest, out);
  int indent = print_loops(arena, plan, nest, out);
  if (nest->by_element) {
    fprintf(out, "%*selement", indent, "");
    print_map(arena, graph, nest->map, out);
    fprintf(out, ", align %" PRIu32 "\n", nest->unit);
    return;
  }
  print_inside(arena, plan, nest, indent, out);
  if (!nest->large)
    return;
  fprintf(out, "      from %" PRId64 " bytes on, in whole lines\n", nest->large_from);
  print_inside(arena, plan, nest->large, print_loops(arena, plan, nest->large, out), out);
}

static void print_output(Arena *arena, const Plan *plan, const OutputPlan *output, FILE *out) {
  const Graph *graph = plan->graph;
  const Value *value = output->output->value;
  fprintf(out, "  %s: %s: %s", output->output->name,
          type_text(arena, graph, value->dtype, &value->shape), tier_name(output->tier));
  if (output->tier == TIER_ALIAS && output->source)
    fprintf(out, " of %s%s", output->source->name, offset_text(arena, plan, output->offset));
  if ((output->tier == TIER_ALIAS && graph_is_static(graph)) || output->tier == TIER_STATIC)
    fprintf(out, ", %" PRIu64 " bytes", output->bytes);
  fprintf(out, ": %s\n", output->why);
  for (int i = 0; i < output->nest_count && output->tier != TIER_ALIAS; i++)
    print_nest(arena, plan, &output->nest[i], out);
}

static void print_pass(Arena *arena, const Plan *plan, const Pass *pass, FILE *out) {
  const Graph *graph = plan->graph;
  const Value *value = pass->value;
  fprintf(out, "  pass %s: %s", value_name(arena, graph, value->id),
          type_text(arena, graph, value->dtype, &value->shape));
  if (pass->output >= 0)
    fprintf(out, " in %s", plan->output[pass->output].output->name);
  else
    fprintf(out, " in scratch%s", offset_text(arena, plan, pass->at));
  fprintf(out, ": %s\n", plan_pass_text(arena, graph, pass));
  for (int i = 0; i < pass->nest_count; i++)
    print_nest(arena, plan, &pass->nest[i], out);
}

void plan_print(const Plan *plan, FILE *out) {
  Arena *arena = arena_new();
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
      print_nest(arena, plan, &plan->stage[i].nest[k], out);
  }
  if (!rsh_is(plan->scratch_bytes, 0))
    fprintf(out, "  scratch: %s bytes, align %" PRIu32 "\n",
            num_text(arena, graph, plan->scratch_bytes), plan->scratch_align);
  for (int i = 0; i < plan->pass_count; i++)
    print_pass(arena, plan, &plan->pass[i], out);
  for (int i = 0; i < plan->output_count; i++)
    print_output(arena, plan, &plan->output[i], out);
  arena_free(arena);
}
