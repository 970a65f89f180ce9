// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Targets that are computed: each entry is an element of an input, found by going back through the operators
// that moved it. The program reads inputs alone.
//
//   reshape(x, s[1:])                        entries 1 and 2 of s: i64[3]
//   reshape(x, concat(s[:1], t, axis=0))     entry 0 of s and those of t
#include "frontend/lower/lower_internal.h"

enum { MOST_OPERANDS = 16, MOST_MOVES = 64, MOST_AXES = 256, MOST_STEPS = 1000 };

bool is_readable_target(const Value *value) {
  return !value->node && !value->storage && !value_is_constant(value);
}

// Elements of a value all of whose sizes are numbers; -1: some are not, or they are more than a target has.
static int64_t count_of(const Value *value) {
  int64_t count = 1;
  for (int32_t i = 0; i < value->shape.rank; i++) {
    rsh_num size = value->shape.dim[i];
    if (!rsh_is_known(size) || size.n > RSH_MAX_RANK || count * size.n > RSH_MAX_RANK)
      return -1;
    count *= size.n;
  }
  return value->shape.rank == RSH_RANK_UNKNOWN ? -1 : count;
}

// The place in its source of the element that a move puts at `place`; -1: it puts none there.
static int64_t moved_from(const rsh_moves *moves, const rsh_move *move, int64_t place) {
  const rsh_axis *axis = moves->axis + move->first;
  int64_t src = move->src_offset.n;
  place -= move->dst_offset.n;
  for (int32_t k = 0; k < move->axis_count;
       k++) { // outermost first, and none reaches into the next
    int64_t index = place < 0 ? -1 : place / axis[k].dst.n;
    if (index < 0 || index >= axis[k].extent.n)
      return -1;
    place -= index * axis[k].dst.n;
    src += index * axis[k].src.n;
  }
  return place == 0 ? src : -1;
}

// One step back: the operand, and the element of it, that the operator of a value moved to `place`.
static bool step_back(const Value **value, int64_t *place) {
  const Node *node = (*value)->node;
  rsh_move move[MOST_OPERANDS + 2][MOST_MOVES];
  rsh_axis axis[MOST_OPERANDS + 2][MOST_AXES];
  rsh_moves list[MOST_OPERANDS + 2];
  const rsh_moves *in[MOST_OPERANDS];
  if (rsh_is_elementwise(node->call.op) || rsh_is_rowwise(node->call.op) ||
      rsh_takes_indices(&node->call) || node->is_undecided || node->call.in_count > MOST_OPERANDS ||
      count_of(*value) < 0)
    return false;
  for (int i = 0; i < MOST_OPERANDS + 2; i++)
    list[i] = (rsh_moves){move[i], axis[i], 0, MOST_MOVES, 0, MOST_AXES, 0};
  for (int32_t i = 0; i < node->call.in_count; i++) {
    int64_t count = count_of(node->in[i]);
    if (count < 0 || rsh_moves_identity(&list[i], i, rsh_int(count)) != RSH_ok)
      return false;
    in[i] = &list[i];
  }
  rsh_moves *out = &list[MOST_OPERANDS], *work = &list[MOST_OPERANDS + 1];
  if (rsh_fold(&node->call, (*value)->result, &(*value)->shape, in, out, work) != RSH_ok)
    return false;
  for (int32_t m = 0; m < out->count; m++) {
    int64_t at = moved_from(out, &out->move[m], *place);
    if (at < 0 || rsh_is_fill(out->move[m].source) || out->move[m].map != 0)
      continue;
    *value = node->in[out->move[m].source];
    *place = at;
    return true;
  }
  return false;
}

bool target_element(const Value **value, int64_t *place) {
  for (int steps = 0; (*value)->node && steps < MOST_STEPS; steps++)
    if (!step_back(value, place))
      return false;
  bool is_list = (*value)->shape.rank == 0 ||
                 ((*value)->shape.rank == 1 && rsh_is_known((*value)->shape.dim[0]));
  return is_readable_target(*value) && is_list && *place < RSH_MAX_RANK;
}

bool target_in_parts(Arena *arena, const Value *tensor, TargetData *data) {
  int64_t count = tensor->shape.rank == 1 ? count_of(tensor) : -1;
  if (count < 0)
    return false;
  const Value **entry = ARENA_ARRAY(arena, const Value *, count + 1);
  int64_t *at = ARENA_ARRAY(arena, int64_t, count + 1);
  for (int64_t i = 0; i < count; i++) {
    entry[i] = tensor;
    at[i] = i;
    if (!target_element(&entry[i], &at[i]))
      return false;
  }
  *data = (TargetData){.entry = entry, .at = at};
  return true;
}
