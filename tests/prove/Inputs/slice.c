// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A slice of an axis: for every start, end and step, the elements it selects are on the axis, the first is the one that
// ONNX defines, and one after the last would be past the end.
//
// TARGET: x86_64-linux-gnu -DRSH_ONLY_KNOWN
// TARGET: i686-linux-gnu -DRSH_ONLY_KNOWN
// MUTANT: runtime/resolve_parts.c | if (!rsh_add(s, *v, *d, v)) | if (!rsh_sub(s, *v, *d, v))
// MUTANT: runtime/resolve_parts.c | low = rsh_int(is_back ? -1 : 0); | low = rsh_int(0);
// MUTANT: runtime/resolve_parts.c | if (is_back && !rsh_sub(s, *d, rsh_int(1), &high)) | if (is_back && !rsh_sub(s, *d, rsh_int(0), &high))
// MUTANT: runtime/resolve_parts.c | *v = rsh_int((int64_t)(((uint64_t)v->n - 1) / length) + 1); | *v = rsh_int((int64_t)((uint64_t)v->n / length) + 1);
#include "tests/prove/Inputs/prove.h"

#include "runtime/num.c"
#include "runtime/resolve_parts.c"

static const int64_t steps[] = {1, -1, 2, -3, INT64_MIN};

// As defined by ONNX Slice-13.
static int64_t clamped(int64_t at, int64_t size, int64_t least, int64_t most) {
  if (at < 0)
    at += size;
  return at < least ? least : at > most ? most : at;
}

void harness(void) {
  int64_t size = any_between(0, INT64_MAX), start = any_int64(), end = any_int64();
  int64_t step = steps[any_choice(sizeof steps / sizeof *steps)];
  rsh_range r;
  rsh_status status = rsh_slice_range(0, rsh_int(size), rsh_int(start), rsh_int(end), step, &r);
  prove(status == RSH_ok);
  bool is_back = step < 0;
  int64_t first = clamped(start, size, 0, is_back ? size - 1 : size);
  int64_t last = clamped(end, size, is_back ? -1 : 0, is_back ? size - 1 : size);
  uint64_t distance = is_back ? (uint64_t)first - (uint64_t)last : (uint64_t)last - (uint64_t)first;
  bool is_empty = size == 0 || (is_back ? first <= last : last <= first);
  prove(is_empty == (r.count.n == 0));
  if (is_empty)
    return;
  prove(r.count.n > 0 && r.start.n == first && 0 <= first && first < size);
  uint64_t by = is_back ? 0 - (uint64_t)step : (uint64_t)step;
  prove(r.count.n == (int64_t)((distance - 1) / by) + 1);
  prove(r.step.n == (r.count.n == 1 ? 1 : step));
}
