// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>

int main(void) {
  static int64_t plan[(G_PLAN_BYTES + 7) / 8], in[2] = {2, 3}, out[2] = {3, 2};
  double data[6] = {0}, result[6];
  DLTensor x = {.data = data, .ndim = 2, .dtype = {kDLFloat, 64, 1}, .shape = in};
  DLTensor y = {.data = result, .ndim = 2, .dtype = {kDLFloat, 64, 1}, .shape = out};
  x.device.device_type = y.device.device_type = kDLCPU;
  printf("%s ", rsh_status_name(g(&x, &y, plan)));
  printf("%s ", rsh_status_name(g(&x, &y, plan)));
  x.dtype.bits = 32;
  printf("%s ", rsh_status_name(g(&x, &y, plan)));
  x.dtype.bits = 64;
  y.dtype.code = kDLInt;
  printf("%s ", rsh_status_name(g(&x, &y, plan)));
  y.dtype.code = kDLFloat;
  printf("%s\n", rsh_status_name(g(&x, &y, plan)));
  return 0;
}
