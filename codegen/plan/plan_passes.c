// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where kept values are stored, and the nests that move them there. A kept value is stored in an output that has its
// elements in the same order, so that nothing is moved twice; else in the scratch buffer of the caller.
//
//   y = softmax(transpose(softmax(x)))      the inner one in scratch, the outer one in y
//   y = softmax(relu(softmax(x)))           both in y: nothing moves between them
//   y = softmax(x), z = transpose(y)        in y, which z reads
#include "codegen/plan/plan_internal.h"

#include <stdlib.h>

enum {
  OWN_PLACE = -1,
  WIDEST = 16 // bytes of an element
};

typedef struct Keeper {
  Planner *p;
  Plan *plan;
  bool *needed; // by value id
  int *uses;    // by value id: outputs and kept values that read it
  bool failed;  // reported
} Keeper;

const Pass *plan_pass(const Plan *plan, int source) {
  for (int i = 0; i < plan->pass_count; i++)
    if (plan->pass[i].value->id == source)
      return &plan->pass[i];
  return NULL;
}

int plan_stage(const Plan *plan, int source) {
  int i = 0;
  while (plan->stage[i].value->id != source)
    i++;
  return i;
}

int plan_stage_parameters(const Plan *plan) {
  const Signature *s = &plan->signature;
  return plan->pass_count > 0 ? s->parameter.count : signature_read_count(s);
}

// Marks what nests read. False: some of it is staged.
static bool mark_sources_of(const Graph *graph, const Nest *nest, int count, bool *seen) {
  bool good = true;
  for (int i = 0; i < count; i++) {
    const NestZip *zip = nest[i].zip; // its first nest executes all
    bool is_fill = rsh_is_fill(nest[i].source);
    good = good && (is_fill || graph_is_source(graph, nest[i].source)) &&
           (!zip || mark_sources_of(graph, zip->nest, zip->count, seen));
    if (!is_fill)
      seen[nest[i].source] = true;
  }
  return good;
}

Signature plan_part_signature(Arena *arena, const Plan *plan, const Nest *nest, int count,
                              int output) {
  const Signature *all = &plan->signature;
  bool *seen = ARENA_ARRAY(arena, bool, plan->graph->value.count + 1),
       *used = ARENA_ARRAY(arena, bool, plan->output_count + 1);
  Signature part = {0};
  if (!mark_sources_of(plan->graph, nest, count, seen))
    return *all;
  for (int i = 0; i < plan->pass_count; i++)
    if (plan->pass[i].output >= 0 && seen[plan->pass[i].value->id])
      used[plan->pass[i].output] = true;
  for (int i = 0; i < all->parameter.count; i++) {
    Parameter p = all->parameter.item[i];
    if ((p.kind != PARAMETER_INPUT || seen[p.index]) &&
        (p.kind != PARAMETER_OUTPUT || used[p.index] || p.index == output))
      VEC_PUSH(arena, part.parameter, p);
  }
  return part;
}

bool plan_reads_output(const Plan *plan, int index) {
  for (int i = 0; i < plan->pass_count; i++)
    if (plan->pass[i].output == index)
      return true;
  return plan_is_packed(&plan->output[index]) || plan->output[index].in_place;
}

// ---- which values ----

static void count_uses(Keeper *k, const rsh_moves *moves) {
  const Graph *graph = k->p->graph;
  bool *seen = ARENA_ARRAY(k->p->arena, bool, graph->value.count + 1);
  mark_reads(graph, moves, seen);
  for (int i = 0; i < graph->value.count; i++)
    k->uses[i] += seen[i];
}

static void count_feeds(Keeper *k, const Value *value) {
  bool *seen = ARENA_ARRAY(k->p->arena, bool, k->p->graph->value.count + 1);
  mark_feeds(k->p->graph, value, seen);
  for (int i = 0; i < k->p->graph->value.count; i++)
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
  for (int i = graph->value.count - 1; i >= graph->input_count; i--) {
    // Indices are checked even if no output reads what they pick.
    k->needed[i] = k->needed[i] || graph->value.item[i]->picked_from;
    if (k->needed[i])
      mark_feeds(graph, graph->value.item[i], k->needed);
  }
  for (int i = 0; i < graph->value.count; i++)
    if (k->needed[i] && value_is_kept(graph->value.item[i]))
      count_feeds(k, graph->value.item[i]);
}

