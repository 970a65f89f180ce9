// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides which outputs are aliases, and plans the kernels of the others.
//
// Everything is checked here: an emitter never sees a size that overflows or is unknown.
#include "codegen/plan/plan_internal.h"

#include <inttypes.h>
#include <stdlib.h>

static bool passes_are_known(const OutputPlan *out) {
  for (int i = 0; i < out->via_count; i++)
    if (!pass_is_known(out->via[i]))
      return false;
  return true;
}

static uint64_t placed_bytes(const OutputPlan *out) {
  uint64_t bytes = 0;
  for (int i = 0; i < out->placed_count; i++)
    bytes += plan_is_known(out->placed[i].input) ? plan_value_bytes(out->placed[i].input) : 0;
  return bytes;
}

// Plans the nests of a copy: none if passes compute the output.
static bool plan_copy(Planner *p, OutputPlan *out) {
  const Value *value = out->output->value;
  for (int i = 0; i < out->via_count; i++) {
    if (!out->via[i]->is_planned)
      return false;
    if ((out->via[i]->nest_count > 0 || out->via[i]->picks) && rsh_is_known(out->via[i]->bytes))
      out->bytes_moved += (uint64_t)out->via[i]->bytes.n;
  }
  if (!out->own && !plan_nests(p, out->moves, value->dtype, out->output, &out->moved, &out->nest,
                               &out->nest_count))
    return false;
  if (!out->own)
    out->bytes_moved +=
        (value_is_strided(value) ? plan_own_bytes(value) : out->bytes) - placed_bytes(out);
  if (out->moves->count == 1)
    out->offset = out->moves->move[0].src_offset;
  return true;
}

// The exported function of an alias copies the bytes as one run, unless there are gaps between strides, or
// elements of less than a byte that may not fill the last byte.
static void plan_alias(Planner *p, OutputPlan *out) {
  const Value *value = out->output->value;
  rsh_num run, start;
  if (!out->source || (plan_is_known(value) && out->bytes == 0))
    return;
  bool is_run = !value_is_strided(value) && plan_to_bytes(out->offset, out->source->dtype, &start);
  if (is_run && plan_is_known(value))
    run = rsh_int((int64_t)out->bytes);
  else if (is_run)
    is_run = rsh_volume(p->graph->symbols, &value->shape, &run) == RSH_ok &&
             plan_to_bytes(run, value->dtype, &run);
  if (!is_run) {
    out->nest = nests_of_moves(p, out->moves, value->dtype, false, &out->nest_count);
    return;
  }
  Nest *nest = ARENA_NEW(p->arena, Nest);
  nest->source = out->source->id;
  nest->unit = plan_common_align(out->source->dtype, value->dtype);
  nest->from = nest->to = value->dtype;
  nest->run = run;
  nest->src_offset = start;
  out->nest = nest;
  out->nest_count = 1;
}

static void plan_sources(Planner *p, OutputPlan *out) {
  bool *seen = ARENA_ARRAY(p->arena, bool, p->graph->value.count + 1);
  mark_sources(p->graph, out->moves, seen);
  out->sources = ARENA_ARRAY(p->arena, const Value *, p->graph->value.count + 1);
  for (int i = 0; i < p->graph->value.count; i++)
    if (seen[i] && graph_is_source(p->graph, i) && !value_is_kept(p->graph->value.item[i]))
      out->sources[out->source_count++] = p->graph->value.item[i];
}

// An input that is also an output may have no moves: then it gets the identity.
static const rsh_moves *moves_of(Planner *p, const Value *value) {
  if (value->moves || value->node || !plan_is_known(value))
    return value->moves;
  rsh_moves *moves = ARENA_NEW(p->arena, rsh_moves);
  moves->move = ARENA_NEW(p->arena, rsh_move);
  moves->axis = ARENA_NEW(p->arena, rsh_axis);
  moves->capacity = moves->axis_capacity = 1;
  rsh_num volume;
  rsh_volume(NULL, &value->shape, &volume);
  rsh_moves_identity(moves, value->id, volume);
  return moves;
}

