// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sum and the difference of any two known numbers: false exactly on 64-bit overflow, which the signs show.
//
// TARGET: x86_64-linux-gnu
// TARGET: i686-linux-gnu
// TARGET: s390x-linux-gnu
// TARGET: thumbv7em-none-eabi -Os -DRSH_ONLY_KNOWN
// MUTANT: runtime/num.h | return !__builtin_add_overflow(a.n, b.n, &out->n); | return __builtin_add_overflow(a.n, b.n, &out->n), true;
// MUTANT: runtime/num.h | return !__builtin_sub_overflow(a.n, b.n, &out->n); | return !__builtin_sub_overflow(b.n, a.n, &out->n);
#include "tests/prove/Inputs/prove.h"

#include "runtime/num.c"

void harness(void) {
  int64_t a = any_int64(), b = any_int64();
  rsh_num sum, difference;
  bool adds = rsh_add(0, rsh_int(a), rsh_int(b), &sum);
  bool subtracts = rsh_sub(0, rsh_int(a), rsh_int(b), &difference);
  uint64_t plus = (uint64_t)a + (uint64_t)b, minus = (uint64_t)a - (uint64_t)b;
  bool is_below = (int64_t)plus < 0, is_less = (int64_t)minus < 0;
  prove(adds == !((a < 0) == (b < 0) && is_below != (a < 0)));
  prove(subtracts == !((a < 0) != (b < 0) && is_less != (a < 0)));
  prove(!adds || sum.n == (int64_t)plus);
  prove(!subtracts || difference.n == (int64_t)minus);
}
