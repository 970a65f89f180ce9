// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The product of any number and each of these: false exactly on overflow. On small cores it is computed bit by bit.
//
// TARGET: thumbv7em-none-eabi -Os -DRSH_ONLY_KNOWN
// TARGET: i686-linux-gnu -Os
// TARGET: x86_64-linux-gnu
// TARGET: powerpc-linux-gnu -Os
// MUTANT: runtime/num.c | if (a >> 63 != 0) | if (a >> 63 > 1)
// MUTANT: runtime/num.c | b >>= 1; | b >>= 2;
// MUTANT: runtime/num.c | n > most + is_below) | n > most)
#include "tests/prove/Inputs/prove.h"

#include "runtime/num.c"

static const int64_t factors[] = {0, 1, -1, 2, 3, -3, 5, -8, INT64_MIN};

void harness(void) {
  int64_t a = any_int64(), b = factors[any_choice(sizeof factors / sizeof *factors)];
  rsh_num out;
  bool fits = rsh_mul(0, rsh_int(a), rsh_int(b), &out);
  if (b == 0 || b == -1)
    prove(fits == (b == 0 || a != INT64_MIN));
  else if (b > 0)
    prove(fits == (INT64_MIN / b <= a && a <= INT64_MAX / b));
  else
    prove(fits == (INT64_MAX / b <= a && a <= INT64_MIN / b));
  prove(!fits || out.n == (int64_t)((uint64_t)a * (uint64_t)b));
}