// If this is a variant: the input whose memory the output shares from its first byte on, as the header of the general
// graph tells callers; NULL: none.
static const Value *general_home(const Planner *p, const OutputPlan *out) {
  const OutputPlan *general = p->general ? &p->general->output[out - p->plan->output] : NULL;
  bool moves = general && (general->slides || general->cycles);
  return moves ? p->graph->value.item[general->in_place->id] : NULL;
}

static bool plan_output(Planner *p, Plan *plan, const Output *output, OutputPlan *out) {
  const Value *value = output->value;
  out->output = output;
  bool fits = check_size(plan, value, output->name, output->span) && !plan->too_large;
  if (plan_is_known(value))
    out->bytes = plan_value_bytes(value);
  out->moves = moves_of(p, value);
  if (!out->moves || !moves_are_numbers(out->moves)) {
    out->tier = TIER_DYNAMIC;
    out->why = plan_why(p, out);
    return true;
  }
  place_inputs(p, out);
  plan_sources(p, out);
  int32_t source;
  rsh_num offset;
  bool is_alias = out->placed_count == 0 &&
                  graph_is_alias(p->graph, value, out->moves, &source, &offset) &&
                  source < p->graph->input_count;
  rsh_num start;
  bool is_empty = out->moves->count == 0;
  const Value *home = general_home(p, out);
  if (is_alias && !is_empty && home && (source != home->id || !rsh_is(offset, 0)))
    is_alias = false;
  if (is_alias && !is_empty && !plan_to_bytes(offset, p->graph->value.item[source]->dtype, &start))
    is_alias = false;
  bool good = true;
  plan_via(p, plan, out);
  if (is_alias) {
    out->tier = TIER_ALIAS;
    out->source = is_empty ? NULL : p->graph->value.item[source];
    out->offset = offset;
    if (fits)
      plan_alias(p, out);
  } else {
    bool is_static = plan_is_known(value) && moves_are_known(out->moves) && passes_are_known(out);
    out->tier = is_static ? TIER_STATIC : TIER_SYMBOLIC;
    bool planned = !fits || plan_copy(p, out);
    out->is_unplanned = !planned;
    good = planned || !is_static;
  }
  out->why = plan_why(p, out);
  return good;
}

// The result of a reshape with inplace=True that `value` is computed from; NULL: there is none.
static const Value *reshaped_in_place(const Value *value) {
  while (value->node && !value->is_in_place)
    value = value->node->in[0];
  return value->is_in_place ? value : NULL;
}

static bool reads(const OutputPlan *out, const Value *input) {
  for (int i = 0; i < out->source_count; i++)
    if (out->sources[i] == input)
      return true;
  return false;
}

// y = paddle.reshape(x, shape, act="relu", inplace=True) may be computed in the memory of x.
static void plan_in_place(const Planner *p, const Plan *plan, OutputPlan *out) {
  const Graph *graph = plan->graph;
  const Value *value = out->output->value, *reshaped = reshaped_in_place(value);
  int32_t source, below;
  rsh_num offset;
  if ((!reshaped && !out->output->is_inplace) || out->nest_count != 1 || out->placed_count > 0 ||
      out->tier == TIER_ALIAS || out->moves->count != 1)
    return;
  rsh_move move = out->moves->move[0];
  move.map = 0;
  rsh_moves plain = {&move, out->moves->axis, 1, 1, out->moves->axis_count, 0, 0};
  const rsh_moves *given = reshaped ? reshaped->node->in[0]->moves : NULL;
  if (!rsh_moves_is_alias(graph->symbols, &plain, &source, &offset) || !rsh_is_known(offset) ||
      source >= graph->input_count ||
      (given && (!rsh_moves_is_alias(graph->symbols, given, &below, &offset) || below != source)))
    return;
  const Value *input = graph->value.item[source], *home = general_home(p, out);
  if (home && (home != input || !rsh_is(offset, 0)))
    return;
  int bits = plan_element_bits(value->dtype);
  if (bits < 8 || plan_element_bits(input->dtype) != bits || input->storage || value->storage)
    return;
  for (int i = 0; i < plan->output_count; i++)
    if (&plan->output[i] != out && reads(&plan->output[i], input))
      return;
  out->in_place = input;
}

