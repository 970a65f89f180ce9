// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the kernels of in-place.rsh with two buffers and with one.
#include HEADER

#include <stdio.h>
#include <string.h>

static int wrong;

static void check(const char *what, int is_right) {
  if (!is_right)
    printf("%s is wrong\n", what);
  wrong = wrong || !is_right;
}

int main(void) {
  static float x[1000], y[1000], kept[1000], want[1000];
  static int32_t z[300];
  for (int i = 0; i < 1000; i++) {
    x[i] = kept[i] = (float)(i % 7 - 3) * (float)(i + 1);
    want[i] = x[i] > 0 ? x[i] : 0;
  }
  act(x, y);
  check("act, apart", memcmp(y, want, sizeof y) == 0 && memcmp(x, kept, sizeof x) == 0);
  act(x, x);
  check("act, in place", memcmp(x, want, sizeof x) == 0);

  int is_right = 1;
  steps(kept, z);
  for (int i = 0; i < 300; i++)
    is_right = is_right && z[i] == (int32_t)(kept[i] < 0 ? -kept[i] : kept[i]);
  check("steps, apart", is_right);
  union {
    float before[300];
    int32_t after[300];
  } both;
  memcpy(both.before, kept, sizeof both);
  steps(both.before, both.after);
  check("steps, in place", memcmp(both.after, z, sizeof z) == 0);
  return wrong;
}
