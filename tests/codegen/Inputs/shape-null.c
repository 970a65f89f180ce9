/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Asks for the sizes of results with and without a place for each. */
#include HEADER
#include <stdio.h>
#include <string.h>

static int64_t y[16], w[16];
static int failures;

static void clear(void) {
  memset(y, -1, sizeof y);
  memset(w, -1, sizeof w);
}

static void check(const char *what, rsh_status status, const int64_t *dims, int64_t a, int64_t b) {
  if (status != RSH_ok || dims[0] != a || dims[1] != b) {
    failures++;
    printf("%s: status %d, sizes %d %d\n", what, (int)status, (int)dims[0], (int)dims[1]);
  }
  clear();
}

int main(void) {
  const int64_t target[2] = {6, 2};
  float element = 0;
  int64_t shape[2] = {5, 7};
  int32_t rank = 0;
  DLTensor x = {.data = &element, .ndim = 2, .dtype = {kDLFloat, 32, 1}, .shape = shape};
  x.device.device_type = kDLCPU;
  clear();
  check("sizes of y", sizes_shape(3, 4, y, NULL), y, 5, 4);
  check("sizes of w", sizes_shape(3, 4, NULL, w), w, 4, 3);
  check("sizes of none", sizes_shape(3, 4, NULL, NULL), w, -1, -1);
  check("asked of y", asked_shape(3, 4, target, y, NULL), y, 6, 2);
  check("asked of w", asked_shape(3, 4, target, NULL, w), w, 2, 6);
  check("asked of none", asked_shape(3, 4, target, NULL, NULL), w, -1, -1);
  check("any without a rank", any_shape(&x, y, NULL), y, 5, 7);
  check("any without sizes", any_shape(&x, NULL, &rank), y, -1, -1);
  failures += rank != 2;
  return failures;
}