// The largest power of two up to `most` that divides a number, or its factor if it depends on symbols.
static uint32_t unit_of(rsh_num n, uint32_t most) {
  while (n.n % most != 0)
    most /= 2;
  return most;
}

// Memory that is declared aligned may be moved in words, if all strides are whole words:
//
//   x: f16[B, S, 768] align 8, y align 8, reshaped and transposed in rows of 64: 8 bytes at a time
static void widen(const Plan *plan, const Output *output, Nest *nest) {
  enum { WORD = 8 }; // no machine needs more
  const Graph *graph = plan->graph;
  bool is_input = nest->source >= 0 && nest->source < graph->input_count;
  if (nest_is_by_element(nest) || nest->kind == NEST_SHIFTED || (nest->source >= 0 && !is_input))
    return;
  uint32_t unit = plan_output_align(output);
  if (is_input && plan_input_align(graph->value.item[nest->source]) < unit)
    unit = plan_input_align(graph->value.item[nest->source]);
  unit = unit_of(nest->run, unit < WORD ? unit : WORD);
  unit = unit_of(nest->dst_offset, unit);
  unit = is_input ? unit_of(nest->src_offset, unit) : unit;
  for (int i = 0; i < nest->loop_count; i++) {
    unit = unit_of(nest->loop[i].dst, unit);
    unit = is_input ? unit_of(nest->loop[i].src, unit) : unit;
  }
  const NestPlaces *places = nest->places;
  for (int i = 0; places && i < places->count; i++) {
    unit = unit_of(rsh_int(places->place[i].dst), unit);
    unit = unit_of(rsh_int(places->place[i].src), unit);
  }
  for (int i = 0; places && i < places->count * places->loop_count; i++) {
    unit = unit_of(rsh_int(places->loop[i].dst), unit);
    unit = unit_of(rsh_int(places->loop[i].src), unit);
  }
  nest->unit = unit > nest->unit ? unit : nest->unit;
}

static void widen_all(Plan *plan) {
  for (int i = 0; i < plan->output_count; i++) {
    const OutputPlan *out = &plan->output[i];
    for (int k = 0; k < out->nest_count; k++)
      widen(plan, out->output, &out->nest[k]);
    for (int k = 0; out->slides && k < out->slides->count; k++)
      widen(plan, out->output, &out->slides->slide[k].nest);
  }
}

// Whether each element is computed only from the element that it replaces.
static bool is_of_itself(const OutputPlan *out) {
  const Nest *nest = out->nest;
  NestFields fields = out->nest_count == 1 ? nest_fields(nest) : (NestFields){0};
  bool is = fields.element_count == 1 && nest->from == nest->to &&
            rsh_equal(nest->src_offset, nest->dst_offset);
  for (int i = 0; is && i < nest->loop_count; i++)
    is = rsh_equal(nest->loop[i].src, nest->loop[i].dst);
  for (int i = 0; is && i < fields.field_count; i++)
    is = fields.field[i].src == fields.element->dst;
  return is;
}

// Whether a result has as many elements as the input that it is moved from, of the same type.
static bool may_permute(const Graph *graph, const OutputPlan *out) {
  const Value *value = out->output->value;
  const rsh_move *move = out->moves->move;
  rsh_num volume, before;
  if (out->moves->count > 2 || move->source < 0 || move->source >= graph->input_count)
    return false;
  for (int i = 0; i < out->moves->count; i++)
    if (move[i].source != move->source || move[i].map != 0)
      return false;
  const Value *input = graph->value.item[move->source];
  return input->dtype == value->dtype &&
         rsh_volume(graph->symbols, &value->shape, &volume) == RSH_ok &&
         rsh_volume(graph->symbols, &input->shape, &before) == RSH_ok && rsh_equal(volume, before);
}

