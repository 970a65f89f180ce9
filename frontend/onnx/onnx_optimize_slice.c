// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part that a Slice or a Gather takes, as far as constants determine it.
#include "frontend/onnx/onnx_optimize_internal.h"

// Returns whether the value of a name does not come from a rewritten node.
bool optimize_is_stable(const Optimizer *o, const char *name) {
  const Var *var = optimize_var(o, name);
  return !var || var->maker < 0 || !o->node[var->maker].is_rewritten;
}

// Makes negative axes nonnegative if the rank is known. False: out of range.
bool optimize_count_axes(IntList *axes, const rsh_shape *shape) {
  for (int32_t i = 0; i < axes->count && shape; i++) {
    int32_t axis;
    if (!rsh_axis_index(axes->item[i], shape->rank, &axis))
      return false;
    axes->item[i] = axis;
  }
  return true;
}

bool optimize_is_set(const IntList *list) {
  for (int32_t i = 0; i < list->count; i++)
    for (int32_t k = 0; k < i; k++)
      if (list->item[k] == list->item[i])
        return false;
  return list->count > 0;
}

bool optimize_read_slice(const Optimizer *o, const Onnx__NodeProto *node, SliceRange *slice) {
  bool has_inputs = o->opset >= 10;
  if (!optimize_is_op(node, "Slice") || node->n_output != 1 ||
      !optimize_list(o, node, "starts", has_inputs ? 1 : -1, &slice->start) ||
      !optimize_list(o, node, "ends", has_inputs ? 2 : -1, &slice->end) ||
      !optimize_list(o, node, "axes", has_inputs ? 3 : -1, &slice->axis) ||
      !optimize_list(o, node, "steps", has_inputs ? 4 : -1, &slice->step))
    return false;
  int32_t count = slice->start.count;
  if (!slice->axis.is_given)
    for (slice->axis.count = 0; slice->axis.count < count; slice->axis.count++)
      slice->axis.item[slice->axis.count] = slice->axis.count;
  if (!slice->step.is_given)
    for (slice->step.count = 0; slice->step.count < count; slice->step.count++)
      slice->step.item[slice->step.count] = 1;
  return count > 0 && slice->end.count == count && slice->axis.count == count &&
         slice->step.count == count &&
         optimize_count_axes(&slice->axis, optimize_shape(o, node->input[0])) &&
         optimize_is_set(&slice->axis);
}

// The only index of a Gather, and its axis.
bool optimize_gathered(const Optimizer *o, const Onnx__NodeProto *node, bool is_scalar,
                       int64_t *index, IntList *axis) {
  IntList list;
  if (!optimize_is_op(node, "Gather") || node->n_input != 2 ||
      !optimize_list(o, node, "", 1, &list) || list.count != 1 || list.is_scalar != is_scalar)
    return false;
  *index = list.item[0];
  *axis = (IntList){.item = {optimize_int(node, "axis", 0)}, .count = 1};
  return optimize_count_axes(axis, optimize_shape(o, node->input[0]));
}
