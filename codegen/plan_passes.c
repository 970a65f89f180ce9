// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where kept values lie, and what moves there. A kept value lies in an output, if that is the value in
// the same order, so that nothing is moved twice; else in the scratch buffer of the caller.
//
//   y = softmax(transpose(softmax(x)))      the inner one in scratch, the outer one in y
//   y = softmax(relu(softmax(x)))           both in y: nothing moves between them
//   y = softmax(x), z = transpose(y)        in y, which z reads
#include "codegen/plan_internal.h"

#include <stdlib.h>

enum {
  OWN_PLACE = -1,
  SCRATCH_STEP = 16
}; // where a value begins in the scratch buffer: a multiple

typedef struct Keeper {
  Planner *p;
  Plan *plan;
  bool *needed; // by value id
  int *uses;    // by value id: outputs and kept values that read it
} Keeper;

const Pass *plan_pass(const Plan *plan, int source) {
  for (int i = 0; i < plan->pass_count; i++)
    if (plan->pass[i].value->id == source)
      return &plan->pass[i];
  return NULL;
}

bool plan_reads_output(const Plan *plan, int index) {
  for (int i = 0; i < plan->pass_count; i++)
    if (plan->pass[i].output == index)
      return true;
  return plan_is_packed(&plan->output[index]) || plan->output[index].in_place;
}

const char *plan_pass_text(Arena *arena, const Graph *graph, const Pass *pass) {
  const rsh_shape *shape = &pass->value->shape;
  const char *name = rsh_op_name(pass->value->node->call.op);
  if (pass->length > 0)
    return arena_printf(arena, "%s of %lld row%s of %lld", name, (long long)pass->rows,
                        pass->rows == 1 ? "" : "s", (long long)pass->length);
  return arena_printf(arena, "%s of rows of %s", name,
                      num_text(arena, graph, shape->dim[shape->rank - 1]));
}

// ---- which values ----

static void count_uses(Keeper *k, const rsh_moves *moves) {
  const Graph *graph = k->p->graph;
  bool *seen = ARENA_ARRAY(k->p->arena, bool, graph->value.count + 1);
  mark_reads(graph, moves, seen);
  for (int i = 0; i < graph->value.count; i++)
    k->uses[i] += seen[i];
}

static void find_needed(Keeper *k) {
  const Graph *graph = k->p->graph;
  for (int i = 0; i < graph->output_count; i++) {
    const Value *value = graph->output[i].value;
    if (!value->moves)
      continue;
    mark_sources(graph, value->moves, k->needed);
    count_uses(k, value->moves);
  }
  for (int i = 0; i < graph->value.count; i++)
    if (k->needed[i] && graph->value.item[i]->feed)
      count_uses(k, graph->value.item[i]->feed);
}

static void add_pass(Keeper *k, const Value *value) {
  Pass *pass = &k->plan->pass[k->plan->pass_count++];
  *pass = (Pass){.value = value, .output = OWN_PLACE};
  pass->why = plan_why_moves(k->p->arena, k->p->graph, value->node->in[0], value->feed);
  const char *name = value->name ? value->name : rsh_op_name(value->node->call.op);
  if (!plan_is_known(value) || !check_size(k->plan, value, name, value->span))
    return;
  int32_t rank = value->shape.rank;
  pass->length = rank > 0 ? value->shape.dim[rank - 1].n : 1;
  pass->rows = known_volume(value).n / pass->length; // values without elements are read by nothing
  pass->bytes = plan_value_bytes(value);
}

// ---- where they lie ----

// Whether element i of what moves make is element i of `value`, and there are no others.
static bool is_same_order(const rsh_moves *moves, const Value *value) {
  if (moves->count != 1 || moves->move[0].source != value->id)
    return false;
  const rsh_move *move = &moves->move[0];
  const rsh_axis *axis = &moves->axis[move->first];
  rsh_num reach = move->axis_count == 0 ? rsh_int(1) : axis->extent;
  bool is_line = move->axis_count == 0 ||
                 (move->axis_count == 1 && rsh_is(axis->dst, 1) && rsh_is(axis->src, 1));
  return is_line && rsh_is(move->src_offset, 0) && rsh_is(move->dst_offset, 0) &&
         rsh_equal(reach, known_volume(value));
}

static bool has_place_for(const Value *to, const Value *value) {
  return !(to->storage && to->storage->stride) &&
         plan_element_bits(to->dtype) == plan_element_bits(value->dtype);
}

// What changes elements in place must be their last reader: the rows of another pass, or functions of elements.
static bool lies_in_output(const Keeper *k, const Value *value, int index) {
  const Value *to = k->p->graph->output[index].value;
  return to->moves && is_same_order(to->moves, value) && has_place_for(to, value) &&
         (to->moves->move[0].map == 0 || k->uses[value->id] == 1);
}

