// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls a graph that copies bytes as pairs of bits, with bytes that are 1, 3, -1 and -3 apart.
#include "parts.h"

#include <stdio.h>
#include <string.h>

int main(void) {
  static _Alignas(8) char plan[PARTS_PLAN_BYTES];
  const int64_t steps[] = {1, 3, -1, -3};
  unsigned char byte[32];
  int wrong = 0;
  for (int i = 0; i < 32; i++)
    byte[i] = (unsigned char)(37 * i + 11);
  for (int i = 0; i < 4; i++) {
    unsigned char y[4] = {0};
    int64_t size[1] = {4}, step[1] = {steps[i]}, sizes[2] = {4, 4};
    DLTensor from = {
        .data = byte + 16, .ndim = 1, .dtype = {1, 8, 1}, .shape = size, .strides = step};
    DLTensor to = {.data = y, .ndim = 2, .dtype = {0, 2, 1}, .shape = sizes};
    from.device.device_type = to.device.device_type = 1;
    memset(plan, 0, sizeof plan);
    if (parts(&from, &to, plan) != RSH_ok)
      return 1;
    for (int k = 0; k < 4; k++)
      wrong += y[k] != byte[16 + k * steps[i]];
  }
  printf("16 bytes, %d wrong\n", wrong);
  return wrong != 0;
}
