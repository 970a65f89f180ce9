// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Choices that were found by measuring, by processor and move, and the file that keeps them:
//
//   x86_64 znver4: 4 bytes to 0, for 1000 dst 4096 src 4, for 1024 dst 4 src 4000: order 0 1 transpose 128 by 4096
//
// and what was measured of a processor itself, which stands for its row of machines.def:
//
//   x86_64 znver4: machine l1 32768 ways 8 l2 1048576 last 33554432 page 4096 pages 3072 near 8192 far 12288 ...
//
// A move is known by its run, its loops in order of destination, and where the first of its bytes lies in a
// line of 64; bytes throughout. What stands for it is the choice of choice.h. `#` starts a comment.
#ifndef CODEGEN_TUNING_H
#define CODEGEN_TUNING_H

#include "codegen/plan/choice.h"

typedef struct TuningEntry {
  const char *cpu;  // "x86_64 znver4"
  const char *move; // "4 bytes to 0, for ..."
  Choice choice;
  int loop_count;
  Span span; // of the line
} TuningEntry;

// What was measured of a processor.
typedef struct TuningRow {
  const char *cpu;
  Processor processor;
  Span span; // of the line
} TuningRow;

// A move that the planner asked for.
typedef struct TunedMove {
  const char *move;
  Nest nest;
  bool is_found;
} TunedMove;

struct Tuning {
  Arena *arena;
  const char *cpu;        // that code is made for
  VEC(TuningEntry) entry; // in order of the text
  VEC(TuningRow) row;     // one a processor
  VEC(TunedMove) asked;   // each once
};

// Reads a whole text, whose spans `diag` knows. False: what is wrong with it was reported.
bool tuning_read(Tuning *tuning, const Source *source, Diag *diag);
// The text of a file.
const char *tuning_text(const Tuning *tuning);
// Keeps the choice for a move of this processor, in place of another.
void tuning_set(Tuning *tuning, const Nest *nest, const Choice *choice);
// The same of what was measured of this processor.
void tuning_set_row(Tuning *tuning, const Processor *processor);
// What was measured of this processor; NULL: nothing.
const Processor *tuning_row(const Tuning *tuning);
// Adds the entries of another that this one has none for.
void tuning_merge(Tuning *tuning, const Tuning *other);
// The choice for a move; NULL where there is none, or a size is not known. It is remembered that it was asked
// for. `tuning` may be NULL.
const Choice *tuning_find(Tuning *tuning, const Nest *nest);

// "order 0 1 transpose 128 by 4096 packed streamed", of a nest of so many loops.
const char *choice_text(Arena *arena, const Choice *choice, int loop_count);

#endif
