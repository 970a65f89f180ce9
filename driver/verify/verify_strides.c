// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/verify/verify_strides.h"

#include <string.h>

Spread spread_of(const Tensor *t, int layout) {
  bool is_reversed = layout & 1, has_gaps = layout & 8;
  Spread s = {.span = t->count > 0};
  int64_t step = has_gaps ? 2 : 1;
  for (int i = 0; i < t->rank; i++) {
    int axis = is_reversed ? i : t->rank - 1 - i;
    int64_t dim = t->dim[axis];
    bool is_backward = layout & (axis % 2 ? 4 : 2);
    s.stride[axis] = is_backward ? -step : step;
    if (dim == 1) // must not matter
      s.stride[axis] = -INT64_MAX / 16;
    if (dim <= 1 || t->count == 0)
      continue;
    s.first += is_backward ? (dim - 1) * step : 0;
    s.span += (dim - 1) * step;
    step = step * dim + has_gaps;
  }
  return s;
}

static int64_t place_of(const Spread *s, const Tensor *t, int64_t element) {
  int64_t place = s->first;
  for (int i = t->rank - 1; i >= 0; i--) {
    if (t->dim[i] > 1)
      place += element % t->dim[i] * s->stride[i];
    element /= t->dim[i];
  }
  return place;
}

void spread_put(const Spread *spread, const Tensor *t, size_t size, const uint8_t *row_major,
                uint8_t *memory) {
  for (int64_t i = 0; i < t->count; i++)
    memcpy(memory + (size_t)place_of(spread, t, i) * size, row_major + (size_t)i * size, size);
}

void spread_take(const Spread *spread, const Tensor *t, size_t size, uint8_t *row_major,
                 uint8_t *memory, uint8_t left) {
  for (int64_t i = 0; i < t->count; i++) {
    uint8_t *place = memory + (size_t)place_of(spread, t, i) * size;
    memcpy(row_major + (size_t)i * size, place, size);
    memset(place, left, size);
  }
}
