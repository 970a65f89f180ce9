// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// memcpy, memmove and memset for structs: small, and in words if aligned.
#include "runtime/calls.h"

typedef uintptr_t __attribute__((may_alias)) Word;

// Copies from the first byte to the last, for memory that does not overlap or if `to` is lower.
static void copy_up(unsigned char *to, const unsigned char *from, size_t bytes) {
  if (((uintptr_t)to | (uintptr_t)from) % sizeof(Word) == 0)
    for (; bytes >= sizeof(Word); bytes -= sizeof(Word)) {
      *(Word *)to = *(const Word *)from;
      to += sizeof(Word);
      from += sizeof(Word);
    }
  for (; bytes > 0; bytes--)
    *to++ = *from++;
}

void *rsh_memcpy(void *to, const void *from, size_t bytes) {
  copy_up(to, from, bytes);
  return to;
}

void *rsh_memmove(void *to, const void *from, size_t bytes) {
  if ((uintptr_t)to <= (uintptr_t)from) {
    copy_up(to, from, bytes);
    return to;
  }
  while (bytes-- > 0)
    ((unsigned char *)to)[bytes] = ((const unsigned char *)from)[bytes];
  return to;
}

void *rsh_memset(void *to, int byte, size_t bytes) {
  unsigned char *at = to;
  for (; (uintptr_t)at % sizeof(Word) != 0 && bytes > 0; bytes--)
    *at++ = (unsigned char)byte;
  for (; bytes >= sizeof(Word); bytes -= sizeof(Word)) {
    *(Word *)at = UINTPTR_MAX / 255 * (unsigned char)byte;
    at += sizeof(Word);
  }
  for (; bytes > 0; bytes--)
    *at++ = (unsigned char)byte;
  return to;
}

#ifdef __wasm__
__attribute__((weak, alias("rsh_memcpy"))) void *memcpy(void *to, const void *from, size_t bytes);
__attribute__((weak, alias("rsh_memmove"))) void *memmove(void *to, const void *from, size_t bytes);
__attribute__((weak, alias("rsh_memset"))) void *memset(void *to, int byte, size_t bytes);

// For 64-bit products with an overflow check: the low words are multiplied in halves of 32 bits.
__attribute__((weak)) Wide __multi3(Wide a, Wide b) {
  uint64_t x = (uint64_t)a, y = (uint64_t)b, x0 = (uint32_t)x, x1 = x >> 32, y0 = (uint32_t)y,
           y1 = y >> 32;
  uint64_t low = x0 * y0, middle = x1 * y0 + (low >> 32), other = x0 * y1 + (uint32_t)middle;
  uint64_t high = x1 * y1 + (middle >> 32) + (other >> 32);
  high += x * (uint64_t)(b >> 64) + (uint64_t)(a >> 64) * y;
  return (Wide)high << 64 | (other << 32 | (uint32_t)low);
}
#endif
