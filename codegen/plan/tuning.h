// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measured choices, by processor and move, and the file that stores them:
//
//   x86_64 znver4: 4 bytes to 0, for 1000 dst 4096 src 4, for 1024 dst 4 src 4000: order 0 1 transpose 128 by 4096
//
// and the measurements of a processor itself, which replace its row of machines.def:
//
//   x86_64 znver4: machine l1 32768 ways 8 l2 1048576 last 33554432 page 4096 pages 3072 near 8192 far 12288 ...
//
// A move is identified by its run, its loops in order of destination, and the place of its first byte in a line of
// 64; all in bytes. After the second colon comes its choice (choice.h). `#` starts a comment.
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

// The measurements of a processor.
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
  const char *cpu;        // that code is compiled for
  VEC(TuningEntry) entry; // in order of the text
  VEC(TuningRow) row;     // one per processor
  VEC(TunedMove) asked;   // each looked-up move once
};

// Reads a whole text, whose spans `diag` knows. False: an error was reported.
bool tuning_read(Tuning *tuning, const Source *source, Diag *diag);
// The text of a file.
const char *tuning_text(const Tuning *tuning);
// Sets the choice for a move on this processor.
void tuning_set(Tuning *tuning, const Nest *nest, const Choice *choice);
// Sets the measurements of this processor.
void tuning_set_row(Tuning *tuning, const Processor *processor);
// The measurements of this processor; NULL: none.
const Processor *tuning_row(const Tuning *tuning);
// Adds the entries of `other` that `tuning` lacks.
void tuning_merge(Tuning *tuning, const Tuning *other);
// The choice for a move; NULL: there is none, or a size is unknown. Records the lookup in `asked`. `tuning` may be
// NULL.
const Choice *tuning_find(Tuning *tuning, const Nest *nest);

// "order 0 1 transpose 128 by 4096 packed streamed", for a nest of this many loops.
const char *choice_text(Arena *arena, const Choice *choice, int loop_count);

#endif
