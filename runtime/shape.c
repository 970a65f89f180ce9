// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes: element count, equality, emptiness, and axes as users count them.
#include "runtime/rules.h"

rsh_status rsh_volume(rsh_symbols *s, const rsh_shape *shape, rsh_num *out) {
  if (shape->rank == RSH_RANK_UNKNOWN)
    return RSH_unknown_size;
  rsh_product p = rsh_product_one();
  for (int32_t i = 0; i < shape->rank; i++)
    if (!rsh_product_take(s, &p, &shape->dim[i]))
      return RSH_overflow;
  *out = rsh_product_value(&p);
  return RSH_ok;
}

bool rsh_shape_equal(const rsh_shape *a, const rsh_shape *b) {
  if (a->rank != b->rank)
    return false;
  for (int32_t i = 0; i < a->rank; i++)
    if (!rsh_equal(a->dim[i], b->dim[i]))
      return false;
  return true;
}

bool rsh_shape_is_empty(const rsh_shape *shape) {
  for (int32_t i = 0; i < shape->rank; i++)
    if (rsh_is(shape->dim[i], 0))
      return true;
  return false;
}

bool rsh_axis_index(int64_t axis, int32_t rank, int32_t *out) {
  if (axis < -(int64_t)rank || axis >= rank)
    return false;
  *out = (int32_t)(axis < 0 ? axis + rank : axis);
  return true;
}
