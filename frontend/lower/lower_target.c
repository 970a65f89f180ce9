// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computed targets: each entry is an element of an input, found by tracing it back through the operators that moved it.
// The runtime reads only inputs.
//
//   reshape(x, s[1:])                        entries 1 and 2 of s: i64[3]
//   reshape(x, concat(s[:1], t, axis=0))     entry 0 of s and all entries of t
//
// Entries from constants, which models have, are numbers.
#include "frontend/lower/lower_internal.h"
#include "runtime/program.h"

enum { MOST_OPERANDS = 16, MOST_MOVES = 64, MOST_AXES = 256, MOST_STEPS = 1000 };

bool is_readable_target(const Value *value) {
  return !value->node && !value->storage && !value_is_constant(value);
}

// The element count of a value whose sizes are all numbers; -1: some are not, or there are more than a target can have.
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

// The position in its source of the element that a move puts at `place`; -1: it puts none there.
static int64_t moved_from(const rsh_moves *moves, const rsh_move *move, int64_t place) {
  const rsh_axis *axis = moves->axis + move->first;
  int64_t src = move->src_offset.n;
  place -= move->dst_offset.n;
  for (int32_t k = 0; k < move->axis_count;
       k++) { // outermost first, and no axis reaches into the next
    int64_t index = place < 0 ? -1 : place / axis[k].dst.n;
    if (index < 0 || index >= axis[k].extent.n)
      return -1;
    place -= index * axis[k].dst.n;
    src += index * axis[k].src.n;
  }
  return place == 0 ? src : -1;
}

// Goes one step back, to the operand and the element of it that the value's operator moved to `place`.
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
  bool is_there = is_readable_target(*value) ||
                  (value_is_constant(*value) && rsh_dtype_is_integer((*value)->dtype));
  return is_there && is_list && *place < RSH_MAX_RANK;
}

bool target_constant(const Value **value, int64_t place, rsh_num *out) {
  if (!value_is_constant(*value))
    return false;
  *out = rsh_int(rsh_target_entry((*value)->data, (*value)->dtype, place));
  *value = NULL;
  return true;
}

// Resolves all elements of a tensor in this way; elements of constants are stored in `list`.
static bool target_in_parts(Arena *arena, const Value *tensor, TargetData *data, rsh_num *list) {
  int64_t count = tensor->shape.rank <= 1 ? count_of(tensor) : -1;
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
  for (int64_t i = 0; i < count; i++)
    (void)target_constant(&entry[i], at[i], &list[i]);
  *data = (TargetData){.entry = entry, .at = at};
  return true;
}

// A number with no known bounds.
rsh_num data_entry(Lower *l) { return rsh_unknown(graph_symbols(l), INT64_MIN, INT64_MAX); }

// The number of entries of a whole tensor that get numbers of their own: none if the length is unknown or exceeds that
// of any list.
static int32_t entries_listed(rsh_op op, const rsh_arg *arg) {
  enum { MOST_LISTED = 1 << 10 };
  int32_t most = rsh_op_family(op) == RSH_RESHAPES ? RSH_MAX_RANK : MOST_LISTED;
  return arg->count > most ? 0 : arg->count;
}

static bool has_data(const TargetData *data, int32_t count) {
  for (int32_t i = 0; data->entry && i < count; i++)
    if (data->entry[i])
      return true;
  return data->tensor != NULL;
}

void data_whole(Lower *l, rsh_op op, const Value *tensor, rsh_arg *arg, TargetData *data) {
  const rsh_shape *shape = &tensor->shape;
  bool is_target = rsh_op_family(op) == RSH_RESHAPES;
  int64_t count = shape->rank == 0 && !is_target ? 1 : -1;
  if (shape->rank == 1 && rsh_is_known(shape->dim[0]))
    count = shape->dim[0].n;
  *arg = (rsh_arg){.kind = RSH_ARG_TENSOR,
                   .rank = shape->rank,
                   .count = count < INT32_MAX ? (int32_t)count : INT32_MAX,
                   .dtype = tensor->dtype};
  int32_t listed = entries_listed(op, arg);
  // A target with too many entries is refused by a message that shows the first ones.
  int32_t shown = arg->count < ENTRIES_SHOWN ? arg->count : ENTRIES_SHOWN;
  int32_t room = listed > shown ? listed : shown;
  rsh_num *list = ARENA_ARRAY(l->arena, rsh_num, (room > 0 ? room : 0) + 1);
  for (int32_t i = 0; i < room; i++)
    list[i] = data_entry(l);
  if (count >= 0 && (is_target || listed == count))
    arg->list = list;
  *data = (TargetData){.tensor = tensor};
  if (is_readable_target(tensor) || count < 0 || listed < count)
    return;
  if (target_in_parts(l->arena, tensor, data, list) && count > 0 && !has_data(data, arg->count)) {
    arg->kind = RSH_ARG_LIST;
    arg->dtype = RSH_I64;
  }
}
