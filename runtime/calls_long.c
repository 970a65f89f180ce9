// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic for machines without such instructions: 64-bit divisions on 32-bit machines, and on the smallest ones also
// 32-bit divisions, 64-bit products and shifts. One step per bit is small, and fast enough for computing shapes.
#include "runtime/calls.h"

// `left` is at most the upper bits of n that were taken, so it is below 2^63 before each step.
uint64_t rsh_divide(uint64_t n, uint64_t by, uint64_t *rest) {
  uint64_t left = 0;
  for (int i = 0; i < 64; i++) { // n becomes the quotient from its low end on
    left = left << 1 | n >> 63;
    n <<= 1;
    if (left >= by) {
      left -= by;
      n |= 1;
    }
  }
  *rest = left;
  return n;
}

static uint64_t magnitude(int64_t n) { return n < 0 ? 0 - (uint64_t)n : (uint64_t)n; }

int64_t rsh_divide_signed(int64_t n, int64_t by, int64_t *rest) {
  uint64_t left, quotient = rsh_divide(magnitude(n), magnitude(by), &left);
  *rest = (int64_t)(n < 0 ? 0 - left : left);
  return (int64_t)((n < 0) != (by < 0) ? 0 - quotient : quotient);
}

int64_t rsh_quotient(int64_t n, int64_t by) {
  int64_t rest;
  return rsh_divide_signed(n, by, &rest);
}

int64_t rsh_remainder(int64_t n, int64_t by) {
  int64_t rest;
  rsh_divide_signed(n, by, &rest);
  return rest;
}

uint64_t rsh_quotient_unsigned(uint64_t n, uint64_t by) {
  uint64_t rest;
  return rsh_divide(n, by, &rest);
}

uint64_t rsh_remainder_unsigned(uint64_t n, uint64_t by) {
  uint64_t rest;
  rsh_divide(n, by, &rest);
  return rest;
}

// In halves of 16 bits: all products and sums fit 32 bits.
static uint64_t multiply_words(uint32_t a, uint32_t b) {
  uint32_t low = (a & 0xffff) * (b & 0xffff), high = (a >> 16) * (b >> 16);
  uint32_t one = (a >> 16) * (b & 0xffff) + (low >> 16);
  uint32_t other = (a & 0xffff) * (b >> 16) + (one & 0xffff);
  high += (one >> 16) + (other >> 16);
  return (uint64_t)high << 32 | other << 16 | (low & 0xffff);
}

uint64_t rsh_multiply(uint64_t a, uint64_t b) {
  uint32_t cross = (uint32_t)(a >> 32) * (uint32_t)b + (uint32_t)a * (uint32_t)(b >> 32);
  return multiply_words((uint32_t)a, (uint32_t)b) + ((uint64_t)cross << 32);
}

uint64_t rsh_shift_left(uint64_t n, int32_t by) {
  uint32_t low = (uint32_t)n, high = (uint32_t)(n >> 32);
  if (by == 0)
    return n;
  if (by >= 32)
    return (uint64_t)(low << (by - 32)) << 32;
  return (uint64_t)(high << by | low >> (32 - by)) << 32 | low << by;
}

uint64_t rsh_shift_right(uint64_t n, int32_t by) {
  uint32_t low = (uint32_t)n, high = (uint32_t)(n >> 32);
  if (by == 0)
    return n;
  if (by >= 32)
    return high >> (by - 32);
  return (uint64_t)(high >> by) << 32 | (low >> by | high << (32 - by));
}

// The quotient in the low word, the remainder in the high one.
uint64_t rsh_divide_word(uint32_t n, uint32_t by) {
  uint32_t left = 0;
  for (int i = 0; i < 32; i++) {
    left = left << 1 | n >> 31;
    n <<= 1;
    if (left >= by) {
      left -= by;
      n |= 1;
    }
  }
  return (uint64_t)left << 32 | n;
}

uint64_t rsh_divide_word_signed(int32_t n, int32_t by) {
  uint32_t size = n < 0 ? 0 - (uint32_t)n : (uint32_t)n,
           of = by < 0 ? 0 - (uint32_t)by : (uint32_t)by;
  uint64_t both = rsh_divide_word(size, of);
  uint32_t quotient = (uint32_t)both, left = (uint32_t)(both >> 32);
  quotient = (n < 0) != (by < 0) ? 0 - quotient : quotient;
  return (uint64_t)(n < 0 ? 0 - left : left) << 32 | quotient;
}

#ifdef __arm__
// __aeabi_memclr, and __aeabi_memset, whose arguments are in a different order.
void rsh_memclr(void *to, size_t bytes) { rsh_memset(to, 0, bytes); }
void rsh_memfill(void *to, size_t bytes, int byte) { rsh_memset(to, byte, bytes); }

// Both results, quotient and remainder, in r0 to r3, which no C function can return.
#ifdef __thumb__
#define THUMB_FUNCTION ".thumb_func\n"
#else
#define THUMB_FUNCTION
#endif
#define GIVE_BOTH(name, function)                                                                  \
  __asm__(".syntax unified\n.text\n.p2align 2\n.globl " name "\n.type " name                       \
          ", %function\n" THUMB_FUNCTION name ":\n"                                                \
          "  push {r4, lr}\n"                                                                      \
          "  sub sp, #16\n"                                                                        \
          "  add r4, sp, #8\n"                                                                     \
          "  str r4, [sp]\n" /* address of the remainder: the fifth word */                        \
          "  bl " function "\n"                                                                    \
          "  ldr r2, [sp, #8]\n"                                                                   \
          "  ldr r3, [sp, #12]\n"                                                                  \
          "  add sp, #16\n"                                                                        \
          "  pop {r4, pc}\n")
GIVE_BOTH("rsh_both", "rsh_divide_signed");
GIVE_BOTH("rsh_both_unsigned", "rsh_divide");
#endif
