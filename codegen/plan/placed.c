// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs that are declared `placed`: their elements are already in a result when the function is called. The moves of
// these inputs are removed from the plan; the header states their places, for the code that writes them.
//
//   a: f32[4, 3] placed, b: f32[4, 5], y = concat(a, b, axis=1), f32[4, 8]
//     the moves      a to 0, {4, dst 8, src 3} {3, dst 1, src 1};   b to 3, {4, dst 8, src 5} {5, dst 1, src 1}
//     what remains   the move of b; a has offset 0 and strides 8, 1 in y
#include "codegen/plan/plan_internal.h"

#include <string.h>

static bool is_placed(const Planner *p, const rsh_move *move) {
  return move->source >= 0 && move->source < p->graph->input_count &&
         p->graph->value.item[move->source]->is_placed;
}

// The axis of the move whose stride in the source is this many elements; NULL: there is none.
static const rsh_axis *axis_of_step(const rsh_moves *moves, const rsh_move *move, rsh_num step) {
  for (int i = 0; i < move->axis_count; i++) {
    const rsh_axis *axis = &moves->axis[move->first + i];
    if (rsh_equal(axis->src, step) || rsh_equal(axis->src, (rsh_num){-step.n, step.poly}))
      return axis;
  }
  return NULL;
}

static bool is_backward(rsh_num step) { return step.n < 0; } // the factor of a product of sizes

// Matches each axis of the input to a part of one axis of the move, innermost first:
//
//   f32[2, 3, 4], whose move is {6, dst 8, src 4} {4, dst 1, src 1}
//     4 is all of the inner axis: stride 1; 3 is a part of the outer one: 8; 2 is the rest of it: 3 * 8
//
// False: an axis has no single stride, or a part remains. A reversed axis begins at its end.
static bool measure(rsh_symbols *s, const rsh_moves *moves, const rsh_move *move, Placed *placed) {
  const rsh_shape *shape = &placed->input->shape;
  rsh_num step = rsh_int(1), part = rsh_int(1), next = rsh_int(1), begin = move->src_offset;
  const rsh_axis *axis = NULL;
  int used = 0;
  placed->offset = move->dst_offset;
  for (int i = shape->rank - 1; i >= 0; i--) {
    rsh_num size = shape->dim[i], *stride = &placed->stride[i], last, reach;
    *stride = next;
    if (rsh_is(size, 1))
      continue;
    if (!axis || rsh_equal(part, axis->extent)) {
      axis = axis_of_step(moves, move, step);
      part = rsh_int(1);
      used++;
    }
    if (!axis || !rsh_mul(s, axis->dst, part, stride) || !rsh_sub(s, size, rsh_int(1), &last))
      return false;
    if (is_backward(axis->src)) {
      if (!rsh_mul(s, last, *stride, &reach) ||
          !rsh_add(s, placed->offset, reach, &placed->offset) || !rsh_mul(s, last, step, &reach) ||
          !rsh_sub(s, begin, reach, &begin))
        return false;
      stride->n = -stride->n;
    }
    if (!rsh_mul(s, part, size, &part) || !rsh_mul(s, step, size, &step) ||
        !rsh_mul(s, *stride, size, &next))
      return false;
  }
  return used == move->axis_count && (!axis || rsh_equal(part, axis->extent)) && rsh_is(begin, 0);
}

// Returns why an input is not a box of the output. NULL: it is, and `placed` describes it.
static const char *why_no_box(Planner *p, const OutputPlan *out, const rsh_moves *moves,
                              const rsh_move *move, Placed *placed) {
  const Value *input = placed->input;
  rsh_symbols *s = p->graph->symbols;
  rsh_num count = rsh_int(1), volume;
  const char *result = out->output->name;
  if (move->map != 0 || input->dtype != out->output->value->dtype)
    return arena_printf(p->arena, "its elements are changed on the way to '%s'", result);
  if (plan_element_bits(input->dtype) < 8)
    return "its elements are smaller than a byte and share bytes with others";
  for (int i = 0; i < move->axis_count; i++) {
    const rsh_axis *axis = &moves->axis[move->first + i];
    if (rsh_is(axis->src, 0))
      return arena_printf(p->arena, "'%s' has each of its elements more than once", result);
    if (!rsh_mul(s, count, axis->extent, &count))
      return "there are too many elements";
  }
  if (rsh_volume(s, &input->shape, &volume) != RSH_ok || !rsh_equal(volume, count))
    return arena_printf(p->arena, "only a part of it goes to '%s' in one piece", result);
  if (!measure(s, moves, move, placed))
    return arena_printf(p->arena, "one of its axes has no single stride in '%s'", result);
  return NULL;
}

