// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs each kernel with two buffers and with one, and expects the same bytes.
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

#define TRY_OPEN(name, bytes, ...)                                                                 \
  do {                                                                                             \
    prepare();                                                                                     \
    wrong += name(__VA_ARGS__, (void *)in.byte, (void *)out.byte) != RSH_ok;                       \
    wrong += name(__VA_ARGS__, (void *)one.byte, (void *)one.byte) != RSH_ok;                      \
    wrong += differ(#name, (size_t)(bytes));                                                       \
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
  TRY(names, NAMES_Y_BYTES);
  TRY(turned_names, TURNED_NAMES_Y_BYTES);
  TRY(powers, POWERS_Y_BYTES);
  TRY(split, SPLIT_Y_BYTES);
  TRY(same, SAME_Y_BYTES);
  TRY(rolled, ROLLED_Y_BYTES);
  TRY(rolled_rows, ROLLED_ROWS_Y_BYTES);
  TRY(rolled_by_one, ROLLED_BY_ONE_Y_BYTES);
  for (int64_t n = 0; n < 8; n++)
    for (int64_t m = 0; m < 5; m++) {
      TRY_OPEN(open_square, OPEN_SQUARE_Y_BYTES(n), n);
      TRY_OPEN(open_planes, OPEN_PLANES_Y_BYTES(n, m), n, m);
      TRY_OPEN(open_heads, OPEN_HEADS_Y_BYTES(m, n), m, n);
      TRY_OPEN(open_pieces, OPEN_PIECES_Y_BYTES(n, m, 3), n, m, 3);
      TRY_OPEN(open_ring, OPEN_RING_Y_BYTES(n), n);
      TRY_OPEN(open_rolled, OPEN_ROLLED_Y_BYTES(n, m), n, m);
      TRY_OPEN(open_names, OPEN_NAMES_Y_BYTES(n, m), n, m);
      TRY_OPEN(open_turned, OPEN_TURNED_Y_BYTES(n, m), n, m);
      TRY_OPEN(open_blocks, OPEN_BLOCKS_Y_BYTES(n, 4 * m), n, 4 * m);
    }
  prepare();
  wrong += any(5, (void *)in.byte, (void *)out.byte) != RSH_ok;
  wrong += any(5, (void *)one.byte, (void *)one.byte) != RSH_ok;
  wrong += differ("any", ANY_Y_BYTES(5));
  return wrong;
}
