// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>

int main(void) {
  const int64_t sizes[] = {2, 3, INT64_C(1) << 62}, target[1] = {2};
  int64_t y_dims[3], z_dims[1];
  for (int i = 0; i < 3; i++)
    printf("%lld %s %s\n", (long long)sizes[i], rsh_status_name(compiled_shape(sizes[i], y_dims)),
           rsh_status_name(dynamic_shape(sizes[i], target, y_dims, z_dims)));
  return 0;
}
