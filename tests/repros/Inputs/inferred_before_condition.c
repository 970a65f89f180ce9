// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>

int main(void) {
  const int64_t sizes[] = {0, 1, 2, 3, INT64_C(1) << 62};
  int64_t dims[6];
  for (int i = 0; i < 5; i++)
    printf("%lld %s %s\n", (long long)sizes[i], rsh_status_name(g_shape(sizes[i], dims)),
           rsh_status_name(twice_shape(sizes[i], dims)));
  return 0;
}
