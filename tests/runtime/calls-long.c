// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %{cc} %{cflags} -ffreestanding %s %{build}/librsh_runtime.a -o %t && %t
//
// 64- and 32-bit divisions, products and shifts that small machines lack match this machine's, for numbers around
// powers of two and for others.
#include "runtime/calls.h"

#include <stdio.h>

static int wrong;

static void check(uint64_t got, uint64_t expected, const char *what, uint64_t a, uint64_t b) {
  if (got == expected)
    return;
  printf("%s of %llx and %llx: %llx in place of %llx\n", what, (unsigned long long)a,
         (unsigned long long)b, (unsigned long long)got, (unsigned long long)expected);
  wrong = 1;
}

static void compare(uint64_t a, uint64_t b) {
  check(rsh_multiply(a, b), a * b, "product", a, b);
  for (int32_t i = 0; i < 64; i++) {
    check(rsh_shift_left(a, i), a << i, "shift left", a, (uint64_t)i);
    check(rsh_shift_right(a, i), a >> i, "shift right", a, (uint64_t)i);
  }
  if (b == 0)
    return;
  check(rsh_quotient_unsigned(a, b), a / b, "quotient", a, b);
  check(rsh_remainder_unsigned(a, b), a % b, "remainder", a, b);
  if (a != (uint64_t)INT64_MIN || b != UINT64_MAX) {
    check((uint64_t)rsh_quotient((int64_t)a, (int64_t)b), (uint64_t)((int64_t)a / (int64_t)b),
          "signed", a, b);
    check((uint64_t)rsh_remainder((int64_t)a, (int64_t)b), (uint64_t)((int64_t)a % (int64_t)b),
          "rest", a, b);
  }
  uint32_t n = (uint32_t)a, by = (uint32_t)b;
  if (by == 0)
    return;
  check(rsh_divide_word(n, by), (uint64_t)(n % by) << 32 | n / by, "word", n, by);
  if (n != (uint32_t)INT32_MIN || by != UINT32_MAX)
    check(rsh_divide_word_signed((int32_t)n, (int32_t)by),
          (uint64_t)(uint32_t)((int32_t)n % (int32_t)by) << 32 |
              (uint32_t)((int32_t)n / (int32_t)by),
          "signed word", n, by);
}

int main(void) {
  uint64_t number[400], random = 1;
  int count = 0;
  for (int bit = 0; bit < 64; bit++)
    for (int64_t beside = -1; beside <= 1; beside++)
      number[count++] = (UINT64_C(1) << bit) + (uint64_t)beside;
  while (count < 400) {
    random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
    number[count++] = random >> random % 61;
  }
  for (int i = 0; i < count; i++)
    for (int k = 0; k < count; k++)
      compare(number[i], number[k]);
  return wrong;
}
