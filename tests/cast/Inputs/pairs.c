// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a compiled cast of each pair of types on all elements of up to 16 bits, or on 65536 others, and
// compares with rsh_convert: NAME, and native_NAME, which is for this machine.
#include "pairs.h"
#include "runtime/convert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 65536 };

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
  int e = exponents[any % 18] + (int)(any >> 8 & 1);
  int mantissa = type == RSH_F32 ? 23 : 52, bias = type == RSH_F32 ? 127 : 1023;
  uint64_t exponent = (uint64_t)(bias + (any >> 9 & 1 ? e : -e - (int)(any >> 10 & 31)));
  uint64_t fraction = next_random() & next_random() & next_random(); // few bits: ties
  fraction = i % 4 == 1 ? fraction << 40 >> (64 - mantissa) : fraction >> (64 - mantissa);
  if (type == RSH_F32)
    return (exponent & 255) << 23 | fraction | any >> 63 << 31;
  return (exponent & 2047) << 52 | fraction | any >> 63 << 63;
}

static uint64_t get(const uint8_t *data, int64_t i, int bits) {
  uint64_t value = 0;
  if (bits >= 8)
    memcpy(&value, data + i * (bits / 8), (size_t)bits / 8);
  else
    value = data[i * bits / 8] >> (i * bits % 8) & ((1 << bits) - 1);
  return value;
}

static void put(uint8_t *data, int64_t i, int bits, uint64_t value) {
  if (bits >= 8)
    memcpy(data + i * (bits / 8), &value, (size_t)bits / 8);
  else
    data[i * bits / 8] = (uint8_t)((data[i * bits / 8] & ~(((1 << bits) - 1) << (i * bits % 8))) |
                                   (int)(value & ((1u << bits) - 1)) << (i * bits % 8));
}

typedef struct Pair {
  const char *from, *to;
  rsh_cast_rule rule;
} Pair;

static rsh_dtype dtype_of(const char *name) { return rsh_dtype_find(name, strlen(name)); }

// What rsh_convert makes of each element; of those of a byte or less it is asked once a value.
static void convert_all(const Pair *p, const uint8_t *x, uint64_t *want) {
  rsh_dtype from = dtype_of(p->from), to = dtype_of(p->to);
  int first[256], bits = rsh_dtype_bits(from);
  memset(first, -1, sizeof first);
  for (int i = 0; i < COUNT; i++) {
    uint64_t value = get(x, i, bits);
    if (bits <= 8 && first[value] >= 0) {
      want[i] = want[first[value]];
      continue;
    }
    want[i] = rsh_convert_bits(value, from, to, p->rule);
    if (bits <= 8)
      first[value] = i;
  }
}

static int wrong(const Pair *p, const char *name, const uint8_t *x, const uint8_t *y,
                 const uint64_t *all) {
  rsh_dtype from = dtype_of(p->from), to = dtype_of(p->to);
  for (int i = 0; i < COUNT; i++) {
    uint64_t bits = get(x, i, rsh_dtype_bits(from)), have = get(y, i, rsh_dtype_bits(to));
    uint64_t want = all[i];
    if (have == want)
      continue;
    printf("%s: ", name);
    printf("%s to %s, saturate %d, round %d: %llx gives %llx, not %llx\n", p->from, p->to,
           p->rule.saturate, (int)p->rule.round, (unsigned long long)bits, (unsigned long long)have,
           (unsigned long long)want);
    return 1;
  }
  return 0;
}

static void fill(const char *type, uint8_t *x) {
  rsh_dtype dtype = dtype_of(type);
  int bits = rsh_dtype_bits(dtype);
  for (int i = 0; i < COUNT; i++)
    put(x, i, bits, dtype == RSH_BOOL ? (uint64_t)(i & 1) : sample(i, bits, dtype));
}

int main(void) {
  void *x = calloc(COUNT, 8), *y = calloc(COUNT, 8);
  uint64_t *want = calloc(COUNT, sizeof *want);
  int bad = 0, count = 0;
#define PAIR(name, from, to, saturate, round)                                                      \
  {                                                                                                \
    const Pair pair = {from, to, {saturate, (rsh_round)round}};                                    \
    fill(from, x);                                                                                 \
    convert_all(&pair, x, want);                                                                   \
    memset(y, 0xa5, COUNT * 8);                                                                    \
    name(x, y);                                                                                    \
    bad += wrong(&pair, #name, x, y, want);                                                        \
    extern void native_##name(const void *, void *);                                               \
    memset(y, 0xa5, COUNT * 8);                                                                    \
    native_##name(x, y);                                                                           \
    bad += wrong(&pair, "native_" #name, x, y, want);                                              \
    count++;                                                                                       \
  }
#include "pairs.def"
  printf("%d pairs\n", count);
  free(x);
  free(y);
  free(want);
  return bad != 0;
}
