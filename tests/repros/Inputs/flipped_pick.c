// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Column 3 of 2 rows of 9, upside down, to memory between two 9s: from low to high addresses, and from high to low.
#include <stdio.h>
#include <string.h>

static _Alignas(16) char plan[FLIPPED_PLAN_BYTES];

int main(void) {
  uint16_t x[18], y[4];
  int64_t i = 3, x_dims[] = {2, 9}, y_dims[] = {2}, backward = -1;
  DLTensor from = {x, {kDLCPU, 0}, 2, {kDLUInt, 16, 1}, x_dims, NULL, 0};
  DLTensor index = {&i, {kDLCPU, 0}, 0, {kDLInt, 64, 1}, NULL, NULL, 0};
  DLTensor to = {y, {kDLCPU, 0}, 1, {kDLUInt, 16, 1}, y_dims, NULL, 2};
  for (int k = 0; k < 18; k++)
    x[k] = (uint16_t)k;
  for (int turn = 0; turn < 2; turn++) {
    memset(y, 0, sizeof y);
    y[0] = y[3] = 9;
    rsh_status status = flipped(&from, &index, &to, plan);
    printf("%s %d %d %d %d\n", rsh_status_name(status), y[0], y[1], y[2], y[3]);
    to.strides = &backward;
    to.byte_offset = 4;
  }
  return 0;
}
