// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handwritten versions of chw(x: u8[28, 28, 3]), each with a fault.
enum { CELLS = 784, PLANES = 3, BYTES = CELLS * PLANES };

void chw(const unsigned char *restrict x, unsigned char *restrict y) {
  for (int i = 0; i < BYTES; i++)
#ifdef TWISTED
    y[i] = x[i];
#else
    y[i] = x[i % CELLS * PLANES + i / CELLS];
#endif
#ifdef READS_ON
  *(volatile unsigned char *)y = ((const volatile unsigned char *)x)[BYTES + 4096];
#endif
#ifdef WRITES_ON
  y[BYTES] = 1;
#endif
#ifdef WRITES_BACK
  ((unsigned char *)x)[5]++;
#endif
#ifdef TRAPS
  __builtin_trap();
#endif
}
