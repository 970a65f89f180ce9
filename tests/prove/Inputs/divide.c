// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quotients of sizes: the floor is the largest number whose product with the divisor is not greater, the ceiling the
// smallest whose product is not less. An exact division returns the factor, or says that there is none.
//
// TARGET: x86_64-linux-gnu -DRSH_ONLY_KNOWN
// TARGET: i686-linux-gnu
// TARGET: s390x-linux-gnu
// MUTANT: runtime/resolve_parts.c | *out = size < 1 ? 0 : at / size; | *out = size < 1 ? 0 : (at + 1) / size;
// MUTANT: runtime/resolve_parts.c | size > 0 && at % size > 0; | size > 0 && at % size >= 0;
// MUTANT: runtime/num.h | if (a.n % b.n != 0) | if (a.n % b.n < 0)
#include "tests/prove/Inputs/prove.h"

#include "runtime/num.c"
#include "runtime/resolve_parts.c"

static const int64_t divisors[] = {1, 2, 3, 10, 1 << 20};

void harness(void) {
  int64_t at = any_between(0, INT64_MAX),
          size = divisors[any_choice(sizeof divisors / sizeof *divisors)];
  int64_t below, above;
  rsh_num exact;
  prove(rsh_edge(RSH_EDGE_FLOOR, at, size, 0, &below) == RSH_ok);
  prove(rsh_edge(RSH_EDGE_CEILING, at, size, 0, &above) == RSH_ok);
  uint64_t product = (uint64_t)below * (uint64_t)size, rest = (uint64_t)at - product;
  prove(0 <= below && below <= at && rest < (uint64_t)size);
  prove(above == below + (rest > 0));
  bool divides = rsh_div(0, rsh_int(at), rsh_int(size), &exact);
  prove(divides == (rest == 0));
  prove(!divides || exact.n == below);
}
