// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fields of many iterations at once. Each 16-byte lane of a vector holds one word of each of several iterations
// ("turns" in dumps); words are as wide as the wider elements, and narrower elements share one.
//
//   u16 as bits, 5, 6 and 5 of them to u8    {N, dst 3, src 2}
//
//     loaded     16 bytes, the words of 8 iterations
//     computed   8 words r | g << 8, and 8 words b, by shifts, masks and ors
//     stored     24 bytes, shuffled from both: r g b r g b ...
#ifndef CODEGEN_LANES_H
#define CODEGEN_LANES_H

#include "codegen/plan/strategy.h"

enum { LANE_BYTES = 16, MOST_LANE_BLOCKS = 16, MOST_LANE_WORDS = 64, MOST_LANE_TERMS = 192 };

// Contiguous bytes of each iteration, which are also contiguous, or nearly, with the bytes of the next iteration.
typedef struct LaneBlock {
  int64_t first, bytes; // relative to the iteration's position
  int word;             // index of its first word
} LaneBlock;

// Bits of source word `from`, shifted left (below 0: right), that go to result word `to`.
typedef struct LaneTerm {
  int from, to, shift;
  uint64_t mask; // applied after the shift
} LaneTerm;

typedef struct FieldLanes {
  int count, iterations; // lanes per vector, and iterations per lane
  int bits;              // of a word
  int64_t src, dst;      // strides from iteration to iteration, in bytes
  LaneBlock source[MOST_LANE_BLOCKS], result[MOST_LANE_BLOCKS];
  int source_count, result_count, source_words, result_words;
  LaneTerm term[MOST_LANE_TERMS]; // in order of `to`
  int term_count;
  uint64_t constant[MOST_LANE_WORDS]; // of words of the result
} FieldLanes;

// Whether the innermost loop of a nest of fields is executed this way.
bool nest_lanes(const Nest *nest, const Machine *machine, FieldLanes *lanes);

// The start of a block of `iterations` of them, relative to the first iteration, and its number of bytes.
int64_t lane_block_begin(const LaneBlock *block, int64_t stride, int iterations);
int64_t lane_block_bytes(const LaneBlock *block, int64_t stride, int iterations);

// The mask of all bits of a word.
uint64_t lane_word(const FieldLanes *lanes);
// The bits of a source word that may be set, and the bits of a result word that are stored.
uint64_t lane_word_filled(const FieldLanes *lanes, int word);
uint64_t lane_word_stored(const FieldLanes *lanes, int word);

#endif
