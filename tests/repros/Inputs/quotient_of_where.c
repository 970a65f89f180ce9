// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>

int main(void) {
  const int64_t target[1] = {-1};
  int64_t dims[1];
  for (int64_t a = 0; a < 6; a++)
    printf("%s%s", a ? " " : "", rsh_status_name(g_shape(a, target, dims)));
  return 0;
}
