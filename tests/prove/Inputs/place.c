// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The start or end of a slice as a size of its own: counted from the end if negative, and clamped to least..size.
//
// TARGET: x86_64-linux-gnu
// TARGET: i686-linux-gnu -DRSH_ONLY_KNOWN
// TARGET: thumbv7em-none-eabi -Os -DRSH_ONLY_KNOWN
// MUTANT: runtime/resolve_parts.c | if (!rsh_at_most(s, *low, *v)) { | if (!rsh_at_most(s, *v, *low)) {
// MUTANT: runtime/resolve_parts.c | if (rsh_at_most(s, *high, *v)) { | if (rsh_at_most(s, *v, *high)) {
// MUTANT: runtime/resolve_parts.c | if (!rsh_add(s, *v, *d, v)) | if (!rsh_add(s, *v, *low, v))
#include "tests/prove/Inputs/prove.h"

#include "runtime/num.c"
#include "runtime/resolve_parts.c"

void harness(void) {
  int64_t size = any_between(0, INT64_MAX), least = any_between(0, INT64_MAX), at = any_int64(),
          out;
  assume(least <= size);
  prove(rsh_edge(RSH_EDGE_PLACE, at, size, least, &out) == RSH_ok);
  int64_t from_start = at < 0 ? at + size : at;
  prove(out == (from_start < least ? least : from_start > size ? size : from_start));
}
