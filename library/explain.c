// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explains each result and why, for people.
//
//   graph chw(x: u8[28, 28, 3]) -> y: u8[3, 28, 28]
//     y  static
//        moves  2352 bytes from x
//        why    transpose moves ...
//        loops  x to y
//                 for 3      x + 1  y + 784
//                   for 784  x + 3  y + 1
//                     copy 1 element
#include "library/explain.h"

#include "codegen/machine/report.h"
#include "codegen/machine/target.h"
#include "codegen/plan/cost.h"
#include "codegen/plan/nest_text.h"
#include "driver/pictures/picture.h"
#include "frontend/text/text_out.h"
#include "library/explain_facts.h"

#include <inttypes.h>
#include <string.h>

// Parameters of an explanation, in addition to the plan.
typedef struct View {
  const Machine *machine; // the target of the loops
  bool costs;
} View;

// Where the result of a pass is stored: "in y", or "in 1024 bytes of scratch".
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

// Facts about an output are in one column, after these labels.
static void print_label(FILE *out, const char *label) { fprintf(out, "      %-7s", label); }

// "192 bytes from x, in 3 parts"
static void print_moves(FILE *out, Arena *arena, const Graph *graph, const OutputPlan *output) {
  rsh_num bytes;
  bool counted = report_bytes_moved(graph, output, &bytes);
  print_label(out, "moves");
  fprintf(out, "%s bytes", counted ? num_text(arena, graph, bytes) : "?");
  for (int i = 0; i < output->source_count; i++)
    fprintf(out, "%s%s", i ? ", " : " from ", output->sources[i]->name);
  if (output->moves->count > 1)
    fprintf(out, ", in %d parts", output->moves->count);
  putc('\n', out);
}

// "2016 searched for in each of 8 batches, 129024 of 131072 bytes move if the result is in the memory of its input"
static void print_cycles(FILE *out, Arena *arena, const Graph *graph, const Cycles *c) {
  rsh_num n = explain_batches(graph, c);
  if (c->cycles >= 0)
    fprintf(out, "%" PRId64 " ", c->cycles);
  fprintf(out, "%s",
          c->reversal ? "three reversals"
          : c->swaps  ? "swaps"
          : c->leader ? "known"
                      : "searched for");
  if (!rsh_is(n, 1))
    fprintf(out, " in each of %s batches", num_text(arena, graph, n));
  if (c->cycles >= 0)
    fprintf(out,
            ", %" PRId64 " of %" PRId64 " bytes move if the result is in the memory of its input\n",
            n.n * c->moved * c->piece.n, n.n * c->count.n * c->piece.n);
  else
    fprintf(out, ", of %s pieces of %s byte%s, if the result is in the memory of its input\n",
            num_text(arena, graph, c->count), num_text(arena, graph, c->piece),
            rsh_is(c->piece, 1) ? "" : "s");
}

// "480 bytes move downward if the result is in x"; "in x, which must have room for it": x may be too small.
static void print_slides(FILE *out, Arena *arena, const Graph *graph, const OutputPlan *output) {
  rsh_num bytes;
  bool is_counted = plan_slides_bytes(graph, output->slides, &bytes);
  fprintf(out, "%s bytes move %s if the result is in %s%s\n",
          is_counted ? num_text(arena, graph, bytes) : "all", plan_slides_text(output->slides),
          output->in_place->name,
          plan_fits_input(graph, output, output->in_place) ? "" : ", which must have room for it");
}

// One line for each pass before the output's own, which the lines below describe.
static void print_via(FILE *out, Arena *arena, const Plan *plan, const OutputPlan *output) {
  for (int i = 0; i < output->via_count && output->via[i] != output->own; i++) {
    const Pass *pass = output->via[i];
    print_label(out, "via");
    fprintf(out, "%s %s", plan_pass_text(arena, plan->graph, pass), pass_place(arena, plan, pass));
    fprintf(out, "%s%s\n", pass->nest_count > 0 ? "; moved there: " : "",
            pass->nest_count > 0 ? pass->why : "");
  }
}

// "a from element 0 on, at strides [8, 1]; not copied"
static void print_placed(FILE *out, Arena *arena, const Graph *graph, const OutputPlan *output) {
  for (int i = 0; i < output->placed_count; i++) {
    const Placed *placed = &output->placed[i];
    print_label(out, "has");
    fprintf(out, "%s from element %s on, at strides [%s]; not copied\n", placed->input->name,
            num_text(arena, graph, placed->offset), explain_strides(arena, graph, placed));
  }
}

