// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How one move is carried out: everything that the planner decides about a nest, as a value. The cost model
// (schedule.c) makes one of a nest; `reshapec tune` makes many, measures them, and keeps the fastest.
//
//   [1024,1000] of f32 transposed     {1000, dst 4096, src 4} {1024, dst 4, src 4000}
//                                     order 0 1 transpose 128 by 4096
#ifndef CODEGEN_CHOICE_H
#define CODEGEN_CHOICE_H

#include "codegen/plan/plan.h"

typedef enum ChoiceKind {
  CHOICE_COPY,  // loops around runs
  CHOICE_WEAVE, // the two innermost loops interleave a few planes, or take them apart
  CHOICE_TILE,  // the two innermost loops are a transposition in registers, in blocks
  CHOICE_BLOCK  // the innermost loop is cut in blocks, outside of the loop around it
} ChoiceKind;

typedef struct Choice {
  ChoiceKind kind;
  // Loops from the outermost inward, each by its place in order of destination; so many as the nest has.
  int8_t order[RSH_MAX_AXES];
  Tile tile;     // TILE: bytes of a block; else 0
  int8_t around; // TILE: blocks of the last loop go around so many of the loops before it; else 0
  // BLOCK: indexes of a block. TILE: of one of the loop along the source, outside of all; 0: it is not cut. Else 0.
  int64_t block;
  bool streams; // lines of the destination are written past the cache
} Choice;

bool choice_equal(const Choice *a, const Choice *b);

// The loops of a nest as they come, nothing else.
Choice choice_plain(void);
// Whether a nest, in order of destination, can be carried out so.
bool choice_fits(Arena *arena, const Nest *nest, const Choice *choice);
// The nest, or two that together do the same: the second is what is left of a loop that is cut in blocks.
// 0: a number does not fit.
int choice_apply(Arena *arena, rsh_symbols *symbols, const Nest *nest, const Choice *choice,
                 Nest part[2]);

// What the cost model says.
Choice nest_choose(Arena *arena, const Processor *cpu, const Nest *nest);

// The search space: all that is worth a try for a nest whose numbers are known, the cost model's choice first.
const Choice *choice_space(Arena *arena, const Processor *cpu, const Nest *nest, int *count);
// Whether two choices differ in one thing alone.
bool choice_is_near(const Choice *a, const Choice *b);

// A nest with its loops in the order of a choice, and room for one more.
Nest nest_ordered(Arena *arena, const Nest *nest, const Choice *choice);
// Of a nest in the order of its loops: whether the two innermost interleave planes (of any length; where that
// depends on symbols, short ones are found when it runs); are a transposition of
// elements that registers hold, large enough for a lane of them each way (where that depends on symbols it is
// tested when it runs); and whether every line of the destination is written whole, by one run or by tiles next
// to each other (which is tested then too).
bool nest_is_weave(const Nest *ordered);
bool nest_is_tileable(const Nest *ordered);
bool nest_has_whole_lines(const Nest *ordered, bool is_tiled);

#endif
