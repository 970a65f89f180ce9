// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Innermost loops as pieces of the result that are permuted from a few vectors of the source.
//
//   u8[8, 8] transposed     one piece of 64 bytes: a load, a permutation with constant indices, a store
//   f32[N, 112], x[:, ::2]  a row is 224 bytes of the result, from 444 bytes of the source: 7 vectors of 64 bytes are
//                           loaded, and each of the 4 vectors that are stored combines two of them
//   f32[N], x[::2]          the loop is split: 128 bytes of the source, the last 4 unread, give 64 of the result
//   f32[N, 112], x[::2, ::2]   the loop over rows is split too: two rows of 224 bytes are 7 vectors
//
// The last vector of a piece ends where the piece does, on both sides, so nothing outside is read or written.
#ifndef CODEGEN_SHUFFLE_H
#define CODEGEN_SHUFFLE_H

#include "codegen/plan/strategy.h"

enum { MOST_SHUFFLE_BYTES = 512, MOST_SHUFFLE_VECTORS = 64 };

typedef struct NestShuffle {
  int depth;     // loops from here on are a piece,
  bool is_split; // or that many iterations of this one, the innermost:
  int64_t count; // else 0
  int64_t bytes; // of the result
  int64_t first,
      span; // of the source: first byte, relative to the position of the loops, and bytes
  int64_t result, source; // bytes of a vector of each side
  int64_t grain;          // bytes that stay adjacent
  int source_count;       // vectors of the source
  int64_t instructions;   // loads, stores and shuffles of a piece
  bool
      streams; // non-temporal stores if the result is large (NestLines.past): known sizes keep vectors aligned
} NestShuffle;

// Bytes of the widest vector that the planes of a weave fill; 0: vectors are not faster.
int64_t nest_weave_bytes(const Nest *nest, const Machine *machine);

// Whether three planes of such elements are woven in rounds that merge pairs of vectors: SSE2 cannot permute bytes
// arbitrarily. Joining planes of two-byte elements one by one is as fast.
bool weaves_in_rounds(const Machine *machine, int64_t element, bool joins);

// The number of shuffles that weave vectors of `count` such elements, one of each plane.
int64_t weave_shuffles(const Machine *machine, int64_t planes, int64_t count, int64_t element,
                       bool joins);

// Whether a weave joins planes to pixels; else it splits pixels into planes.
bool nest_joins(const Nest *nest);

// False: the loops do not form such a piece, or it is not faster on this machine.
bool nest_shuffle(const Nest *nest, const Machine *machine, NestShuffle *shuffle);

// Bytes of the widest vector in which elements of `grain` bytes can be permuted arbitrarily; 0: there is none.
int64_t shuffle_widest(const Machine *machine, int64_t grain);
// The number of instructions that gather elements of this many vectors into one: with arbitrary permutations, from two
// vectors at a time; or first within 16-byte lanes, which are then combined.
int64_t shuffles_of(int sources, const Machine *machine, int64_t grain, int64_t bytes);
// Whether the loops outside loop `depth` step by whole vectors in the result, from an aligned offset. True for strides
// and offsets that depend on sizes.
bool shuffle_is_even(const Nest *nest, int depth, int64_t vector);
// The source byte of byte `at` of the result, relative to `first`.
int64_t shuffle_source(const Nest *nest, const NestShuffle *shuffle, int64_t at);
// The start of vector `i` of a side of this many bytes.
int64_t shuffle_begin(int64_t bytes, int64_t vector, int i);
// The vector of the source that contains byte `src`.
int shuffle_vector(const NestShuffle *shuffle, int64_t src);

#endif