static rsh_num volume_of(const Graph *graph, const Value *value) {
  rsh_num volume = rsh_int(0);
  (void)rsh_volume(graph->symbols, &value->shape, &volume);
  return volume;
}

// Computes the numbers of a pass. False: one does not follow from symbols, or overflows.
static bool count_rows(Keeper *k, Pass *pass) {
  const Value *value = pass->value;
  rsh_symbols *symbols = k->p->graph->symbols;
  rsh_shape rows = value->shape;
  rsh_num volume, length = rsh_int(1);
  if (rows.rank == RSH_RANK_UNKNOWN || !check_size(k->plan, value, value_title(value), value->span))
    return false;
  for (int32_t i = 0; i < rows.rank; i++)
    if (rsh_is_unknown(rows.dim[i]))
      return false;
  if (rows.rank > 0)
    length = rows.dim[--rows.rank];
  if (rsh_volume(symbols, &value->shape, &volume) != RSH_ok ||
      rsh_volume(symbols, &rows, &pass->rows) != RSH_ok ||
      !plan_to_bytes(volume, value->dtype, &pass->bytes))
    return false;
  pass->length = length;
  return true;
}

// The value whose elements a pass moves.
static const Value *fed(const Pass *pass) {
  return pass_is_rowwise(pass) ? pass->value->node->in[0] : pass->value;
}

static bool add_pass(Keeper *k, const Value *value) {
  Pass *pass = &k->plan->pass[k->plan->pass_count++];
  *pass = (Pass){.value = value, .output = OWN_PLACE};
  bool is_counted = count_rows(k, pass);
  if (value->picked_from) {
    k->failed = !plan_picks(k->p, pass) || k->failed;
    pass->why = k->failed ? "" : plan_pass_text(k->p->arena, k->p->graph, pass);
    return is_counted && !k->failed;
  }
  pass->why = plan_why_nests(k->p, fed(pass), value->feed, NULL, 0);
  return is_counted && moves_are_numbers(value->feed);
}

// ---- where they are stored ----

// Whether moves copy exactly the elements of `value`, in the same order.
static bool is_same_order(const Graph *graph, const rsh_moves *moves, const Value *value) {
  if (moves->count != 1 || moves->move[0].source != value->id)
    return false;
  const rsh_move *move = &moves->move[0];
  const rsh_axis *axis = &moves->axis[move->first];
  rsh_num reach = move->axis_count == 0 ? rsh_int(1) : axis->extent;
  bool is_line = move->axis_count == 0 ||
                 (move->axis_count == 1 && rsh_is(axis->dst, 1) && rsh_is(axis->src, 1));
  return is_line && rsh_is(move->src_offset, 0) && rsh_is(move->dst_offset, 0) &&
         rsh_equal(reach, volume_of(graph, value));
}

static bool has_place_for(const Value *to, const Value *value) {
  return !value_is_strided(to) && plan_element_bits(to->dtype) == plan_element_bits(value->dtype);
}

// Only the last reader of elements may change them in place: another rowwise pass, or element-wise functions.
static bool is_stored_in_output(const Keeper *k, const Value *value, int index) {
  const Value *to = k->p->graph->output[index].value;
  return to->moves && is_same_order(k->p->graph, to->moves, value) && has_place_for(to, value) &&
         (to->moves->move[0].map == 0 || k->uses[value->id] == 1);
}

static bool is_stored_in_pass(const Keeper *k, const Value *value, const Value *to) {
  return to->feed && is_same_order(k->p->graph, to->feed, value) && has_place_for(to, value) &&
         k->uses[value->id] == 1;
}

// The last pass that reuses the buffer of pass `index`; `index` itself if none does.
static int reuse_of(const Keeper *k, int index) {
  const Plan *plan = k->plan;
  for (int i = index + 1; i < plan->pass_count; i++)
    if (is_stored_in_pass(k, plan->pass[index].value, plan->pass[i].value))
      index = i;
  return index;
}