// Plans to permute a result in place in its input. Returns why that is not possible; NULL: it is planned.
static const char *plan_cycles(Arena *arena, const Plan *plan, OutputPlan *out) {
  const Graph *graph = plan->graph;
  const Value *value = out->output->value;
  const char *why = NULL;
  rsh_num volume;
  int parts = rsh_moves_parts(out->moves), bits = plan_element_bits(value->dtype) / parts;
  bool is_counted = rsh_volume(graph->symbols, &value->shape, &volume) == RSH_ok &&
                    rsh_mul(graph->symbols, volume, rsh_int(parts), &volume);
  if (out->moves->count == 2) {
    const Cycles *roll =
        is_counted ? roll_of(arena, graph->symbols, out->moves, bits / 8, volume) : NULL;
    if (roll && bits < 8)
      why = "elements smaller than a byte cannot be exchanged";
    out->cycles = why ? NULL : roll;
    out->in_place = out->cycles ? graph->value.item[out->moves->move->source] : NULL;
    return why;
  }
  if (bits < 8 && !is_of_itself(out))
    return "elements smaller than a byte cannot be exchanged";
  if (bits >= 8 && is_counted)
    out->cycles = cycles_of(arena, graph->symbols, out->moves, bits / 8, volume, &why);
  if (out->cycles || bits < 8)
    out->in_place = graph->value.item[out->moves->move->source];
  return why;
}

static bool bytes_of_value(const Graph *graph, const Value *value, rsh_num *bytes) {
  return rsh_volume(graph->symbols, &value->shape, bytes) == RSH_ok &&
         plan_to_bytes(*bytes, value->dtype, bytes);
}

bool plan_fits_input(const Graph *graph, const OutputPlan *out, const Value *input) {
  rsh_num bytes, room;
  return bytes_of_value(graph, out->output->value, &bytes) && bytes_of_value(graph, input, &room) &&
         rsh_at_most(graph->symbols, bytes, room);
}

// Ranks the memory of an input for a result that is moved within it: large enough, perhaps large enough, or smaller, so
// that the result grows beyond it.
static int64_t suitability(const Graph *graph, const OutputPlan *out, const Value *input) {
  if (value_is_constant(input) || value_is_strided(input))
    return -1;
  if (plan_fits_input(graph, out, input))
    return INT64_MAX;
  return plan_is_known(input) ? (int64_t)plan_value_bytes(input) : INT64_MAX - 1;
}

// Plans to move a result within the most suitable input. Returns why that is not possible; NULL: it is planned.
static const char *plan_slides(const Planner *p, OutputPlan *out) {
  const Graph *graph = p->graph;
  const Value *home = general_home(p, out);
  const char *why = NULL, *first = NULL;
  int64_t best = -1;
  for (int i = 0; i < out->source_count; i++) {
    int64_t suits = suitability(graph, out, out->sources[i]);
    best = suits > best ? suits : best;
  }
  for (int i = 0; i < out->source_count && best >= 0 && !out->slides; i++) {
    const Value *input = out->sources[i];
    if (home ? input != home : suitability(graph, out, input) < best)
      continue;
    out->slides = slides_of(p->arena, graph, out, input, &why);
    out->in_place = out->slides ? input : NULL;
    first = first ? first : why;
  }
  for (int i = 0; i < out->source_count && !first; i++)
    if (value_is_strided(out->sources[i]))
      first = arena_printf(p->arena, "elements of '%s' have strides", out->sources[i]->name);
  return out->slides ? NULL : first ? first : "it is not made from an input";
}

// Another result that reads the input that this one overwrites; NULL: there is none.
static const Output *other_reader(const Plan *plan, const OutputPlan *out) {
  for (int i = 0; i < plan->output_count; i++)
    if (&plan->output[i] != out && reads(&plan->output[i], out->in_place))
      return plan->output[i].output;
  return NULL;
}

