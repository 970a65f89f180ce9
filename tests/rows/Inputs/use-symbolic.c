/* Asks the header how much scratch a call needs, and calls with less than there must be. */
#include "symbolic.h"

#include <stdlib.h>

int main(void) {
  const float x[6] = {0, 0, 0, 1, 1, 1};
  float y[6], z[6];
  void *scratch = malloc((size_t)MOVED_SCRATCH_BYTES(2, 3));
  int i;
  if (!scratch || MOVED_SCRATCH_BYTES(2, 3) != 24 || MOVED_SCRATCH_BYTES(0, 3) != 0)
    return 1;
  if (ENDS_SCRATCH_BYTES(5) != (5 + 2 + 5 - 1) * 12 || ENDS_SCRATCH_BYTES(0) != 2 * 12)
    return 2;
  if (moved(2, 3, x, y, NULL) != RSH_null_pointer || moved(0, 3, NULL, NULL, NULL) != RSH_ok)
    return 3;
  if (moved(2, 3, x, y, scratch) != RSH_ok || in_place(2, 3, x, z) != RSH_ok)
    return 4;
  for (i = 0; i < 6; i++)
    if (y[i] < 0.333f || y[i] > 0.334f || z[i] < 0.333f || z[i] > 0.334f)
      return 5;
  free(scratch);
  return 0;
}
