// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The facts that explain.c prints, for programs.
#include "library/explain.h"

#include "codegen/machine/report.h"
#include "codegen/machine/target.h"
#include "codegen/plan/cost.h"
#include "codegen/plan/nest_text.h"
#include "frontend/text/json_out.h"
#include "library/explain_facts.h"

// The plan to print, the output, and an arena for temporary texts.
typedef struct Printer {
  JsonOut json;
  Arena *arena;
  const Graph *graph;
  const Plan *plan;
} Printer;

// A number if it is known, else text: "16*N".
static void put_num(Printer *p, const char *key, rsh_num n) {
  if (rsh_is_known(n))
    json_put_int(&p->json, key, n.n);
  else
    json_put_text(&p->json, key, num_text(p->arena, p->graph, n));
}

static void put_num_or_null(Printer *p, const char *key, bool is_counted, rsh_num n) {
  if (is_counted)
    put_num(p, key, n);
  else
    json_put_null(&p->json, key);
}

static rsh_num offset_of(const Graph *graph, const OutputPlan *output) {
  if (output->tier == TIER_ALIAS)
    return output->offset;
  const rsh_move *move = explain_single_move(graph, output);
  return move ? move->src_offset : rsh_int(0);
}

static void put_nums(Printer *p, const char *key, const rsh_num *entry, int count) {
  json_begin(&p->json, key, '[');
  for (int i = 0; i < count; i++)
    put_num(p, NULL, entry[i]);
  json_end(&p->json, ']');
}

static void put_nest(Printer *p, const OutputPlan *output, const rsh_move *move) {
  json_begin(&p->json, "nest", '[');
  for (int i = 0; i < move->axis_count; i++) {
    const rsh_axis *axis = &output->moves->axis[move->first + i];
    put_nums(p, NULL, (const rsh_num[]){axis->extent, axis->src}, 2);
  }
  if (move->axis_count == 0) // a single element
    put_nums(p, NULL, (const rsh_num[]){rsh_int(1), rsh_int(1)}, 2);
  json_end(&p->json, ']');
}

static void put_source(Printer *p, const rsh_move *move) {
  const Graph *graph = p->graph;
  if (!rsh_is_fill(move->source) && graph_is_source(graph, move->source))
    json_put_text(&p->json, "source", graph->value.item[move->source]->name);
  else
    json_put_null(&p->json, "source");
}

// The moves of a result with several moves, in the order of writing: their offsets on both sides, and their loops.
static void put_nests(Printer *p, const rsh_moves *moves) {
  json_begin(&p->json, "nests", '[');
  for (int m = 0; m < moves->count; m++) {
    const rsh_move *move = &moves->move[m];
    json_begin(&p->json, NULL, '{');
    put_source(p, move);
    put_num(p, "from", move->src_offset);
    put_num(p, "to", move->dst_offset);
    json_begin(&p->json, "loops", '[');
    for (int i = 0; i < move->axis_count; i++) {
      const rsh_axis *axis = &moves->axis[move->first + i];
      put_nums(p, NULL, (const rsh_num[]){axis->extent, axis->dst, axis->src}, 3);
    }
    json_end(&p->json, ']');
    json_end(&p->json, '}');
  }
  json_end(&p->json, ']');
}

// The passes before the output.
static void put_via(Printer *p, const OutputPlan *output) {
  json_begin(&p->json, "via", '[');
  for (int i = 0; i < output->via_count; i++) {
    const Pass *pass = output->via[i];
    json_begin(&p->json, NULL, '{');
    json_put_text(&p->json, "what", plan_pass_text(p->arena, p->graph, pass));
    json_put_text(&p->json, "in", nest_source_name(p->arena, p->plan, pass->value->id));
    put_num(p, "bytes", pass->bytes);
    json_put_text(&p->json, "why", pass->why);
    json_end(&p->json, '}');
  }
  json_end(&p->json, ']');
}

