// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A result without elements takes no time, even if one of its sizes is 2^40.
// RUN: rm -rf %t && mkdir %t && echo 'graph pick(x: u8[A, 4, 9], i: i64[A, 4, B]) -> y { y = gather_elements(x, i, axis=2) }' > %t/pick.rsh
// RUN: cd %t && %{reshapec} pick.rsh -fno-verify --emit=c -o pick.c --header pick.h && %{cc} -O0 -I. -c pick.c -o pick.o && %{cc} -I. %s pick.o -o c && timeout 60 ./c
// RUN: cd %t && %{reshapec} pick.rsh -fno-verify -O0 -o pick.o --header pick.h && %{cc} -I. %s pick.o -o object && timeout 60 ./object
#include "pick.h"

#include <stdint.h>

int main(void) {
  static uint8_t x, y;
  static int64_t i;
  return pick(INT64_C(1) << 40, 0, &x, &i, &y) != RSH_ok;
}
