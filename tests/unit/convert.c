// RUN: %{cc} %{cflags} %s -o %t %{libs} && %{python} %S/Inputs/convert.py %t %{step}
//
// rsh_convert between all types, compared with numpy and ml_dtypes: every element of up to 16 bits, hundreds of
// thousands of longer ones. And the refusals.
#include "runtime/convert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                              \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

static void expect_double(double value, rsh_dtype type, uint64_t want) {
  uint8_t bits[16];
  uint64_t have = 0;
  EXPECT(rsh_element_from_double(value, type, bits));
  memcpy(&have, bits, sizeof have);
  if (have != want)
    fprintf(stderr, "%g as %s: %llx\n", value, rsh_dtype_name(type), (unsigned long long)have);
  EXPECT(have == want);
}

// Little-endian hosts, like the .npy tests.
static void check_literals(void) {
  uint8_t bits[16];
  expect_double(1, RSH_F32, 0x3f800000);
  expect_double(-1.5, RSH_F64, 0xbff8000000000000);
  expect_double(0.1, RSH_F16, 0x2e66);
  expect_double(1e9, RSH_F8E4M3FN, 0x7e);
  expect_double(2, RSH_C64, 0x40000000);
  expect_double(-3, RSH_I8, 0xfd);
  expect_double(-2, RSH_I4, 0xe);
  expect_double(1, RSH_BOOL, 1);
  expect_double(-0.0, RSH_I16, 0);
  expect_double(18446744073709549568.0, RSH_U64, 0xfffffffffffff800);
  EXPECT(!rsh_element_from_double(1.5, RSH_I32, bits));
  EXPECT(!rsh_element_from_double(300, RSH_U8, bits));
  EXPECT(!rsh_element_from_double(-1, RSH_U64, bits));
  EXPECT(!rsh_element_from_double(18446744073709551616.0, RSH_U64, bits));
  EXPECT(!rsh_element_from_double(2, RSH_BOOL, bits));
  EXPECT(!rsh_element_from_double(8, RSH_I4, bits));
  EXPECT(!rsh_element_from_double(0, RSH_STRING, bits));
  EXPECT(rsh_element_from_int(INT64_MIN, RSH_I64, bits) && bits[7] == 0x80 && bits[8] == 0);
  EXPECT(rsh_element_from_int(INT64_MAX, RSH_I64, bits) && bits[0] == 0xff && bits[7] == 0x7f);
  EXPECT(!rsh_element_from_int(INT64_MAX, RSH_I32, bits));
  EXPECT(!rsh_element_from_int(-1, RSH_U64, bits));
  EXPECT(rsh_element_from_int(-1, RSH_BF16, bits) && bits[0] == 0x80 && bits[1] == 0xbf);
}

static void check_types(void) {
  const rsh_cast_rule rule = {true, RSH_ROUND_UP};
  uint64_t from[2] = {1, 2}, to[2] = {0, 0};
  for (int a = 0; a < RSH_DTYPE_COUNT; a++)
    for (int b = 0; b < RSH_DTYPE_COUNT; b++) {
      bool is_other = a == RSH_STRING || a == RSH_C64 || a == RSH_C128 || b == RSH_STRING ||
                      b == RSH_C64 || b == RSH_C128;
      EXPECT(rsh_is_convertible((rsh_dtype)a, (rsh_dtype)b) == (!is_other || a == b));
      bool works = !is_other || (a == b && a != RSH_STRING);
      EXPECT(rsh_convert(from, (rsh_dtype)a, to, (rsh_dtype)b, rule) ==
             (works ? RSH_ok : RSH_bad_type));
    }
  EXPECT(rsh_convert(from, RSH_C128, to, RSH_C128, rule) == RSH_ok && to[0] == 1 && to[1] == 2);
}

// convert FROM TO SATURATE ROUND: elements from standard input to standard output.
int main(int argc, char **argv) {
  if (argc == 1) {
    check_literals();
    check_types();
    return 0;
  }
  rsh_dtype from = rsh_dtype_find(argv[1], strlen(argv[1]));
  rsh_dtype to = rsh_dtype_find(argv[2], strlen(argv[2]));
  rsh_cast_rule rule = {atoi(argv[3]) != 0, (rsh_round)atoi(argv[4])};
  size_t in = ((size_t)rsh_dtype_bits(from) + 7) / 8, out = ((size_t)rsh_dtype_bits(to) + 7) / 8;
  uint64_t a = 0, b = 0;
  while (fread(&a, in, 1, stdin) == 1) {
    EXPECT(rsh_convert(&a, from, &b, to, rule) == RSH_ok);
    EXPECT(fwrite(&b, out, 1, stdout) == 1);
  }
  return 0;
}