static void put_cycles(Printer *p, const Cycles *c) {
  rsh_num n = explain_batches(p->graph, c);
  json_begin(&p->json, "in_place", '{');
  put_num(p, "batches", n);
  if (c->reversal) {
    json_put_int(&p->json, "reversals", 3);
    put_num(p, "pieces", c->count);
    put_num(p, "piece_bytes", c->piece);
  } else {
    bool is_known = c->cycles >= 0;
    put_num_or_null(p, "cycles", is_known, rsh_int(c->cycles));
    put_num(p, "pieces", c->count);
    put_num(p, "piece_bytes", c->piece);
    json_put_bool(&p->json, "listed", c->leader != NULL);
    put_num_or_null(p, "bytes_moved", is_known,
                    rsh_int(is_known ? n.n * c->moved * c->piece.n : 0));
  }
  json_end(&p->json, '}');
}

static void put_slides(Printer *p, const OutputPlan *output) {
  rsh_num bytes = rsh_int(0);
  bool is_counted = plan_slides_bytes(p->graph, output->slides, &bytes);
  json_begin(&p->json, "in_place", '{');
  json_put_text(&p->json, "input", output->in_place->name);
  json_put_text(&p->json, "slides", plan_slides_text(output->slides));
  json_put_bool(&p->json, "fits", plan_fits_input(p->graph, output, output->in_place));
  put_num_or_null(p, "bytes_moved", is_counted, bytes);
  json_end(&p->json, '}');
}

static void put_placed(Printer *p, const OutputPlan *output) {
  json_begin(&p->json, "placed", '[');
  for (int i = 0; i < output->placed_count; i++) {
    const Placed *placed = &output->placed[i];
    json_begin(&p->json, NULL, '{');
    json_put_text(&p->json, "input", placed->input->name);
    put_num(p, "offset", placed->offset);
    put_nums(p, "strides", placed->stride, placed->input->shape.rank);
    json_end(&p->json, '}');
  }
  json_end(&p->json, ']');
}

static void put_cost(Printer *p, const Machine *machine, const OutputPlan *output) {
  int count;
  const Nest **nest = explain_nests(p->arena, output, &count);
  json_begin(&p->json, "cost", '[');
  for (int i = 0; i < count && !p->plan->tape; i++) {
    Cost cost = nest_cost(p->plan, nest[i], machine);
    json_begin(&p->json, NULL, '{');
    put_num_or_null(p, "bytes_read", cost.is_counted, cost.read);
    put_num_or_null(p, "bytes_written", cost.is_counted, cost.written);
    json_put_text(&p->json, "level", cost_level_name(cost.level));
    json_put_text(&p->json, "limit", cost.limit);
    put_num_or_null(p, "percent_of_memcpy", cost.speed > 0, rsh_int(cost.speed));
    json_put_bool(&p->json, "is_most", cost.is_most);
    json_end(&p->json, '}');
  }
  json_end(&p->json, ']');
}

static void put_machine(Printer *p, const Processor *cpu) {
  json_begin(&p->json, "machine", '{');
  json_put_text(&p->json, "name", cpu->name);
  json_put_int(&p->json, "l1", cpu->l1);
  json_put_int(&p->json, "l2", cpu->l2);
  json_put_int(&p->json, "last", cpu->last);
  json_end(&p->json, '}');
}

static void put_dims(Printer *p, const Value *value) {
  const rsh_shape shape = value_known_dims(p->graph, value);
  if (shape.rank == RSH_RANK_UNKNOWN)
    json_put_text(&p->json, "dims", "*");
  else
    put_nums(p, "dims", shape.dim, shape.rank);
}