void place_inputs(Planner *p, OutputPlan *out) {
  const rsh_moves *all = out->moves;
  int count = 0;
  for (int32_t i = 0; i < all->count; i++)
    count += is_placed(p, &all->move[i]);
  if (count == 0)
    return;
  rsh_moves *left = ARENA_NEW(p->arena, rsh_moves);
  *left = *all;
  left->move = ARENA_ARRAY(p->arena, rsh_move, all->count);
  left->count = 0;
  out->placed = ARENA_ARRAY(p->arena, Placed, count);
  for (int32_t i = 0; i < all->count; i++) {
    if (!is_placed(p, &all->move[i])) {
      left->move[left->count++] = all->move[i];
      continue;
    }
    Placed *placed = &out->placed[out->placed_count++];
    placed->input = p->graph->value.item[all->move[i].source];
    placed->why = why_no_box(p, out, all, &all->move[i], placed);
  }
  out->moves = left;
}

const Placed *plan_placed(const Plan *plan, const Value *input, int *output) {
  for (int i = 0; i < plan->output_count; i++)
    for (int k = 0; k < plan->output[i].placed_count; k++)
      if (plan->output[i].placed[k].input->id == input->id) {
        *output = i;
        return &plan->output[i].placed[k];
      }
  return NULL;
}

// Why an input cannot be placed; NULL: it can.
static const char *why_not_placed(Planner *p, const Plan *plan, const Value *input) {
  int moves = 0, output;
  if (graph_is_dynamic(plan->graph))
    return "where its elements go is known only at run time";
  for (int i = 0; i < plan->output_count; i++) {
    const OutputPlan *out = &plan->output[i];
    if (out->tier == TIER_DYNAMIC || out->is_unplanned)
      return "where its elements go is known only at run time";
    for (int k = 0; k < out->source_count; k++)
      if (out->sources[k] == input)
        return arena_printf(p->arena, "it takes more than one copy to get into '%s'",
                            out->output->name);
    for (int k = 0; k < out->placed_count; k++)
      moves += out->placed[k].input == input;
  }
  if (moves == 0)
    return rsh_shape_is_empty(&input->shape) ? NULL : "no result contains it";
  if (moves > 1)
    return arena_printf(p->arena, "its elements go to %d places, but it can be in only one", moves);
  return plan_placed(plan, input, &output)->why;
}

bool check_placed(Planner *p, const Plan *plan) {
  bool good = true;
  for (int i = 0; i < plan->graph->input_count; i++) {
    const Value *input = plan->graph->value.item[i];
    const char *why = input->is_placed ? why_not_placed(p, plan, input) : NULL;
    if (why)
      diag_error(p->diag, input->placed_span, "not_placed", "'%s' cannot be placed in a result: %s",
                 input->name, why);
    good = good && !why;
  }
  return good;
}

static bool is_same_placement(const Plan *plan, int index, const Placed *a, const Placed *b) {
  const Variant *variant = &plan->graph->variant.item[index];
  const Graph *to = plan->variant[index]->graph;
  rsh_num n;
  bool same = num_in_variant(plan, variant, to, a->offset, &n) && rsh_equal(n, b->offset);
  for (int i = 0; same && i < a->input->shape.rank; i++)
    if (!rsh_is(b->input->shape.dim[i], 1))
      same = num_in_variant(plan, variant, to, a->stride[i], &n) && rsh_equal(n, b->stride[i]);
  return same;
}

bool check_placed_variant(Planner *p, const Plan *plan, int index) {
  bool good = true;
  for (int i = 0; i < plan->graph->input_count; i++) {
    const Value *input = plan->graph->value.item[i];
    int general, special;
    const Placed *a = plan_placed(plan, input, &general),
                 *b = plan_placed(plan->variant[index], input, &special);
    if (!a || !b || (general == special && is_same_placement(plan, index, a, b)))
      continue;
    diag_error(p->diag, input->placed_span, "not_placed",
               "'%s' cannot be placed in a result: if sizes are 0, it is elsewhere", input->name);
    good = false;
  }
  return good;
}