// No kept value is stored in an output if indices are checked late: nothing is written to outputs before that.
static int output_of(const Keeper *k, const Value *value) {
  if (plan_checks_late(k->plan))
    return OWN_PLACE;
  for (int o = 0; o < k->p->graph->output_count; o++)
    if (is_stored_in_output(k, value, o))
      return o;
  return OWN_PLACE;
}

// Called for the widest elements first, so that all are aligned for any sizes. False: the size of the buffer overflows.
static bool place_in_scratch(Keeper *k, uint32_t align) {
  Plan *plan = k->plan;
  for (int i = 0; i < plan->pass_count; i++) {
    Pass *pass = &plan->pass[i];
    if (pass->output >= 0 || reuse_of(k, i) != i || plan_element_align(pass->value->dtype) != align)
      continue;
    pass->at = plan->scratch_bytes;
    plan->scratch_align = align > plan->scratch_align ? align : plan->scratch_align;
    if (!rsh_add(k->p->graph->symbols, pass->at, pass->bytes, &plan->scratch_bytes))
      return false;
  }
  return true;
}

static bool place_passes(Keeper *k) {
  Plan *plan = k->plan;
  for (int i = 0; i < plan->pass_count; i++)
    plan->pass[i].output = output_of(k, plan->pass[reuse_of(k, i)].value);
  for (uint32_t align = WIDEST; align > 0; align /= 2)
    if (!place_in_scratch(k, align))
      return false;
  for (int i = 0; i < plan->pass_count; i++)
    plan->pass[i].at = plan->pass[reuse_of(k, i)].at;
  return true;
}

static bool is_same_place(const Pass *a, const Pass *b) {
  return a->output == b->output && (a->output >= 0 || rsh_equal(a->at, b->at));
}

// The pass whose memory already holds the result of `moves`; NULL: there is none.
static const Pass *same_bytes(const Planner *p, const Plan *plan, const rsh_moves *moves) {
  const Pass *pass = moves->count == 1 ? plan_pass(plan, moves->move[0].source) : NULL;
  bool is_it = pass && plan_map_keeps_bits(p, moves->move[0].map) &&
               is_same_order(plan->graph, moves, pass->value);
  return is_it ? pass : NULL;
}

// Plans the nests of all passes. False: one of them has none.
static bool move_passes(Keeper *k) {
  Plan *plan = k->plan;
  for (int i = 0; i < plan->pass_count; i++) {
    Pass *pass = &plan->pass[i];
    const rsh_moves *feed = pass->value->feed;
    if (pass->picks)
      continue;
    const Pass *before = same_bytes(k->p, plan, feed);
    if (before && is_same_place(before, pass)) {
      pass->reuses = before;
      continue;
    }
    if (!plan_nests(k->p, feed, pass->value->dtype, &k->p->graph->output[0], NULL, &pass->nest,
                    &pass->nest_count))
      return false;
    pass->why = plan_why_nests(k->p, fed(pass), feed, pass->nest, pass->nest_count);
  }
  return true;
}

bool pass_is_known(const Pass *pass) {
  const rsh_moves *feed = pass->value->feed;
  return plan_is_known(pass->value) && (!feed || moves_are_known(feed));
}

static bool are_known(const Plan *plan) {
  for (int i = 0; i < plan->pass_count; i++)
    if (!pass_is_known(&plan->pass[i]))
      return false;
  return true;
}

// Resets the passes of a plan that cannot be executed: it is only explained.
static void drop_places(Plan *plan) {
  plan->scratch_bytes = rsh_int(0);
  plan->scratch_align = 0;
  for (int i = 0; i < plan->pass_count; i++) {
    plan->pass[i].output = OWN_PLACE;
    plan->pass[i].nest_count = 0;
    plan->pass[i].reuses = NULL;
  }
}