// Plans a result in the memory of an input. Returns why that is not possible; NULL: it is planned.
static const char *plan_inplace(const Planner *p, const Plan *plan, OutputPlan *out) {
  Arena *arena = p->arena;
  if (out->tier == TIER_DYNAMIC || out->is_unplanned)
    return "how elements move is known only at run time";
  if (out->placed_count > 0)
    return arena_printf(arena, "'%s' is placed in it", out->placed->input->name);
  if (out->via_count > 0) {
    const Pass *last = out->via[out->via_count - 1];
    return arena_printf(arena,
                        last->picks ? "which elements '%s' picks is known only at run time"
                                    : "'%s' first moves rows to memory where it computes them, "
                                      "which cannot be that of an input",
                        rsh_op_name(last->value->node->call.op));
  }
  if (value_is_strided(out->output->value))
    return "elements have strides";
  bool permutes = may_permute(plan->graph, out);
  const char *why = permutes ? plan_cycles(arena, plan, out) : NULL;
  if (!out->in_place) {
    const char *order = plan_slides(p, out);
    why = why && order ? why : order;
  }
  const Output *other = out->in_place ? other_reader(plan, out) : NULL;
  if (other)
    return arena_printf(arena, "'%s' also reads '%s'", other->name, out->in_place->name);
  out->offset = out->in_place ? rsh_int(0) : out->offset;
  return why;
}

// Plans the results that are declared in place. False: reported.
static bool plan_inplace_results(Planner *p, const Plan *plan) {
  bool good = true;
  for (int i = 0; i < plan->output_count; i++) {
    OutputPlan *out = &plan->output[i];
    if (!out->output->is_inplace || out->tier == TIER_ALIAS || out->in_place)
      continue;
    const char *why = plan_inplace(p, plan, out);
    if (why)
      diag_error(p->diag, out->output->inplace_span, "not_in_place",
                 "'%s' cannot be computed in place: %s", out->output->name, why);
    good = good && !why;
  }
  return good;
}

static bool has_unknown_size(const Value *value) {
  for (int32_t i = 0; i < value->shape.rank; i++)
    if (rsh_is_unknown(value->shape.dim[i]))
      return true;
  return false;
}

// Whether the graph needs the runtime. If any result does, the runtime executes the whole graph.
static bool needs_program(const Plan *plan) {
  bool needs = graph_is_dynamic(plan->graph);
  for (int i = 0; i < plan->output_count; i++) // also sizes of results without elements
    needs = needs || has_unknown_size(plan->output[i].output->value);
  for (int i = 0; i < plan->output_count; i++)
    needs = needs || plan->output[i].tier == TIER_DYNAMIC || plan->output[i].is_unplanned;
  for (int i = 0; i < plan->graph->variant.count; i++)
    needs = needs || plan->variant[i]->tape;
  return needs;
}

// The first rowwise operator of a graph, which the runtime does not implement; or NULL.
static const Node *first_kept(const Graph *graph) {
  for (int i = 0; i < graph->node.count; i++) {
    if (rsh_is_rowwise(graph->node.item[i]->call.op))
      return graph->node.item[i];
  }
  return NULL;
}

// The first result that needs the runtime, or NULL: only the graph does.
static const Output *first_dynamic(const Plan *plan) {
  for (int i = 0; i < plan->output_count; i++)
    if (plan->output[i].tier == TIER_DYNAMIC)
      return plan->output[i].output;
  return NULL;
}

static void plan_program(Arena *arena, Plan *plan) {
  const Graph *graph = plan->graph;
  const Output *dynamic = first_dynamic(plan);
  plan->tape = tape_of(arena, graph_of_program(graph));
  plan->signature = signature_of(arena, graph, true);
  const Node *kept = first_kept(graph);
  for (int i = 0; i < plan->output_count; i++) {
    if (dynamic && plan->output[i].tier != TIER_DYNAMIC)
      plan->output[i].why = arena_printf(
          arena, "'%s' is dynamic, and the runtime library computes all results of a graph",
          dynamic->name);
    plan->output[i].tier = TIER_DYNAMIC;
    if (kept)
      plan->output[i].why =
          arena_printf(arena, "no code: the runtime library does not have %s, and %s",
                       rsh_op_name(kept->call.op), plan->output[i].why);
  }
}

