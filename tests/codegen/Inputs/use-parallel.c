// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the functions of parallel.rsh that run all tasks. The command line includes the header.
#include <stdio.h>

static float x[1000 * 300], y[300 * 1000];
static uint16_t heads_in[3 * 77 * 96], heads_out[3 * 77 * 96];

int main(void) {
  for (int i = 0; i < 1000 * 300; i++)
    x[i] = (float)i;
  rows_of_matrix_parallel(x, y);
  for (int i = 0; i < 300; i++)
    for (int k = 0; k < 1000; k++)
      if (y[i * 1000 + k] != (float)(k * 300 + i))
        return printf("element %d, %d\n", i, k), 1;
  for (int i = 0; i < 3 * 77 * 96; i++)
    heads_in[i] = (uint16_t)i;
  if (heads_parallel(3, 77, heads_in, heads_out) != RSH_ok)
    return puts("status"), 1;
  for (int b = 0; b < 3; b++) // [b, s, h, d] goes to [b, h, s, d]
    for (int s = 0; s < 77; s++)
      for (int h = 0; h < 6; h++)
        for (int d = 0; d < 16; d++)
          if (heads_out[((b * 6 + h) * 77 + s) * 16 + d] !=
              heads_in[((b * 77 + s) * 6 + h) * 16 + d])
            return printf("heads: element %d, %d, %d, %d\n", b, h, s, d), 1;
  return heads_parallel(-1, 77, heads_in, heads_out) == RSH_bad_dim ? 0 : 1;
}
