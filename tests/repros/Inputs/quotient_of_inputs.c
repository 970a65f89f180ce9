// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <inttypes.h>
#include <stdio.h>

int main(void) {
  const int64_t target[1] = {1}, size[] = {0, 1, 2, 3, 7};
  int64_t y[2], z[1];
  for (int i = 0; i < 5; i++) {
    const char *status = rsh_status_name(g_shape(size[i], target, y, z));
    printf("%" PRId64 ": %s %" PRId64 "x%" PRId64 "\n", size[i], status, y[0], y[1]);
  }
  return 0;
}
