// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handwritten versions of chw(x: u8[9, 3]), each with a fault: one inspects the elements that it moves but returns the
// right result, one omits the last byte.
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
