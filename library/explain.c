// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each result became and why, for people.
//
//   graph chw(x: u8[28, 28, 3]) -> y: u8[3, 28, 28]
//     y  static
//        from   x
//        moves  1, 2352 of 2352 bytes
//        nest   3 by 1, 784 by 3
//        why    ...
#include "library/explain.h"

#include "codegen/machine/report.h"
#include "codegen/machine/target.h"
#include "codegen/plan/cost.h"
#include "driver/pictures/picture.h"
#include "frontend/text/text_out.h"
#include "library/explain_facts.h"

#include <inttypes.h>
#include <string.h>

// Where a pass lies: "in y", or "in 1024 bytes of scratch".
static const char *pass_place(Arena *arena, const Plan *plan, const Pass *pass) {
  if (pass->output >= 0)
    return arena_printf(arena, "in %s", plan->output[pass->output].output->name);
  if (!pass->is_planned)
    return "in scratch";
  return arena_printf(arena, "in %s bytes of scratch", num_text(arena, plan->graph, pass->bytes));
}

static const char *typed_name(Arena *arena, const Graph *graph, const char *name,
                              const Value *value) {
  return arena_printf(arena, "%s: %s", name, value_text(arena, graph, value));
}

// graph f(x: f32[2, 3], z: i8) -> (a: f32[3, 2], b: i8)
static void print_signature(FILE *out, Arena *arena, const Plan *plan) {
  const Graph *graph = plan->graph;
  fprintf(out, "graph %s(", graph->name);
  for (int i = 0; i < graph->input_count; i++)
    fprintf(out, "%s%s", i ? ", " : "",
            typed_name(arena, graph, graph->value.item[i]->name, graph->value.item[i]));
  fputs(plan->output_count == 1 ? ") -> " : ") -> (", out);
  for (int i = 0; i < plan->output_count; i++) {
    const Output *output = plan->output[i].output;
    fprintf(out, "%s%s", i ? ", " : "", typed_name(arena, graph, output->name, output->value));
  }
  fprintf(out, "%s\n", plan->output_count == 1 ? "" : ")");
}

static void print_sources(FILE *out, const OutputPlan *output) {
  for (int i = 0; i < output->source_count; i++)
    fprintf(out, "%s%s", i ? ", " : "", output->sources[i]->name);
}

static void print_nest(FILE *out, Arena *arena, const Graph *graph, const OutputPlan *output) {
  const rsh_move *move = explain_single_move(graph, output);
  for (int i = 0; i < move->axis_count; i++) {
    const rsh_axis *axis = &output->moves->axis[move->first + i];
    fprintf(out, "%s%s by %s", i ? ", " : "", num_text(arena, graph, axis->extent),
            num_text(arena, graph, axis->src));
  }
  if (move->axis_count == 0)
    fputs("1 element", out);
  if (!rsh_is(move->src_offset, 0))
    fprintf(out, ", from element %s", num_text(arena, graph, move->src_offset));
}

// What is under the name of an output stands in one column, behind these words.
static void print_label(FILE *out, const char *label) { fprintf(out, "      %-7s", label); }

// "2016 searched for in each of 8 batches, 129024 of 131072 bytes move where the result lies in its input"
static void print_cycles(FILE *out, Arena *arena, const Graph *graph, const Cycles *c) {
  rsh_num n = explain_batches(graph, c);
  if (c->cycles >= 0)
    fprintf(out, "%" PRId64 " ", c->cycles);
  fprintf(out, "%s", c->swaps ? "swaps" : c->leader ? "known" : "searched for");
  if (!rsh_is(n, 1))
    fprintf(out, " in each of %s batches", num_text(arena, graph, n));
  if (c->cycles >= 0)
    fprintf(out, ", %" PRId64 " of %" PRId64 " bytes move where the result lies in its input\n",
            n.n * c->moved * c->piece.n, n.n * c->count.n * c->piece.n);
  else
    fprintf(out, ", of %s pieces of %s byte%s, where the result lies in its input\n",
            num_text(arena, graph, c->count), num_text(arena, graph, c->piece),
            rsh_is(c->piece, 1) ? "" : "s");
}

// One line a pass, up to those that make the output: the lines below are about these.
static void print_via(FILE *out, Arena *arena, const Plan *plan, const OutputPlan *output) {
  for (int i = 0; i < output->via_count && output->via[i] != output->own; i++) {
    const Pass *pass = output->via[i];
    print_label(out, "via");
    fprintf(out, "%s %s", plan_pass_text(arena, plan->graph, pass), pass_place(arena, plan, pass));
    fprintf(out, "%s%s\n", pass->nest_count > 0 ? "; moved there: " : "",
            pass->nest_count > 0 ? pass->why : "");
  }
}

// "a from element 0 on, by 8, 1; nothing moves it"
static void print_placed(FILE *out, Arena *arena, const Graph *graph, const OutputPlan *output) {
  for (int i = 0; i < output->placed_count; i++) {
    const Placed *placed = &output->placed[i];
    print_label(out, "has");
    fprintf(out, "%s from element %s on, at strides [%s]; nothing moves it\n", placed->input->name,
            num_text(arena, graph, placed->offset), explain_strides(arena, graph, placed));
  }
}

