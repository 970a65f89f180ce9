// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Innermost loops as pieces of the result whose bytes come from a few vectors of the source.
//
//   u8[8, 8] transposed     one piece of 64 bytes: a load, a permutation with constant indexes, a store
//   f32[N, 112], x[:, ::2]  a row is 224 bytes of the result, from 444 bytes of the source: 7 vectors of 64 bytes are
//                           loaded, each two of them give one of 4 vectors that are stored
//   f32[N], x[::2]          the loop is cut: 128 bytes of the source, the last 4 unread, give 64 of the result
//   f32[N, 112], x[::2, ::2]   so is that over rows, by two of 224 bytes, which are 7 vectors
//
// The last vector of a piece ends where the piece does, on both sides, so nothing past the ends is read or written.
#ifndef CODEGEN_SHUFFLE_H
#define CODEGEN_SHUFFLE_H

#include "codegen/plan/way.h"

enum { MOST_SHUFFLE_BYTES = 512, MOST_SHUFFLE_VECTORS = 64 };

typedef struct NestShuffle {
  int depth;     // loops from here on are a piece,
  bool is_cut;   // or that many iterations of this one, the innermost:
  int64_t count; // else 0
  int64_t bytes; // of the result
  int64_t first,
      span; // of the source: the first byte, relative to the position of the loops, and their number
  int64_t result, source; // bytes of a vector of each side
  int64_t grain;          // bytes that are always moved together
  int source_count;       // vectors of the source
  bool streams;           // large, and all of its vectors begin at multiples of themselves
} NestShuffle;

// Bytes of the widest vector that the planes of a weave fill; 0: no vector is worth it.
int64_t nest_weave_bytes(const Nest *nest, const Machine *machine);

// False: the loops are no such piece, or it does not pay on the machine.
bool nest_shuffle(const Nest *nest, const Machine *machine, NestShuffle *shuffle);

// Bytes of the vectors in which elements of `grain` bytes can be placed anywhere; 0: there are none.
int64_t shuffle_widest(const Machine *machine, int64_t grain);
// Instructions that place elements of so many vectors in one: in any pattern, of two vectors at a time; or within
// lanes of 16 bytes, and then those together.
int64_t shuffles_of(int sources, const Machine *machine, int64_t grain, int64_t bytes);
// Whether steps of a nest outside of loop `depth` lead from vectors to vectors.
bool shuffle_is_even(const Nest *nest, int depth, int64_t vector);
// Where the byte of the result at `at` is, relative to `first`.
int64_t shuffle_source(const Nest *nest, const NestShuffle *shuffle, int64_t at);
// The start of vector `i` of a side of so many bytes.
int64_t shuffle_begin(int64_t bytes, int64_t vector, int i);
// The vector of the source that a byte of it is taken from.
int shuffle_vector(const NestShuffle *shuffle, int64_t src);

#endif
