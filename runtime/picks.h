// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// picks: gathers by a tensor of indices, as loops over tuples of indices around contiguous runs that are copied.
//
//   x: f32[2, 5, 8], i: i64[3]
//
//   gather(x, i, 1)                  for 2: dst 24, src 40; for 3: dst 8, at 1       axis of 5 by 8      run 8
//   gather_elements(x, j: [2, 3, 8]) for 2, 3, 8: one index each; src is 40, 8 and 1, but 0 for the indexed axis
//   gather_nd(x, k: [7, 2])          for 7: dst 8, at 2                              axes of 2 and 5     run 8
#ifndef RSH_PICKS_H
#define RSH_PICKS_H

#include "runtime/fold.h"

// All in elements.
typedef struct rsh_picks {
  rsh_axis *
      axis; // the loops, outermost first, none of extent 1; `at` is the stride in the tensor of indices
  int32_t loop_count;
  int32_t picked;     // then one axis of the data for each index of a tuple: extent and src
  rsh_num run, count; // elements of a run; total number of indices
} rsh_picks;

// The most axes that rsh_picks_of writes for data of this rank.
static inline int32_t rsh_picks_room(int32_t rank) { return rank + 2; }

// The picks of a call that resolve accepted and for which rsh_takes_indices() is true. Writes to the caller's `axis`.
// RSH_overflow: a stride does not fit 64 bits.
rsh_status rsh_picks_of(const rsh_call *call, rsh_picks *out);

#endif
