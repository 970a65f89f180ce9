// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// squeeze, unsqueeze and transpose of up to RANK axes by any list of as many entries: the result, or the first fault.
//
// TARGET: x86_64-linux-gnu
// TARGET: i686-linux-gnu -DRSH_ONLY_KNOWN
// TARGET: x86_64-linux-gnu -DRANK=3
// MUTANT: runtime/resolve_axes.c | if (!rsh_has(dropped, i)) | if (rsh_has(dropped, i))
// MUTANT: runtime/resolve_axes.c | int32_t rank = in->rank + count, from = 0; | int32_t rank = in->rank + 1, from = 0;
// MUTANT: runtime/resolve_axes.c | if (perm->count != rank) | if (perm->count > rank)
#include "tests/prove/Inputs/prove.h"

#include "runtime/num.c"
#include "runtime/resolve_ask.c"
#include "runtime/resolve_axes.c"
#include "runtime/shape.c"
#include "runtime/status.c"

#ifndef RANK
#define RANK 2
#endif

static int64_t size[RANK], entry[RANK];
static int32_t rank, count;

static bool has(const int64_t *list, int32_t n, int64_t value) {
  for (int32_t i = 0; i < n; i++)
    if (list[i] == value)
      return true;
  return false;
}

// The entries as axes from 0 on. False if one is not an axis.
static bool read_entries(int32_t of, bool counts_from_end) {
  for (int32_t i = 0; i < count; i++) {
    if (entry[i] >= of || entry[i] < (counts_from_end ? -of : 0))
      return false;
    entry[i] = entry[i] < 0 ? entry[i] + of : entry[i];
  }
  return true;
}

static void check_squeeze(rsh_status status, const rsh_shape *out) {
  bool is_good = read_entries(rank, true);
  int32_t to = 0;
  for (int32_t i = 0; i < rank && is_good; i++)
    is_good = !has(entry, count, i) || size[i] == 1;
  prove((status == RSH_ok) == is_good);
  for (int32_t i = 0; i < rank && is_good; i++)
    if (!has(entry, count, i))
      prove(out->dim[to++].n == size[i]);
  prove(!is_good || out->rank == to);
}

static void check_unsqueeze(rsh_status status, const rsh_shape *out) {
  bool is_good = read_entries(rank + count, true);
  int32_t from = 0;
  for (int32_t i = 0; i < count; i++)
    is_good = is_good && !has(entry, i, entry[i]);
  prove((status == RSH_ok) == is_good);
  for (int32_t i = 0; i < rank + count && is_good; i++)
    prove(out->dim[i].n == (has(entry, count, i) ? 1 : size[from++]));
  prove(!is_good || out->rank == rank + count);
}

static void check_transpose(rsh_status status, const rsh_shape *out) {
  bool is_good = count == rank && read_entries(rank, false);
  for (int32_t i = 0; i < count && is_good; i++)
    is_good = !has(entry, i, entry[i]);
  prove((status == RSH_ok) == is_good);
  for (int32_t i = 0; i < rank && is_good; i++)
    prove(out->dim[i].n == size[entry[i]]);
  prove(!is_good || out->rank == rank);
}

void harness(void) {
  static const rsh_op ops[] = {RSH_OP_SQUEEZE, RSH_OP_UNSQUEEZE, RSH_OP_TRANSPOSE};
  uint8_t which = any_choice(3);
  rank = any_choice(RANK + 1);
  count = any_choice(RANK + 1);
  rsh_shape in = {.rank = rank}, out = {.rank = -7};
  rsh_num list[RANK];
  for (int32_t i = 0; i < rank; i++) {
    size[i] = any_between(0, INT64_MAX);
    in.dim[i] = rsh_int(size[i]);
  }
  for (int32_t i = 0; i < count; i++) {
    entry[i] = any_int64();
    list[i] = rsh_int(entry[i]);
  }
  const rsh_shape *operands[] = {&in};
  rsh_call call = {.op = ops[which], .in_count = 1, .out_count = 1, .in = operands};
  call.arg[0] = (rsh_arg){.kind = RSH_ARG_LIST, .rank = 1, .count = count, .list = list};
  if (which == 0)
    check_squeeze(rsh_rule_squeeze(&call, &out, 0), &out);
  else if (which == 1)
    check_unsqueeze(rsh_rule_unsqueeze(&call, &out, 0), &out);
  else
    check_transpose(rsh_rule_transpose(&call, &out, 0), &out);
}
