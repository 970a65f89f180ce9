// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An axis as written, for any rank; and lists of axes as sets, with repeated axes refused or not.
//
// TARGET: x86_64-linux-gnu
// TARGET: i686-linux-gnu -DRSH_ONLY_KNOWN
// TARGET: thumbv7em-none-eabi -Os -DRSH_ONLY_KNOWN
// TARGET: mips-linux-gnu
// MUTANT: runtime/shape.c | axis < -(int64_t)rank | axis <= -(int64_t)rank
// MUTANT: runtime/shape.c | axis >= rank) | axis > rank)
// MUTANT: runtime/shape.c | axis < 0 ? axis + rank : axis | axis < 0 ? -axis : axis
// MUTANT: runtime/resolve_ask.c | if (is_distinct && (*set & bit) != 0) | if (is_distinct && (*set & bit) == 1)
// MUTANT: runtime/resolve_ask.c | while (other != axis); | while (call->arg[arg].list[first - 1].n != axis);
#include "tests/prove/Inputs/prove.h"

#include "runtime/num.c"
#include "runtime/resolve_ask.c"
#include "runtime/shape.c"
#include "runtime/status.c"

enum { AXES = 3 };

static void one_axis(void) {
  int32_t rank = any_int32(), out = -7;
  int64_t axis = any_int64();
  assume(0 <= rank);
  bool is_axis = rsh_axis_index(axis, rank, &out);
  prove(is_axis == (axis < rank && axis + rank >= 0));
  prove(is_axis ? 0 <= out && out < rank && (axis == out || axis == (int64_t)out - rank)
                : out == -7);
}

static void list_of_axes(void) {
  int32_t rank = 4, count = any_choice(AXES + 1);
  bool is_distinct = any_choice(2) == 1;
  rsh_call call = {.op = RSH_OP_SQUEEZE};
  rsh_num list[AXES];
  rsh_fault fault;
  int64_t at[AXES];
  uint32_t set, wanted = 0;
  rsh_status status = RSH_ok;
  int32_t first = -1, second = -1;
  for (int32_t i = 0; i < count; i++) {
    at[i] = any_int64();
    list[i] = rsh_int(at[i]);
  }
  call.arg[0] = (rsh_arg){.kind = RSH_ARG_LIST, .rank = 1, .count = count, .list = list};
  for (int32_t i = 0; i < count && status == RSH_ok; i++) {
    if (at[i] < -rank || at[i] >= rank) {
      status = RSH_bad_axis;
      second = i;
      break;
    }
    at[i] = at[i] < 0 ? at[i] + rank : at[i];
    for (int32_t k = 0; k < i && is_distinct && status == RSH_ok; k++)
      if (at[k] == at[i])
        status = RSH_duplicate_axis, first = k, second = i;
    wanted |= UINT32_C(1) << at[i];
  }
  prove(rsh_read_axes(&call, 0, rank, is_distinct, &set, &fault) == status);
  prove(status != RSH_ok || set == wanted);
  prove(status == RSH_ok || fault.entry == second);
  prove(status != RSH_duplicate_axis || (fault.left.n == first && fault.right.n == second));
}

void harness(void) {
  if (any_choice(2) == 0)
    one_axis();
  else
    list_of_axes();
}
