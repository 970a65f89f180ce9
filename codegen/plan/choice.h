// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How one move is executed: everything that the planner decides about a nest, as a value. The cost model
// (schedule.c) makes one choice for a nest; `reshapec tune` makes many, measures them, and keeps the fastest.
//
//   [1024,1000] of f32 transposed     {1000, dst 4096, src 4} {1024, dst 4, src 4000}
//                                     order 0 1 transpose 128 by 4096
#ifndef CODEGEN_CHOICE_H
#define CODEGEN_CHOICE_H

#include "codegen/plan/plan.h"

typedef enum ChoiceKind {
  CHOICE_COPY,  // loops around runs
  CHOICE_WEAVE, // the two innermost loops interleave or deinterleave a few planes
  CHOICE_TILE,  // the innermost loops are a transposition in registers, in blocks (TileForm)
  CHOICE_BLOCK // the innermost loop is split into blocks, and the loop over blocks encloses the next loop
} ChoiceKind;

typedef struct Choice {
  ChoiceKind kind;
  // The loops of the nest, outermost first, as indices into destination order.
  int8_t order[RSH_MAX_AXES];
  Tile tile;     // TILE: bytes of a block; else 0
  int8_t around; // TILE: blocks of the last loop enclose this many of the loops before it; else 0
  // Iterations per block. BLOCK: of the innermost loop. TILE: of the loop along the source, whose blocks enclose all
  // loops; 0: it is not split. Else 0.
  int64_t block;
  bool streams; // lines of the destination are written with non-temporal stores
} Choice;

bool choice_equal(const Choice *a, const Choice *b);

// The loops of a nest in their own order, copied as runs.
Choice choice_plain(void);
// Whether a nest, in order of destination, can be executed this way.
bool choice_fits(Arena *arena, const Nest *nest, const Choice *choice);
// Returns 1 nest, or 2 that are equivalent together: the second is the remainder of a loop that is split into blocks.
// 0: a number overflows.
int choice_apply(Arena *arena, rsh_symbols *symbols, const Nest *nest, const Choice *choice,
                 Nest part[2]);

// The choice of the cost model.
Choice nest_choose(Arena *arena, const Processor *cpu, const Nest *nest);

// The search space: all choices worth trying for a nest whose numbers are known, the cost model's first.
const Choice *choice_space(Arena *arena, const Processor *cpu, const Nest *nest, int *count);
// Whether the search steps from `a` to `b`: they differ in exactly one decision, or `b` has another kind, which is not
// TILE, and streams only if `a` does.
bool choice_is_near(const Choice *a, const Choice *b);

// A nest with its loops in the order of a choice, and room for one more.
Nest nest_ordered(Arena *arena, const Nest *nest, const Choice *choice);
// Whether the two innermost loops interleave or deinterleave planes, of any length: if it depends on symbols, short
// ones are handled at run time.
bool nest_is_weave(const Nest *ordered);
// Whether the innermost loops transpose elements that fit in registers, with at least a lane of them in each
// direction: if that depends on symbols, it is tested at run time.
bool nest_is_tileable(const Nest *ordered);
// The same, and tiles are faster than loops. Padded elements and pixels need a shuffle of bytes, and several in a lane.
bool nest_is_tiled_by(const Processor *cpu, const Nest *ordered);
// The same for tiles in these blocks, whose buffer holds whole lines.
bool nest_has_tiles(const Nest *ordered, const Tile *tile);
// Whether every line of the destination is written in full, by one run or by adjacent tiles: if that depends on
// symbols, it is tested at run time.
bool nest_has_whole_lines(const Nest *ordered, bool is_tiled);

#endif
