// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Softmax along any axis becomes a softmax along the last, with a move before and the inverse move after it.
//
//   axis 1 of f32[B, S, 8], opset 13   axes 1 and 2 are swapped: f32[B, 8, S]
//   axis 1 of f32[B, S, 8], opset 11   all axes from there on are merged: f32[B, 8*S]
#include "frontend/onnx/onnx_internal.h"

#include <inttypes.h>

// Before opset 13 it covers all axes from `axis` on, by default from the second.
enum { ONE_AXIS = 13 };

static Value *of_one_axis(Visit *v, Value *x, int32_t axis) {
  int32_t rank = x->shape.rank;
  rsh_num perm[RSH_MAX_RANK];
  for (int32_t i = 0; i < rank; i++)
    perm[i] = rsh_int(i);
  perm[axis] = rsh_int(rank - 1);
  perm[rank - 1] = rsh_int(axis);
  x = step_softmax(v, step_transpose(v, x, perm, rank));
  return step_transpose(v, x, perm, rank);
}

static Value *of_axes_from(Visit *v, Value *x, int32_t axis) {
  rsh_shape shape = x->shape, last = {0}, flat = {.rank = axis + 1};
  for (int32_t i = axis; i < shape.rank; i++)
    last.dim[last.rank++] = shape.dim[i];
  for (int32_t i = 0; i < axis; i++)
    flat.dim[i] = shape.dim[i];
  if (rsh_volume(symbols_of(v), &last, &flat.dim[axis]) != RSH_ok)
    return refused(
        onnx_error(v, "overflow", "%s", overflow_text(v->r->arena, v->r->data.graph, &last)));
  return step_shape(v, step_softmax(v, step_shape(v, x, &flat)), &shape);
}

Value *softmax_apply(Visit *v) {
  bool is_one = v->frame->opset >= ONE_AXIS;
  int64_t given = attribute_int(v, "axis", is_one ? -1 : 1);
  Value *x = step_operand(v, 0);
  int32_t axis;
  if (!x)
    return NULL;
  if (v->node->n_input != 1)
    return refused(onnx_error(v, "arity", "%zu inputs; '%s' has 1", v->node->n_input, v->op));
  if (!rsh_axis_index(given, x->shape.rank, &axis))
    return refused(onnx_error(v, "bad_axis", "'axis' is %" PRId64 "; the rank of %s is %d", given,
                              input_label(v, 0), (int)x->shape.rank));
  return axis == x->shape.rank - 1 ? step_softmax(v, x)
         : is_one                  ? of_one_axis(v, x, axis)
                                   : of_axes_from(v, x, axis);
}
