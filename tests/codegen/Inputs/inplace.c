// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each kernel in two buffers and in one: the same bytes.
#include "inplace.h"

#include <stdio.h>
#include <string.h>

static union {
  unsigned char byte[(1 << 14) + 1];
  double align;
} in, out, one;

static int differ(const char *name, size_t bytes) {
  int wrong = memcmp(out.byte, one.byte, bytes) != 0 || one.byte[bytes] != in.byte[bytes];
  if (wrong)
    printf("%s in one buffer is not what it is in two\n", name);
  return wrong;
}

static void prepare(void) {
  for (size_t i = 0; i < sizeof in.byte; i++)
    one.byte[i] = in.byte[i] = (unsigned char)((i * 131 + i / 251) & 0x3f);
}

#define TRY(name, bytes)                                                                           \
  do {                                                                                             \
    prepare();                                                                                     \
    name((void *)in.byte, (void *)out.byte);                                                       \
    name((void *)one.byte, (void *)one.byte);                                                      \
    wrong += differ(#name, bytes);                                                                 \
  } while (0)

int main(void) {
  int wrong = 0;
  TRY(square, SQUARE_Y_BYTES);
  TRY(planes, PLANES_Y_BYTES);
  TRY(batched, BATCHED_Y_BYTES);
  TRY(pieces, PIECES_Y_BYTES);
  TRY(backwards, BACKWARDS_Y_BYTES);
  TRY(mirrored, MIRRORED_Y_BYTES);
  TRY(positive, POSITIVE_Y_BYTES);
  TRY(wide, WIDE_Y_BYTES);
  TRY(powers, POWERS_Y_BYTES);
  TRY(split, SPLIT_Y_BYTES);
  TRY(same, SAME_Y_BYTES);
  prepare();
  wrong += any(5, (void *)in.byte, (void *)out.byte) != RSH_ok;
  wrong += any(5, (void *)one.byte, (void *)one.byte) != RSH_ok;
  wrong += differ("any", ANY_Y_BYTES(5));
  return wrong;
}
