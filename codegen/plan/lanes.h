// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fields of many turns at once. Each 16 bytes of a vector, a lane, hold one word of each of several turns; words are as
// wide as the wider elements, and smaller elements share one.
//
//   u16 as bits, 5, 6 and 5 of them to u8    {N, dst 3, src 2}
//
//     loaded     16 bytes, the words of 8 turns
//     computed   8 words r | g << 8, and 8 words b: by shifts, masks and ors of all words
//     stored     24 bytes, shuffled out of both: r g b r g b ...
#ifndef CODEGEN_LANES_H
#define CODEGEN_LANES_H

#include "codegen/plan/way.h"

enum { LANE_BYTES = 16, MOST_LANE_BLOCKS = 16, MOST_LANE_WORDS = 64, MOST_LANE_TERMS = 192 };

// Bytes of each turn that are contiguous, and contiguous with those of the next turn, or nearly.
typedef struct LaneBlock {
  int64_t first, bytes; // from where the turn is
  int word;             // the number of its first word
} LaneBlock;

// Bits of word number `from` of the sources, shifted to the left (below 0: right), that go to word number `to`.
typedef struct LaneTerm {
  int from, to, shift;
  uint64_t mask; // of the bits that stay, after the shift
} LaneTerm;

typedef struct FieldLanes {
  int count, turns; // lanes of a vector, and turns of a lane
  int bits;         // of a word
  int64_t src, dst; // from turn to turn, in bytes
  LaneBlock source[MOST_LANE_BLOCKS], result[MOST_LANE_BLOCKS];
  int source_count, result_count, source_words, result_words;
  LaneTerm term[MOST_LANE_TERMS]; // in order of `to`
  int term_count;
  uint64_t constant[MOST_LANE_WORDS]; // of words of the result
} FieldLanes;

// Whether the innermost loop of a nest of fields is done so.
bool nest_lanes(const Nest *nest, const Machine *machine, FieldLanes *lanes);

// Where a block of `turns` turns begins, from where the first turn is, and how many bytes it has.
int64_t lane_block_begin(const LaneBlock *block, int64_t stride, int turns);
int64_t lane_block_bytes(const LaneBlock *block, int64_t stride, int turns);

// A word without bits above those that it has.
uint64_t lane_word(const FieldLanes *lanes);
// Those bits of a word of the source that may be set, and those of a word of the result that are stored.
uint64_t lane_word_filled(const FieldLanes *lanes, int word);
uint64_t lane_word_stored(const FieldLanes *lanes, int word);

#endif
