// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// chw(x: u8[9, 3]) by hand, each with a fault: one inspects the elements it moves but gives the right answer, one
// leaves the last byte out.
#include "chw.h"

#ifdef LOOKS
static void put(uint8_t *to, uint8_t byte) {
  if (byte == LOOKS)
    *to = LOOKS;
  else
    *to = byte;
}
enum { LAST = 27 };
#else
static void put(uint8_t *to, uint8_t byte) { *to = byte; }
enum { LAST = 26 };
#endif

void chw(const uint8_t *x, uint8_t *y) {
  for (int i = 0; i < LAST; i++)
    put(&y[i], x[i % 9 * 3 + i / 9]);
}
