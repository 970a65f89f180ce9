// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %{cc} -std=c11 -O1 -I%{root} %s %{build}/librsh_runtime.a -o %t && %t
//
// The archive's own memcpy, memmove and memset match libc's, at every alignment of both ends and for lengths around
// those of words; surrounding bytes are not touched.
#include <stdio.h>
#include <string.h>

// As declared in runtime/calls.h, which would redirect the calls of this file to them as well.
void *rsh_memcpy(void *to, const void *from, size_t bytes);
void *rsh_memmove(void *to, const void *from, size_t bytes);
void *rsh_memset(void *to, int byte, size_t bytes);

enum { ROOM = 64 };

static int wrong;

static void check(const unsigned char *got, const unsigned char *expected, const char *what,
                  size_t to, size_t from, size_t bytes) {
  if (memcmp(got, expected, ROOM) == 0)
    return;
  printf("%s: %zu bytes from %zu to %zu\n", what, bytes, from, to);
  wrong = 1;
}

static void compare(size_t to, size_t from, size_t bytes) {
  _Alignas(16) unsigned char start[ROOM], got[ROOM], expected[ROOM];
  for (int i = 0; i < ROOM; i++)
    start[i] = (unsigned char)(i + 1);

  memcpy(got, start, ROOM);
  memcpy(expected, start, ROOM);
  wrong |= rsh_memmove(got + to, got + from, bytes) != got + to;
  memmove(expected + to, expected + from, bytes);
  check(got, expected, "memmove", to, from, bytes);

  wrong |= rsh_memcpy(got + to, start + from, bytes) != got + to;
  memcpy(expected + to, start + from, bytes);
  check(got, expected, "memcpy", to, from, bytes);

  wrong |= rsh_memset(got + to, 0x1a5, bytes) != got + to;
  memset(expected + to, 0x1a5, bytes);
  check(got, expected, "memset", to, from, bytes);
}

int main(void) {
  for (size_t to = 0; to < 20; to++)
    for (size_t from = 0; from < 20; from++)
      for (size_t bytes = 0; bytes <= ROOM - 20; bytes++)
        compare(to, from, bytes);
  return wrong;
}
