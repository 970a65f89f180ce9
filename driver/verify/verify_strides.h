// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors of any rank may have any strides: axes in any order, reversed, and with gaps.
//
//   {2, 3} in layout 0     row-major, contiguous                                     strides 3, 1     from element 0
//          in layout 1     column-major                                                      1, 2                  0
//          in layout 6     row-major, both axes reversed                                    -3, -1                 5
//          in layout 8     row-major, with gaps of an element                                7, 2                  0
#ifndef DRIVER_VERIFY_STRIDES_H
#define DRIVER_VERIFY_STRIDES_H

#include "driver/verify/verify_map.h"

enum { STRIDE_LAYOUTS = 16 };

typedef struct Spread {
  int64_t stride[RSH_MAX_RANK];
  int64_t first; // the place of the first element
  int64_t span;  // of all places; not all of them have an element
} Spread;

Spread spread_of(const Tensor *t, int layout);
// Moves the elements of a tensor, of `size` bytes each, from row-major order to their places.
void spread_put(const Spread *spread, const Tensor *t, size_t size, const uint8_t *row_major,
                uint8_t *memory);
// Moves them back, and fills their places with bytes of `left`.
void spread_take(const Spread *spread, const Tensor *t, size_t size, uint8_t *row_major,
                 uint8_t *memory, uint8_t left);

#endif
