// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cast of each pair of types, and a checksum of the results: the same on every machine.
#include "../../cast/Inputs/samples.h"
#include "check.h"
#include "runtime/dtype.c"

enum { MOST = 65536 };

static _Alignas(8) unsigned char input[2 * MOST], output[8 * MOST];

// Elements narrower than a byte start at the low bits.
static void put_element(int i, int bits, uint64_t n) {
  if (bits == 64)
    ((uint64_t *)(void *)input)[i] = n;
  else if (bits == 32)
    ((uint32_t *)(void *)input)[i] = (uint32_t)n;
  else if (bits == 16)
    ((uint16_t *)(void *)input)[i] = (uint16_t)n;
  else
    input[i * bits / 8] =
        (unsigned char)(bits == 8 ? n : n * (bits == 4 ? 0x11 : 0x55) + (uint64_t)i);
}

static void fill_elements(const char *name, size_t length, int count) {
  rsh_dtype type = rsh_dtype_find(name, length);
  state = 1;
  for (int i = 0; i < count; i++)
    put_element(i, rsh_dtype_bits(type),
                type == RSH_BOOL ? (uint64_t)(i & 1) : sample(i, rsh_dtype_bits(type), type));
}

static uint64_t sum_of_elements(const char *name, size_t length, int count) {
  int bits = rsh_dtype_bits(rsh_dtype_find(name, length)), width = bits < 8 ? 1 : bits / 8;
  uint64_t sum = UINT64_C(14695981039346656037);
  for (int i = 0; i < count * bits / 8 / width; i++)
    sum = (sum ^ get(output + i * width, (uint32_t)width)) * UINT64_C(1099511628211);
  return sum;
}

int main(void) {
#define PAIR(name, from, to, saturate, round, count)                                               \
  fill_elements(from, sizeof from - 1, count);                                                     \
  name((void *)input, (void *)output);                                                             \
  tell(#name, 0, sum_of_elements(to, sizeof to - 1, count), 1);
#include "pairs.def"
  return 0;
}
