/* Calls a kernel with its scratch buffer, and one that needs none. */
#include "scratch.h"

int main(void) {
  const float x[6] = {0, 0, 0, 1, 1, 1};
  float y[6], z[6], buffer[MOVED_SCRATCH_2_BYTES / sizeof(float)];
  int i;
  moved(x, y, buffer);
  in_place(x, z);
  for (i = 0; i < 6; i++)
    if (y[i] < 0.333f || y[i] > 0.334f || z[i] < 0.333f || z[i] > 0.334f)
      return 1;
  return 0;
}