static bool has_invariants(const Plan *plan, Diag *diag) {
  const char *wrong = plan_verify(plan);
  if (wrong)
    diag_error(diag, plan->graph->span, "internal", "the plan of '%s' is wrong: %s",
               plan->graph->name, wrong);
  return !wrong;
}

// `general`: the plan of the graph of which this one is a variant; else NULL.
static Plan *plan_variant(Arena *arena, Graph *graph, const Processor *processor, Tuning *tuning,
                          Diag *diag, const Plan *general) {
  Plan *plan = ARENA_NEW(arena, Plan);
  Planner p = {.arena = arena,
               .graph = graph,
               .plan = plan,
               .general = general,
               .diag = diag,
               .tuning = tuning};
  plan->graph = graph;
  plan->processor = processor;
  plan->shape_signature = signature_of_shape(arena, graph);
  plan->output = ARENA_ARRAY(arena, OutputPlan, graph->output_count);
  plan->output_count = graph->output_count;
  for (int i = 0; i < graph->input_count; i++) {
    const Value *input = graph->value.item[i];
    check_size(plan, input, input->name, input->span);
  }
  bool good = plan_passes(&p, plan);
  plan->signature = signature_of(arena, graph, graph_is_dynamic(graph));
  for (int i = 0; good && i < graph->output_count; i++)
    good = plan_output(&p, plan, &graph->output[i], &plan->output[i]);
  for (int i = 0; good && i < plan->output_count; i++)
    plan_in_place(&p, plan, &plan->output[i]);
  good = good && plan_inplace_results(&p, plan) && check_placed(&p, plan);
  widen_all(plan);
  plan->stage = p.stage.item;
  plan->stage_count = p.stage.count;
  for (int i = 0; i < plan->stage_count; i++)
    check_size(plan, plan->stage[i].value, value_title(plan->stage[i].value),
               plan->stage[i].value->span);
  Plan **plans = ARENA_ARRAY(arena, Plan *, graph->variant.count);
  plan->variant = ARENA_ARRAY(arena, const Plan *, graph->variant.count);
  for (int i = 0; good && i < graph->variant.count; i++) {
    plan->variant[i] = plans[i] =
        plan_variant(arena, graph->variant.item[i].graph, processor, tuning, diag, plan);
    good = plans[i] && check_placed_variant(&p, plan, i) && check_alias_variant(&p, plan, i);
  }
  if (good)
    plan_scratch(arena, plan, plans);
  if (good && needs_program(plan))
    plan_program(arena, plan);
  else if (good && !plan->too_large)
    good = has_invariants(plan, diag);
  return good ? plan : NULL;
}

Plan *plan_graph(Arena *arena, Graph *graph, const Processor *processor, Tuning *tuning,
                 Diag *diag) {
  return plan_variant(arena, graph, processor, tuning, diag, NULL);
}

bool plan_runtime_has_all(const Plan *plan, Diag *diag) {
  const Node *kept = plan->tape ? first_kept(plan->graph) : NULL;
  if (kept)
    diag_error(diag, kept->span, "unsupported",
               "cannot generate code for '%s': it is dynamic ('reshapec explain' says why), and "
               "the runtime library does not have '%s'",
               plan->graph->name, rsh_op_name(kept->call.op));
  return !kept;
}

bool plan_can_emit(const Plan *plan, Diag *diag) {
  const Graph *graph = plan->graph;
  if (!plan_runtime_has_all(plan, diag))
    return false;
  if (plan->too_large) {
    plan_refuse_size(plan, diag);
    return false;
  }
  for (int i = 0; i < graph->variant.count; i++)
    if (!plan_can_emit(plan->variant[i], diag))
      return false;
  return true;
}
