// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// picks: what a tensor of indices picks, as loops over tuples of indices around runs that are copied.
//
//   x: f32[2, 5, 8], i: i64[3]
//
//   gather(x, i, 1)                  for 2: dst 24, src 40; for 3: dst 8, at 1       axis of 5 by 8      run 8
//   gather_elements(x, j: [2, 3, 8]) for 2, 3, 8: each an index, of which src is 40, 8 and 1, but 0 for the axis
//   gather_nd(x, k: [7, 2])          for 7: dst 8, at 2                              axes of 2 and 5     run 8
#ifndef RSH_PICKS_H
#define RSH_PICKS_H

#include "runtime/fold.h"

// All in elements.
typedef struct rsh_picks {
  rsh_axis *
      axis; // first the loops, outermost first; `at`: from one tuple to the next, in indices. None has extent 1
  int32_t loop_count; //
  int32_t picked;     // then as many axes of the data as a tuple has indices: extent and src
  rsh_num run, count; // elements of a run, and indices in all
} rsh_picks;

// Axes that rsh_picks_of writes at most, for data of this rank.
static inline int32_t rsh_picks_room(int32_t rank) { return rank + 2; }

// Of a call that resolve accepted and rsh_takes_indices() holds for, to the caller's `axis`. RSH_overflow: a stride does not
// fit 64 bits.
rsh_status rsh_picks_of(const rsh_call *call, rsh_picks *out);

#endif