// "reads 4194304 bytes, writes 4194304, in L2; limit: shuffles", a line for each nest.
static void print_costs(FILE *out, Arena *arena, const Plan *plan, const OutputPlan *output) {
  static const char *const where[] = {[COST_L1] = "in L1",
                                      [COST_L2] = "in L2",
                                      [COST_LAST] = "in the last cache",
                                      [COST_MEMORY] = "in memory",
                                      [COST_OPEN] = "level depends on sizes"};
  int count;
  const Nest **nest = explain_nests(arena, output, &count);
  for (int i = 0; i < count && !plan->tape; i++) {
    Cost cost = nest_cost(plan, nest[i]);
    print_label(out, "cost");
    if (cost.is_counted)
      fprintf(out, "reads %s bytes, writes %s, ", num_text(arena, plan->graph, cost.read),
              num_text(arena, plan->graph, cost.written));
    fprintf(out, "%s; limit: %s\n", where[cost.level], cost.limit);
  }
}

static const char *size_text(Arena *arena, int64_t bytes) {
  int64_t kib = bytes >> 10, mib = bytes >> 20;
  return mib << 20 == bytes && mib > 0 ? arena_printf(arena, "%" PRId64 " MiB", mib)
                                       : arena_printf(arena, "%" PRId64 " KiB", kib);
}

static void print_machine(FILE *out, Arena *arena, const Processor *cpu) {
  fprintf(out, "  costs  on %s: %s of L1, %s of L2, %s of last cache\n", cpu->name,
          size_text(arena, cpu->l1), size_text(arena, cpu->l2), size_text(arena, cpu->last));
}

static void print_output(FILE *out, Arena *arena, const Plan *plan, const OutputPlan *output,
                         bool costs, int width) {
  const Graph *graph = plan->graph;
  fprintf(out, "  %-*s  %s\n", width, output->output->name, tier_name(output->tier));
  if (output->tier == TIER_ALIAS) {
    print_label(out, "is");
    if (output->source)
      fprintf(out, "%s from element %s on; nothing moves\n", output->source->name,
              num_text(arena, graph, output->offset));
    else
      fprintf(out, "%s\n", "without elements; nothing moves");
  } else if (output->moves) {
    rsh_num bytes;
    bool counted = report_bytes_moved(graph, output, &bytes);
    if (output->source_count > 0 || output->placed_count == 0) {
      print_label(out, "from");
      print_sources(out, output);
      putc('\n', out);
    }
    print_placed(out, arena, graph, output);
    print_via(out, arena, plan, output);
    print_label(out, "moves");
    fprintf(out, "%d, %s bytes\n", output->moves->count,
            counted ? num_text(arena, graph, bytes) : "?");
    if (explain_single_move(graph, output)) {
      print_label(out, "nest");
      print_nest(out, arena, graph, output);
      putc('\n', out);
    }
  }
  if (costs)
    print_costs(out, arena, plan, output);
  if (output->cycles) {
    print_label(out, "cycles");
    print_cycles(out, arena, graph, output->cycles);
  }
  const Value *value = output->output->value;
  if (value->lod || value->lod_lost) {
    print_label(out, "lod");
    if (value->lod)
      fprintf(out, "the offsets of %s\n", value->lod->name);
    else
      fprintf(out, "none: %s does not keep the rows\n", rsh_op_name(value->lod_lost->call.op));
  }
  print_label(out, "why");
  fprintf(out, "%s\n", output->why ? output->why : "");
}

// What a call checks, before the outputs: "needs  W % 16 == 0, N % 4 == 0 or not_divisible".
static void print_guards(FILE *out, Arena *arena, const Graph *graph) {
  for (int i = 0; i < graph->guard.count; i++) {
    const Guard *guard = &graph->guard.item[i];
    fprintf(out, "%s%s", i == 0 ? "  needs  " : ", ", guard_text(arena, graph, guard));
    if (guard->status != RSH_guard_failed)
      fprintf(out, " or %s", rsh_status_name(guard->status));
  }
  if (graph->guard.count > 0)
    putc('\n', out);
}

void explain_plan(Arena *arena, const Plan *plan, bool costs, FILE *out) {
  int width = 0;
  for (int k = 0; k < plan->output_count; k++) {
    int length = (int)strlen(plan->output[k].output->name);
    width = length > width ? length : width;
  }
  print_signature(out, arena, plan);
  print_guards(out, arena, plan->graph);
  if (costs)
    print_machine(out, arena, plan->processor);
  for (int k = 0; k < plan->output_count; k++)
    print_output(out, arena, plan, &plan->output[k], costs, width);
}

void explain_text(const Pipeline *p, bool costs, FILE *out) {
  for (int i = 0; i < p->plan.count; i++) {
    if (i > 0)
      putc('\n', out);
    explain_plan(p->arena, p->plan.item[i], costs, out);
  }
}

// ---- pictures ----

static const Picture *pictures_of(const Pipeline *p, const EmitOptions *code) {
  Picture *picture = ARENA_ARRAY(p->arena, Picture, p->plan.count + 1);
  Machine machine[MOST_MACHINES];
  emit_machines(p->arena, code, machine);
  for (int i = 0; i < p->plan.count; i++) {
    const Plan *plan = p->plan.item[i];
    picture[i] = (Picture){.title = arena_printf(p->arena, "graph %s", plan->graph->name),
                           .graph = plan->graph,
                           .plan = plan,
                           .machine = machine[0]};
  }
  return picture;
}

void explain_html(const Pipeline *p, const EmitOptions *code, bool costs, FILE *out) {
  TextOut text;
  explain_text(p, costs, text_out_begin(&text));
  pictures_print_html(p->arena, p->diag.file, text_out_end(&text, p->arena, NULL),
                      pictures_of(p, code), p->plan.count, out);
}

void explain_pictures(const Pipeline *p, const EmitOptions *code, bool is_svg, FILE *out) {
  const Picture *picture = pictures_of(p, code);
  if (is_svg)
    pictures_print_svg(p->arena, picture, p->plan.count, out);
  else
    pictures_print_dot(p->arena, picture, p->plan.count, out);
}
