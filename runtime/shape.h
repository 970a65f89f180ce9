// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sizes of a tensor, outermost axis first.
#ifndef RSH_SHAPE_H
#define RSH_SHAPE_H

#include "runtime/num.h"
#include "runtime/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RSH_MAX_RANK = 16 };

typedef struct rsh_shape {
  int32_t rank; // 0: a scalar, of volume 1; RSH_RANK_UNKNOWN: not known before run time
  rsh_num dim[RSH_MAX_RANK];
} rsh_shape;

enum { RSH_RANK_UNKNOWN = -1 };

// Product of the sizes; RSH_overflow if the product of the nonzero sizes does not fit int64, so that the
// result never depends on the order of the sizes.
rsh_status rsh_volume(rsh_symbols *s, const rsh_shape *shape, rsh_num *out);

bool rsh_shape_equal(const rsh_shape *a, const rsh_shape *b);

// Whether a size is known to be 0: then there are no elements, whatever the other sizes.
bool rsh_shape_is_empty(const rsh_shape *shape);

// Converts an axis as users write it, -rank..rank-1, to 0..rank-1. False: out of range.
bool rsh_axis_index(int64_t axis, int32_t rank, int32_t *out);

#ifdef __cplusplus
}
#endif
#endif
