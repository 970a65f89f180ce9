// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// memcpy, memmove and memset for structs: they are short, and of words where they can be.
#include "runtime/calls.h"

typedef uintptr_t __attribute__((may_alias)) Word;

// From the first to the last, for memory that does not overlap or where `to` is the lower.
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
