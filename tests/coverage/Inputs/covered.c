// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs some functions of runtime/, completely and in part.
#include "runtime/shape.h"
#include "runtime/status.h"

int main(void) {
  int32_t axis;
  bool is_axis =
      rsh_axis_index(-1, 2, &axis) && !rsh_axis_index(2, 2, &axis) && !rsh_axis_index(-3, 2, &axis);
  return is_axis && rsh_status_name(RSH_ok) && rsh_status_string(RSH_ok) ? 0 : 1;
}
