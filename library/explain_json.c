// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The facts that explain.c prints, for programs.
#include "library/explain.h"

#include "codegen/machine/report.h"
#include "codegen/machine/target.h"
#include "codegen/plan/cost.h"
#include "library/explain_facts.h"
#include "library/number.h"

#include <jansson.h>

static rsh_num offset_of(const Graph *graph, const OutputPlan *output) {
  if (output->tier == TIER_ALIAS)
    return output->offset;
  const rsh_move *move = explain_single_move(graph, output);
  return move ? move->src_offset : rsh_int(0);
}

static json_t *json_pair(Arena *arena, const Graph *graph, rsh_num extent, rsh_num stride) {
  return json_pack("[o, o]", json_num(arena, graph, extent), json_num(arena, graph, stride));
}

static json_t *json_nest(Arena *arena, const Graph *graph, const OutputPlan *output) {
  const rsh_move *move = explain_single_move(graph, output);
  json_t *nest = json_array();
  for (int i = 0; i < move->axis_count; i++) {
    const rsh_axis *axis = &output->moves->axis[move->first + i];
    json_array_append_new(nest, json_pair(arena, graph, axis->extent, axis->src));
  }
  if (move->axis_count == 0) // a single element
    json_array_append_new(nest, json_pair(arena, graph, rsh_int(1), rsh_int(1)));
  return nest;
}

// The moves of a result with several moves, in the order of writing: their offsets on both sides, and their loops.
static json_t *json_nests(Arena *arena, const Graph *graph, const rsh_moves *moves) {
  json_t *list = json_array();
  for (int m = 0; m < moves->count; m++) {
    const rsh_move *move = &moves->move[m];
    bool is_named = !rsh_is_fill(move->source) && graph_is_source(graph, move->source);
    json_t *loops = json_array();
    for (int i = 0; i < move->axis_count; i++) {
      const rsh_axis *axis = &moves->axis[move->first + i];
      json_array_append_new(loops, json_pack("[o, o, o]", json_num(arena, graph, axis->extent),
                                             json_num(arena, graph, axis->dst),
                                             json_num(arena, graph, axis->src)));
    }
    json_array_append_new(list,
                          json_pack("{s:s?, s:o, s:o, s:o}", "source",
                                    is_named ? graph->value.item[move->source]->name : NULL, "from",
                                    json_num(arena, graph, move->src_offset), "to",
                                    json_num(arena, graph, move->dst_offset), "loops", loops));
  }
  return list;
}

// The passes before the output, if there are any.
static json_t *json_via(Arena *arena, const Plan *plan, const OutputPlan *output) {
  json_t *list = json_array();
  for (int i = 0; i < output->via_count; i++) {
    const Pass *pass = output->via[i];
    const char *place = pass->output < 0 ? "scratch" : plan->output[pass->output].output->name;
    json_array_append_new(list,
                          json_pack("{s:s, s:s, s:o, s:s}", "what",
                                    plan_pass_text(arena, plan->graph, pass), "in", place, "bytes",
                                    json_num(arena, plan->graph, pass->bytes), "why", pass->why));
  }
  return list;
}

static json_t *json_cycles(Arena *arena, const Graph *graph, const Cycles *c) {
  rsh_num n = explain_batches(graph, c);
  if (c->reversal)
    return json_pack("{s:o, s:i, s:o, s:o}", "batches", json_num(arena, graph, n), "reversals", 3,
                     "pieces", json_num(arena, graph, c->count), "piece_bytes",
                     json_num(arena, graph, c->piece));
  bool is_known = c->cycles >= 0;
  return json_pack("{s:o, s:o, s:o, s:o, s:b, s:o}", "batches", json_num(arena, graph, n), "cycles",
                   is_known ? json_integer(c->cycles) : json_null(), "pieces",
                   json_num(arena, graph, c->count), "piece_bytes",
                   json_num(arena, graph, c->piece), "listed", c->leader != NULL, "bytes_moved",
                   is_known ? json_integer(n.n * c->moved * c->piece.n) : json_null());
}

static json_t *json_slides(Arena *arena, const Graph *graph, const OutputPlan *output) {
  rsh_num bytes;
  bool is_counted = plan_slides_bytes(graph, output->slides, &bytes);
  return json_pack("{s:s, s:s, s:b, s:o}", "input", output->in_place->name, "slides",
                   plan_slides_text(output->slides), "fits",
                   plan_fits_input(graph, output, output->in_place), "bytes_moved",
                   is_counted ? json_num(arena, graph, bytes) : json_null());
}

static json_t *json_placed(Arena *arena, const Graph *graph, const OutputPlan *output) {
  json_t *list = json_array();
  for (int i = 0; i < output->placed_count; i++) {
    const Placed *placed = &output->placed[i];
    json_t *strides = json_array();
    for (int k = 0; k < placed->input->shape.rank; k++)
      json_array_append_new(strides, json_num(arena, graph, placed->stride[k]));
    json_array_append_new(list,
                          json_pack("{s:s, s:o, s:o}", "input", placed->input->name, "offset",
                                    json_num(arena, graph, placed->offset), "strides", strides));
  }
  return list;
}

