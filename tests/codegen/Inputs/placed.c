// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Producers write inputs straight into their place in a result, which must equal the result with memory for each input.
#include "placed.h"

#include <stdio.h>
#include <string.h>

enum { ROOM = 1024 };

static union {
  unsigned char byte[ROOM];
  double align;
} in[3], out, whole;

static int wrong, calls;

static void prepare(void) {
  for (int k = 0; k < 3; k++)
    for (size_t i = 0; i < ROOM; i++)
      in[k].byte[i] = (unsigned char)(i * 37 + i / 64 + (size_t)k * 101);
  memset(out.byte, 0xee, ROOM);
  memset(whole.byte, 0xee, ROOM);
}

// Copies element [i, j, k] of a row-major tensor `from` to its place.
static void produce(void *place, const void *from, size_t size, int rank, const int64_t *dim,
                    const int64_t *stride) {
  int64_t index[3] = {0};
  for (int64_t n = 0;; n++) {
    int64_t at = 0;
    for (int k = 0; k < rank; k++)
      at += index[k] * stride[k];
    memcpy((char *)place + at * (int64_t)size, (const char *)from + n * (int64_t)size, size);
    int k = rank - 1;
    for (; k >= 0 && ++index[k] == dim[k]; k--)
      index[k] = 0;
    if (k < 0)
      return;
  }
}

#define PRODUCE(NAME, size, place, from, ...)                                                      \
  do {                                                                                             \
    const int64_t dim[] = NAME##_DIMS __VA_ARGS__;                                                 \
    const int64_t stride[] = NAME##_PLACE_STRIDES __VA_ARGS__;                                     \
    produce(place, from, size, NAME##_RANK, dim, stride);                                          \
  } while (0)

static void compare(const char *name) {
  calls++;
  if (memcmp(out.byte, whole.byte, ROOM) == 0)
    return;
  printf("%s is not what it is with memory for each input\n", name);
  wrong++;
}

#define A ((void *)in[0].byte)
#define B ((void *)in[1].byte)
#define C ((void *)in[2].byte)
#define Y ((void *)out.byte)
#define WHOLE ((void *)whole.byte)

static void try_sizes(int64_t b, int64_t s, int64_t t, int64_t u) {
  prepare();
  if (b > 0 && s > 0)
    PRODUCE(APPENDED_A, 2, appended_a(Y), A, (b, s, t, u));
  if (b > 0 && t > 0)
    PRODUCE(APPENDED_B, 2, appended_b(b, s, t, u, Y), B, (b, s, t, u));
  wrong += appended(b, s, t, u, C, Y) != RSH_ok;
  wrong += whole_appended(b, s, t, u, A, B, C, WHOLE) != RSH_ok;
  compare("appended");
}

static void try_tail(int64_t b) {
  prepare();
  PRODUCE(TAILED_X, 8, tailed_x(b, Y), A, );
  wrong += tailed(b, B, Y) != RSH_ok;
  wrong += whole_tailed(b, A, B, WHOLE) != RSH_ok;
  compare("tailed");
}

int main(void) {
  prepare();
  PRODUCE(BESIDE_A, 4, beside_a(Y), A, );
  beside(B, Y), whole_beside(A, B, WHOLE);
  compare("beside");
  prepare();
  PRODUCE(FRAMED_X, 1, framed_x(Y), A, );
  framed(Y), whole_framed(A, WHOLE);
  compare("framed");
  prepare();
  PRODUCE(WOVEN_RE, 8, woven_re(Y), A, );
  woven(B, Y), whole_woven(A, B, WHOLE);
  compare("woven");
  prepare();
  PRODUCE(TURNED_X, 2, turned_x(Y), A, );
  turned(B, Y), whole_turned(A, B, WHOLE);
  compare("turned");
  prepare();
  PRODUCE(MIRRORED_X, 4, mirrored_x(Y), A, );
  mirrored(B, Y), whole_mirrored(A, B, WHOLE);
  compare("mirrored");
  prepare();
  PRODUCE(STORED_X, 1, stored_x(Y), A, );
  stored(B, Y), whole_stored(A, B, WHOLE);
  compare("stored");
  prepare();
  PRODUCE(BOTH_A, 1, both_a(Y), A, );
  PRODUCE(BOTH_B, 1, both_b(Y), B, );
  both(Y), whole_both(A, B, WHOLE);
  compare("both");
  for (int64_t b = 0; b < 3; b++)
    for (int64_t n = 0; n < 8; n++)
      try_sizes(b, n & 1 ? 3 : 0, n & 2 ? 2 : 0, n & 4 ? 4 : 0);
  for (int64_t b = 0; b < 7; b++)
    try_tail(b);
  printf("%d calls, %d wrong\n", calls, wrong);
  return wrong != 0;
}
