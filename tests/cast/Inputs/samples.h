// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements to cast, the same on every machine: all elements of up to 16 bits, a sample of others.
#ifndef SAMPLES_H
#define SAMPLES_H

#include "runtime/convert.h"

static uint64_t state = 1;
static uint64_t next_random(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  uint64_t high = state >> 32;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return high << 32 | state >> 32;
}

// Near the limits of the narrow types, small integers, and any bits.
static uint64_t sample(int i, int bits, rsh_dtype type) {
  static const int exponents[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 31, 32, 63, 64, 126, 127, 128};
  uint64_t any = next_random();
  if (bits <= 16)
    return (uint64_t)i;
  if (i % 4 == 0)
    return any;
  if (type != RSH_F32 && type != RSH_F64)
    return i % 4 == 1 ? (uint64_t)0 - (any >> (i / 4 % 64)) : any >> (i / 4 % 64);
  int e = exponents[(uint32_t)any % 18] + (int)(any >> 8 & 1);
  int mantissa = type == RSH_F32 ? 23 : 52, bias = type == RSH_F32 ? 127 : 1023;
  uint64_t exponent = (uint64_t)(bias + (any >> 9 & 1 ? e : -e - (int)(any >> 10 & 31)));
  uint64_t fraction = next_random() & next_random() & next_random(); // few bits: ties
  fraction = i % 4 == 1 ? fraction << 40 >> (64 - mantissa) : fraction >> (64 - mantissa);
  if (type == RSH_F32)
    return (exponent & 255) << 23 | fraction | any >> 63 << 31;
  return (exponent & 2047) << 52 | fraction | any >> 63 << 63;
}

#endif