static bool lies_in_pass(const Keeper *k, const Value *value, const Value *to) {
  return is_same_order(to->feed, value) && has_place_for(to, value) && k->uses[value->id] == 1;
}

// False: the buffer becomes too large to address.
static bool place_in_scratch(Plan *plan, Pass *pass) {
  uint32_t align = plan_element_align(pass->value->dtype);
  uint64_t end;
  if (__builtin_add_overflow(plan->scratch_bytes, SCRATCH_STEP - 1, &end))
    return false;
  end = end / SCRATCH_STEP * SCRATCH_STEP;
  pass->at = (int64_t)end;
  plan->scratch_align = align > plan->scratch_align ? align : plan->scratch_align;
  return !__builtin_add_overflow(end, pass->bytes, &plan->scratch_bytes) &&
         plan->scratch_bytes <= PTRDIFF_MAX;
}

// Later passes first: a value may lie where its reader does.
static bool place_passes(Keeper *k) {
  Plan *plan = k->plan;
  for (int i = plan->pass_count - 1; i >= 0; i--) {
    Pass *pass = &plan->pass[i];
    bool found = false;
    for (int o = 0; o < k->p->graph->output_count && !found; o++)
      if ((found = lies_in_output(k, pass->value, o)))
        pass->output = o;
    for (int j = i + 1; j < plan->pass_count && !found; j++)
      if ((found = lies_in_pass(k, pass->value, plan->pass[j].value))) {
        pass->output = plan->pass[j].output;
        pass->at = plan->pass[j].at;
      }
    if (!found && !place_in_scratch(plan, pass))
      return false;
  }
  return true;
}

static bool is_same_place(const Pass *a, const Pass *b) {
  return a->output == b->output && (a->output >= 0 || a->at == b->at);
}

// The pass that `value` is as it lies there, NULL where something is to be done.
static const Pass *same_value(const Plan *plan, const rsh_moves *moves) {
  const Pass *pass = moves->count == 1 ? plan_pass(plan, moves->move[0].source) : NULL;
  bool is_it = pass && moves->move[0].map == 0 && is_same_order(moves, pass->value);
  return is_it ? pass : NULL;
}

bool plan_passes(Planner *p, Plan *plan) {
  const Graph *graph = p->graph;
  Keeper k = {.p = p, .plan = plan};
  k.needed = ARENA_ARRAY(p->arena, bool, graph->value.count + 1);
  k.uses = ARENA_ARRAY(p->arena, int, graph->value.count + 1);
  plan->pass = ARENA_ARRAY(p->arena, Pass, graph->value.count + 1);
  find_needed(&k);
  bool are_known = true;
  for (int i = graph->input_count; i < graph->value.count; i++)
    if (k.needed[i] && graph->value.item[i]->feed) {
      add_pass(&k, graph->value.item[i]);
      are_known = are_known && plan->pass[plan->pass_count - 1].length > 0 &&
                  moves_are_known(graph->value.item[i]->feed);
    }
  if (!are_known || plan->pass_count == 0) // explained, but no code is made of it
    return true;
  if (!place_passes(&k)) {
    diag_error(p->diag, graph->span, "overflow",
               "the values that '%s' keeps while it runs do not fit an address space", graph->name);
    return false;
  }
  for (int i = 0; i < plan->pass_count; i++) {
    Pass *pass = &plan->pass[i];
    const rsh_moves *feed = pass->value->feed;
    const Pass *before = same_value(plan, feed);
    if (before && is_same_place(before, pass))
      continue;
    if (!plan_nests(p, feed, pass->value->dtype, &graph->output[0], &pass->nest, &pass->nest_count))
      return false;
  }
  return true;
}

void plan_via(Planner *p, const Plan *plan, OutputPlan *out) {
  const Graph *graph = p->graph;
  bool *seen = ARENA_ARRAY(p->arena, bool, graph->value.count + 1);
  mark_sources(graph, out->moves, seen);
  out->via = ARENA_ARRAY(p->arena, const Pass *, plan->pass_count + 1);
  for (int i = 0; i < plan->pass_count; i++)
    if (seen[plan->pass[i].value->id])
      out->via[out->via_count++] = &plan->pass[i];
  const Pass *last = same_value(plan, out->moves);
  if (!last || last->output != (int)(out - plan->output))
    return;
  while (last->nest_count == 0)
    last = plan_pass(plan, last->value->feed->move[0].source);
  out->own = last;
  out->moves = last->value->feed;
}