bool plan_passes(Planner *p, Plan *plan) {
  const Graph *graph = p->graph;
  Keeper k = {.p = p, .plan = plan};
  k.needed = ARENA_ARRAY(p->arena, bool, graph->value.count + 1);
  k.uses = ARENA_ARRAY(p->arena, int, graph->value.count + 1);
  plan->pass = ARENA_ARRAY(p->arena, Pass, graph->value.count + 1);
  find_needed(&k);
  bool are_numbers = true;
  for (int i = graph->input_count; i < graph->value.count; i++)
    if (k.needed[i] && value_is_kept(graph->value.item[i]))
      are_numbers = add_pass(&k, graph->value.item[i]) && are_numbers;
  if (k.failed)
    return false;
  if (!are_numbers || plan->pass_count == 0) // explained, but not emitted
    return true;
  bool have_places = place_passes(&k);
  bool are_planned = have_places && move_passes(&k);
  if (!are_planned) {
    drop_places(plan);
    if (!have_places && are_known(plan))
      diag_error(p->diag, graph->span, "overflow",
                 "the scratch memory of '%s' does not fit an address space", graph->name);
    return !are_known(plan);
  }
  for (int i = 0; i < plan->pass_count; i++)
    plan->pass[i].is_planned = true;
  return true;
}

// ---- scratch of a graph and its variants ----

void plan_scratch(Arena *arena, Plan *plan, Plan *const *variant) {
  int count = plan->graph->variant.count;
  uint32_t align = plan->scratch_align;
  for (int i = 0; i < count; i++)
    if (variant[i]->scratch_align > align)
      align = variant[i]->scratch_align;
  plan->scratch_align = align;
  if (align > 0 && signature_find(&plan->signature, PARAMETER_SCRATCH, 0) < 0)
    signature_add_scratch(arena, &plan->signature);
  for (int i = 0; i < count && align > 0; i++) {
    variant[i]->scratch_align = align;
    variant[i]->signature = plan->signature;
  }
}

bool plan_scratch_covers(const Plan *plan, int index) {
  const Plan *special = plan->variant[index];
  rsh_num bytes;
  return num_in_variant(plan, &plan->graph->variant.item[index], special->graph,
                        plan->scratch_bytes, &bytes) &&
         rsh_at_most(special->graph->symbols, special->scratch_bytes, bytes);
}

// Whether an alias is the same in a variant, or has no elements there.
static bool is_alias_there(const Plan *plan, int index, int output) {
  const OutputPlan *out = &plan->output[output], *there = &plan->variant[index]->output[output];
  rsh_num offset;
  if (there->moves && there->moves->count == 0)
    return true;
  return there->tier == TIER_ALIAS && out->source && there->source &&
         out->source->id == there->source->id &&
         num_in_variant(plan, &plan->graph->variant.item[index], plan->variant[index]->graph,
                        out->offset, &offset) &&
         rsh_equal(offset, there->offset);
}

static const char *zero_of(Arena *arena, const Graph *graph, const Variant *variant) {
  for (int i = 0; i < graph->symbol.count; i++)
    if (variant->bound[i] == 0)
      return num_text(arena, graph, graph->symbol.item[i].num);
  return NULL;
}

bool check_alias_variant(Planner *p, Plan *plan, int index) {
  const char *zero = zero_of(p->arena, plan->graph, &plan->graph->variant.item[index]);
  bool good = true;
  for (int i = 0; zero && i < plan->output_count; i++) {
    OutputPlan *out = &plan->output[i];
    const Value *value = out->output->value;
    if (out->tier != TIER_ALIAS || is_alias_there(plan, index, i))
      continue;
    if (value->is_view)
      diag_error(p->diag, value->view_span, "not_a_view",
                 "'%s' is declared a view, but needs a copy if %s is 0", out->output->name, zero);
    good = good && !value->is_view;
    out->tier = TIER_SYMBOLIC;
    out->why = arena_printf(p->arena, "if %s is 0, it is not an alias", zero);
  }
  return good;
}

void plan_via(Planner *p, const Plan *plan, OutputPlan *out) {
  const Graph *graph = p->graph;
  bool *seen = ARENA_ARRAY(p->arena, bool, graph->value.count + 1);
  mark_sources(graph, out->moves, seen);
  out->via = ARENA_ARRAY(p->arena, const Pass *, plan->pass_count + 1);
  for (int i = 0; i < plan->pass_count; i++)
    if (seen[plan->pass[i].value->id])
      out->via[out->via_count++] = &plan->pass[i];
  const Pass *last = same_bytes(p, plan, out->moves);
  if (!last || last->output != (int)(out - plan->output))
    return;
  while (last->reuses)
    last = last->reuses;
  out->own = last;
  out->moves = last->picks ? out->moves : last->value->feed;
}
