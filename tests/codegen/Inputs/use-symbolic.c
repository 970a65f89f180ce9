// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The status type is the same, whichever header comes first.
#ifdef STATUS_FIRST
#include "runtime/status.h"
#endif
#include "heads.h"
#ifndef STATUS_FIRST
#include "runtime/status.h"
#endif

#include <stdlib.h>
#include <string.h>

int main(void) {
  const int B = 2, S = 3;
  const int64_t want[HEADS_Y_RANK] = HEADS_Y_DIMS(B, S);
  int64_t dims[HEADS_Y_RANK];
  uint16_t *x = calloc(1, (size_t)HEADS_X_BYTES(B, S)), *y = calloc(1, (size_t)HEADS_Y_BYTES(B, S));
  if (!x || !y || heads_shape(B, S, dims) != RSH_ok || memcmp(dims, want, sizeof dims) != 0)
    return 1;
  x[(1 * S + 2) * 768 + 5 * 64 + 7] = 9; /* row 2 of sequence 1, head 5 */
  if (heads(B, S, x, y) != RSH_ok || y[((1 * 12 + 5) * S + 2) * 64 + 7] != 9)
    return 2;
  if (heads(B, 513, x, y) != RSH_guard_failed || heads(-1, S, x, y) != RSH_bad_dim)
    return 3;
  const int64_t few[] = LAST_Y_DIMS(3), four[] = LAST_Y_DIMS(30);
  if (few[0] != 3 || four[0] != 4 || LAST_Y_BYTES(0) != 0 || LAST_Y_OFFSET(9) != 5)
    return 4;
  return 0;
}
