// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a compiled cast of each pair of types on all elements of up to 16 bits, or on 65536 others, and compares with
// rsh_convert: NAME, and native_NAME, which is for this machine.
#include "pairs.h"
#include "samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 65536 };

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

// The result of rsh_convert for each element; for elements of up to a byte it is called once per value.
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
  int bad = 0, pairs = 0;
#define PAIR(name, from, to, saturate, round, count)                                               \
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
    pairs++;                                                                                       \
  }
#include "pairs.def"
  printf("%d pairs\n", pairs);
  free(x);
  free(y);
  free(want);
  return bad != 0;
}