static void put_output(Printer *p, const Machine *machine, const OutputPlan *output) {
  const Graph *graph = p->graph;
  const Value *value = output->output->value;
  const rsh_move *single = explain_single_move(graph, output);
  JsonOut *json = &p->json;
  json_begin(json, NULL, '{');
  json_put_text(json, "name", output->output->name);
  json_put_text(json, "dtype", rsh_dtype_name(value->dtype));
  put_dims(p, value);
  json_put_text(json, "tier", tier_name(output->tier));
  json_begin(json, "sources", '[');
  for (int i = 0; i < output->source_count; i++)
    json_put_text(json, NULL, output->sources[i]->name);
  json_end(json, ']');
  put_num(p, "offset", offset_of(graph, output));
  json_put_int(json, "moves", output->moves ? output->moves->count : 0);
  if (single)
    put_nest(p, output, single);
  if (output->moves && output->moves->count > 1)
    put_nests(p, output->moves);
  if (value->lod)
    json_put_text(json, "lod", value->lod->name);
  if (output->via_count > 0)
    put_via(p, output);
  if (output->placed_count > 0)
    put_placed(p, output);
  rsh_num bytes = rsh_int(0);
  bool is_counted = report_bytes_moved(graph, output, &bytes);
  put_num_or_null(p, "bytes_moved", is_counted, bytes);
  put_cost(p, machine, output);
  if (output->cycles)
    put_cycles(p, output->cycles);
  else if (output->slides)
    put_slides(p, output);
  json_put_text(json, "why", output->why ? output->why : "");
  json_end(json, '}');
}

static void put_guard(Printer *p, const Guard *guard) {
  json_begin(&p->json, NULL, '{');
  json_put_text(&p->json, "condition", guard_text(p->arena, p->graph, guard));
  json_put_text(&p->json, "status", rsh_status_name(guard->status));
  json_end(&p->json, '}');
}

static void put_outputs(Printer *p, const char *key, const Machine *machine) {
  json_begin(&p->json, key, '[');
  for (int i = 0; i < p->plan->output_count; i++)
    put_output(p, machine, &p->plan->output[i]);
  json_end(&p->json, ']');
}

static void use_plan(Printer *p, const Plan *plan) {
  p->plan = plan;
  p->graph = plan->graph;
}

static void put_graph(Printer *p, const Machine *machine) {
  const Plan *plan = p->plan, *nonempty = plan_nonempty(plan);
  const Graph *graph = p->graph;
  JsonOut *json = &p->json;
  json_begin(json, NULL, '{');
  json_put_text(json, "name", graph->name);
  json_begin(json, "symbols", '[');
  for (int i = 0; i < graph->symbol.count; i++)
    if (symbol_is_parameter(&graph->symbol.item[i]))
      json_put_text(json, NULL, graph->symbol.item[i].name ? graph->symbol.item[i].name : "?");
  json_end(json, ']');
  json_begin(json, "guards", '[');
  for (int i = 0; i < graph->guard.count; i++)
    put_guard(p, &graph->guard.item[i]);
  json_end(json, ']');
  put_machine(p, p->plan->processor);
  put_outputs(p, "outputs", machine);
  if (nonempty) {
    use_plan(p, nonempty);
    put_outputs(p, "outputs_if_no_size_is_0", machine);
    use_plan(p, plan);
  }
  if (!rsh_is(p->plan->scratch_bytes, 0))
    put_num(p, "scratch_bytes", p->plan->scratch_bytes);
  json_end(json, '}');
}

void explain_json(const Pipeline *p, const EmitOptions *code, FILE *out) {
  Machine machine[MOST_MACHINES];
  emit_machines(p->arena, code, machine);
  Printer printer = {.json = {.out = out}, .arena = p->arena};
  json_begin(&printer.json, NULL, '{');
  json_begin(&printer.json, "graphs", '[');
  for (int i = 0; i < p->plan.count; i++) {
    use_plan(&printer, p->plan.item[i]);
    put_graph(&printer, &machine[0]);
  }
  json_end(&printer.json, ']');
  json_end(&printer.json, '}');
  putc('\n', out);
}
