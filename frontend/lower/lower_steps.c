// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operators that make up a rearrangement, each applied as if written in the text.
#include "frontend/lower/lower_pattern.h"

Value *rearrange_apply(Rearrange *r, Binding *b) {
  b->callee_span = r->callee_span;
  Values values = binding_apply(r->l, b);
  return values.count == 1 ? values.item[0] : NULL;
}

Value *rearrange_step(Rearrange *r, Value *x, rsh_op op, const rsh_num *list, int count) {
  Binding *b = binding_new(r->l, op, r->word, r->span);
  binding_operand(r->l, b, x, r->span);
  binding_list(r->l, b, 0, list, count);
  bool plain = true; // every size is at least 1, so no entry can mean "copy"
  for (int i = 0; i < count; i++)
    plain = plain && rsh_is_known(list[i]) && list[i].n > 0;
  if (op == RSH_OP_RESHAPE && !plain)
    binding_int(r->l, b, 1, 1); // allowzero
  return rearrange_apply(r, b);
}

// Axis 1 of f32[N, M], less 4, over A:  slice [4:] -> transpose -> openvino.reshape [0, -1, A].
// A 0 copies an axis, so the other sizes may have any value; A is at an index with no axis to copy.
bool axis_quotient(Rearrange *r, const Operand *operand, int axis, rsh_num less, rsh_num over,
                   rsh_num *out) {
  Value *x = operand->value;
  int rank = operand->shape->rank;
  rsh_num list[RSH_MAX_RANK + 1];
  if (!rsh_is(less, 0)) {
    Binding *shorter = binding_new(r->l, RSH_OP_SLICE, r->word, r->span);
    const rsh_num end = rsh_int(INT64_MAX), axes = rsh_int(axis);
    binding_operand(r->l, shorter, x, r->span);
    binding_list(r->l, shorter, RSH_SLICE_STARTS, &less, 1);
    binding_list(r->l, shorter, RSH_SLICE_ENDS, &end, 1);
    binding_list(r->l, shorter, RSH_SLICE_AXES, &axes, 1);
    x = rearrange_apply(r, shorter);
  }
  for (int i = 0; i < rank; i++) // 0 2 1: the axis comes last
    list[i] = rsh_int(i == rank - 1 ? axis : i + (i >= axis));
  x = x && axis != rank - 1 ? rearrange_step(r, x, RSH_OP_TRANSPOSE, list, rank) : x;
  for (int i = 0; i < rank - 1; i++)
    list[i] = rsh_int(0);
  list[rank - 1] = rsh_int(-1);
  list[rank] = over;
  if (!x)
    return false;
  Binding *b = binding_new(r->l, RSH_OP_OPENVINO_RESHAPE, r->word, r->span);
  binding_operand(r->l, b, x, r->span);
  binding_list(r->l, b, 0, list, rank + 1);
  b->call.arg[0].sizes = UINT32_C(1) << rank;
  binding_int(r->l, b, 1, 1); // special_zero
  x = rearrange_apply(r, b);
  if (!x || !sizes_open(r->l, x, r->span))
    return false;
  *out = x->shape.dim[rank - 1];
  return true;
}