static json_t *json_cost(Arena *arena, const Plan *plan, const Machine *machine,
                         const OutputPlan *output) {
  json_t *list = json_array();
  int count;
  const Nest **nest = explain_nests(arena, output, &count);
  for (int i = 0; i < count && !plan->tape; i++) {
    Cost cost = nest_cost(plan, nest[i], machine);
    json_t *read = cost.is_counted ? json_num(arena, plan->graph, cost.read) : json_null(),
           *written = cost.is_counted ? json_num(arena, plan->graph, cost.written) : json_null();
    json_t *speed = cost.speed > 0 ? json_integer(cost.speed) : json_null();
    json_array_append_new(list, json_pack("{s:o, s:o, s:s, s:s, s:o, s:b}", "bytes_read", read,
                                          "bytes_written", written, "level",
                                          cost_level_name(cost.level), "limit", cost.limit,
                                          "percent_of_memcpy", speed, "is_most", cost.is_most));
  }
  return list;
}

static json_t *json_machine(const Processor *cpu) {
  return json_pack("{s:s, s:I, s:I, s:I}", "name", cpu->name, "l1", (json_int_t)cpu->l1, "l2",
                   (json_int_t)cpu->l2, "last", (json_int_t)cpu->last);
}

static json_t *json_output(Arena *arena, const Plan *plan, const Machine *machine,
                           const OutputPlan *output) {
  const Graph *graph = plan->graph;
  const Value *value = output->output->value;
  json_t *o = json_object(), *dims = json_array(), *sources = json_array();
  const rsh_shape known = value_known_dims(graph, value), *shape = &known;
  for (int i = 0; i < shape->rank; i++)
    json_array_append_new(dims, json_num(arena, graph, shape->dim[i]));
  for (int i = 0; i < output->source_count; i++)
    json_array_append_new(sources, json_string(output->sources[i]->name));
  json_object_set_new(o, "name", json_string(output->output->name));
  json_object_set_new(o, "dtype", json_string(rsh_dtype_name(value->dtype)));
  if (shape->rank == RSH_RANK_UNKNOWN) {
    json_decref(dims);
    dims = json_string("*");
  }
  json_object_set_new(o, "dims", dims);
  json_object_set_new(o, "tier", json_string(tier_name(output->tier)));
  json_object_set_new(o, "sources", sources);
  json_object_set_new(o, "offset", json_num(arena, graph, offset_of(graph, output)));
  json_object_set_new(o, "moves", json_integer(output->moves ? output->moves->count : 0));
  if (explain_single_move(graph, output))
    json_object_set_new(o, "nest", json_nest(arena, graph, output));
  if (output->moves && output->moves->count > 1)
    json_object_set_new(o, "nests", json_nests(arena, graph, output->moves));
  if (value->lod)
    json_object_set_new(o, "lod", json_string(value->lod->name));
  if (output->via_count > 0)
    json_object_set_new(o, "via", json_via(arena, plan, output));
  if (output->placed_count > 0)
    json_object_set_new(o, "placed", json_placed(arena, graph, output));
  rsh_num bytes;
  json_object_set_new(o, "bytes_moved",
                      report_bytes_moved(graph, output, &bytes) ? json_num(arena, graph, bytes)
                                                                : json_null());
  json_object_set_new(o, "cost", json_cost(arena, plan, machine, output));
  if (output->cycles)
    json_object_set_new(o, "in_place", json_cycles(arena, graph, output->cycles));
  if (output->slides)
    json_object_set_new(o, "in_place", json_slides(arena, graph, output));
  json_object_set_new(o, "why", json_string(output->why ? output->why : ""));
  return o;
}

static json_t *json_graph(Arena *arena, const Plan *plan, const Machine *machine) {
  const Graph *graph = plan->graph;
  json_t *symbols = json_array(), *guards = json_array(), *outputs = json_array();
  for (int i = 0; i < graph->symbol.count; i++)
    if (symbol_is_parameter(&graph->symbol.item[i]))
      json_array_append_new(
          symbols, json_string(graph->symbol.item[i].name ? graph->symbol.item[i].name : "?"));
  for (int i = 0; i < graph->guard.count; i++)
    json_array_append_new(guards,
                          json_pack("{s:s, s:s}", "condition",
                                    guard_text(arena, graph, &graph->guard.item[i]), "status",
                                    rsh_status_name(graph->guard.item[i].status)));
  for (int i = 0; i < plan->output_count; i++)
    json_array_append_new(outputs, json_output(arena, plan, machine, &plan->output[i]));
  json_t *o =
      json_pack("{s:s, s:o, s:o, s:o, s:o}", "name", graph->name, "symbols", symbols, "guards",
                guards, "machine", json_machine(plan->processor), "outputs", outputs);
  if (!rsh_is(plan->scratch_bytes, 0))
    json_object_set_new(o, "scratch_bytes", json_num(arena, graph, plan->scratch_bytes));
  return o;
}

void explain_json(const Pipeline *p, const EmitOptions *code, FILE *out) {
  Machine machine[MOST_MACHINES];
  emit_machines(p->arena, code, machine);
  json_t *graphs = json_array();
  for (int i = 0; i < p->plan.count; i++)
    json_array_append_new(graphs, json_graph(p->arena, p->plan.item[i], &machine[0]));
  json_t *root = json_pack("{s:o}", "graphs", graphs);
  json_dumpf(root, out, JSON_INDENT(2));
  putc('\n', out);
  json_decref(root);
}
