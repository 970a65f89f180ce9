// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls everything that kernels.h of version 0.1.0 declares.
#include "kernels.h"

#include <stdio.h>
#include <string.h>

#if !defined KERNELS_VERSION || PLANES_ROW_IS_ALIAS != 1 || PLANES_Y_RANK != 2
#error "macros of 0.1.0"
#endif

static int wrong;

static void check(int is_good, const char *what) {
  if (!is_good)
    printf("wrong: %s\n", what), wrong = 1;
}

int main(void) {
  const uint8_t x[PLANES_X_BYTES] = {0, 1, 2, 3, 4, 5}, turned[] = {0, 3, 1, 4, 2, 5};
  uint8_t y[PLANES_Y_BYTES], row[PLANES_ROW_BYTES];
  planes(x, y, row);
  check(!memcmp(y, turned, sizeof y) && !memcmp(row, x + PLANES_ROW_OFFSET, sizeof row), "planes");
  check(planes_row(x) == x + 3, "planes_row");
  memset(y, 0, sizeof y);
  for (int32_t i = 0; i < planes_tasks(); i++)
    planes_task(i, x, y, row);
  check(!memcmp(y, turned, sizeof y), "planes_task");

  const float in[4] = {1, 2, 3, 4}, swapped[4] = {1, 3, 2, 4};
  float out[SWAP_Y_BYTES(1) / 4];
  int64_t dims[SWAP_Y_RANK];
  check(swap(1, in, out) == RSH_ok && !memcmp(out, swapped, sizeof out), "swap");
  check(swap(0, in, out) == RSH_guard_failed && RSH_guard_failed == 34, "status of swap");
  check(swap_shape(7, dims) == RSH_ok && dims[0] == 7 && dims[2] == 2, "swap_shape");

  static int64_t plan[AS_ASKED_PLAN_BYTES / 8];
  const int64_t asked[2] = {-1, 4};
  uint8_t z[12];
  const uint8_t z_in[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  check(as_asked(2, z_in, asked, z, dims, plan) == RSH_ok, "as_asked");
  check(dims[0] == 3 && dims[1] == 4 && z[1] == 6 && z[11] == 11, "result of as_asked");
  const int64_t refused[2] = {5, 5};
  rsh_status status = as_asked_shape(2, refused, dims);
  check(status == RSH_volume_mismatch && !strcmp(rsh_status_name(status), "volume_mismatch"),
        "status of as_asked");
  puts(wrong ? "differs" : "as in 0.1.0");
  return wrong;
}