// "reads 4194304 bytes, writes 4194304, in L2; limit: shuffles"
static void print_cost(FILE *out, Arena *arena, const Plan *plan, const View *view,
                       const Nest *nest) {
  static const char *const where[] = {[COST_L1] = "in L1",
                                      [COST_L2] = "in L2",
                                      [COST_LAST] = "in the last cache",
                                      [COST_MEMORY] = "in memory",
                                      [COST_OPEN] = "level depends on sizes"};
  Cost cost = nest_cost(plan, nest, view->machine);
  print_label(out, "cost");
  if (cost.is_counted)
    fprintf(out, "reads %s bytes, writes %s, ", num_text(arena, plan->graph, cost.read),
            num_text(arena, plan->graph, cost.written));
  fprintf(out, "%s; limit: %s", where[cost.level], cost.limit);
  if (cost.speed > 0)
    fprintf(out, "; %s%.2f of memcpy", cost.is_most ? "at most " : "", (double)cost.speed / 100);
  putc('\n', out);
}

// The width of the first column, including indentation, and of the second.
static void measure_loops(const NestText *text, int *heads, int *reads) {
  *heads = *reads = 0;
  for (int i = 0; i < text->loop_count; i++) {
    int head = 2 * i + (int)strlen(text->loop[i].head), read = (int)strlen(text->loop[i].read);
    *heads = head > *heads ? head : *heads;
    *reads = read > *reads ? read : *reads;
  }
}

// photo + 12336 to y
//   for 224      photo + 768  y + 224
//     for 224    photo + 3    y + 1
//       for 3    photo + 1    y + 50176
//         load, cast to f32, store
static void print_loops(FILE *out, const NestText *text) {
  enum { COLUMN = 15 };
  int heads, reads;
  measure_loops(text, &heads, &reads);
  print_label(out, "loops");
  fprintf(out, "%s to %s\n", text->from, text->to);
  for (int i = 0; i < text->loop_count; i++) {
    const LoopText *loop = &text->loop[i];
    fprintf(out, "%*s%s", COLUMN + 2 * i, "", loop->head);
    if (*loop->written)
      fprintf(out, "%*s%-*s  %s", heads - 2 * i - (int)strlen(loop->head) + (reads > 0 ? 2 : 0), "",
              reads, loop->read, loop->written);
    putc('\n', out);
  }
  fprintf(out, "%*s%s\n", COLUMN + 2 * text->loop_count, "", text->body);
}

// The nests that write one tensor: the loops of the first ones, and the cost of each.
static void print_nests(FILE *out, Arena *arena, const Plan *plan, const View *view,
                        const Nest *nest, int count, const Value *to, const char *name) {
  enum { MOST = 6 };
  for (int i = 0; i < count; i++) {
    if (i < MOST) {
      const NestText text = nest_text(arena, plan, view->machine, &nest[i], to, name);
      print_loops(out, &text);
    }
    if (view->costs)
      print_cost(out, arena, plan, view, &nest[i]);
  }
  if (count > MOST) {
    print_label(out, "loops");
    fprintf(out, "... and %d more\n", count - MOST);
  }
}

// The nests of passes come first.
static void print_work(FILE *out, Arena *arena, const Plan *plan, const View *view,
                       const OutputPlan *output) {
  if (output->tier == TIER_ALIAS || plan->tape)
    return;
  for (int i = 0; i < output->via_count; i++) {
    const Pass *pass = output->via[i];
    print_nests(out, arena, plan, view, pass->nest, pass->nest_count, pass->value,
                nest_source_name(arena, plan, pass->value->id));
  }
  print_nests(out, arena, plan, view, output->nest, output->nest_count, output->output->value,
              output->output->name);
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

static void print_output(FILE *out, Arena *arena, const Plan *plan, const View *view,
                         const OutputPlan *output, int width) {
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
    print_placed(out, arena, graph, output);
    print_via(out, arena, plan, output);
    print_moves(out, arena, graph, output);
  }
  if (output->cycles) {
    print_label(out, output->cycles->reversal ? "roll" : "cycles");
    print_cycles(out, arena, graph, output->cycles);
  }
  if (output->slides) {
    print_label(out, "slides");
    print_slides(out, arena, graph, output);
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
  print_work(out, arena, plan, view, output);
}

// The conditions that a call checks, before the outputs: "needs  W % 16 == 0, N % 4 == 0 or not_divisible".
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

void explain_plan(Arena *arena, const Plan *plan, const Machine *machine, bool costs, FILE *out) {
  const View view = {machine, costs};
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
    print_output(out, arena, plan, &view, &plan->output[k], width);
  const Plan *nonempty = plan_nonempty(plan);
  if (nonempty)
    fputs("  if no size is 0:\n", out);
  for (int k = 0; nonempty && k < nonempty->output_count; k++)
    print_output(out, arena, nonempty, &view, &nonempty->output[k], width);
}

void explain_text(const Pipeline *p, const EmitOptions *code, bool costs, FILE *out) {
  Machine machine[MOST_MACHINES];
  emit_machines(p->arena, code, machine);
  for (int i = 0; i < p->plan.count; i++) {
    if (i > 0)
      putc('\n', out);
    explain_plan(p->arena, p->plan.item[i], &machine[0], costs, out);
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
  explain_text(p, code, costs, text_out_begin(&text));
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
