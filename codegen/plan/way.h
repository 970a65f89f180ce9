// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In which way a nest is carried out on a target. Emitters dispatch on it, and --dump=plan and pictures show it, so
// what is shown is what is emitted.
//
//   {1024, dst 4, src 4000} inside {1000, dst 4096, src 4}, run 4
//
//     x86-64    tiles: blocks of the matrix are transposed in vector registers
//     thumbv7em walk: two pointers step through both loops, a word at a time
#ifndef CODEGEN_WAY_H
#define CODEGEN_WAY_H

#include "codegen/plan/plan.h"

// What decides it, of a target.
typedef struct Machine {
  const char *
      level; // the level of x86-64 that functions are made for, "x86-64-v3"; NULL: the target itself
  int vector;          // bytes of the widest vector that is shuffled at once; 0: none
  int shuffled;        // bytes of the shortest elements that vectors are shuffled by in any pattern
  bool shuffles_lanes; // vectors of 16 bytes are shuffled by any pattern of bytes
  bool streams;        // there are stores past the cache, and a fence
  bool walks;          // there are no vectors, so pointers step through all loops
  bool vectorises;     // LLVM makes vectors of loops around elements
  int word;            // bytes of a register
  int unaligned;       // bytes of the widest load and store that take any address; 1: bytes alone
  bool small;          // size counts more than speed,
  bool smallest;       // and more than anything
  bool library;        // the program has memcpy and memset
} Machine;

typedef enum NestWay {
  WAY_ELEMENTS, // loops around load, functions of elements, store
  WAY_WALK,     // one pointer a side steps through all loops
  WAY_STREAM, // stores past the cache, where the result is large and aligned; else as nest_way_inside says
  WAY_WEAVE, // the two innermost loops are planes that vectors interleave, or take apart
  WAY_TILES, // the two innermost loops are a matrix that is transposed in registers, Nest.tile says how
  WAY_RUNS // loops around copies of contiguous bytes
} NestWay;

// `is_part`: of a task, which does some of the nest's indexes.
// Elements of less than a byte that share one, where a nest goes through them in whole bytes on their side, from or to
// elements of bytes on the other. Else 0.
//
//   i4[2048] cast to i8    2: {2048, dst 1, src 1} is walked as 1024 bytes, each to two elements
int64_t nest_group(const Nest *nest);

NestWay nest_way(const Plan *plan, const Nest *nest, const Machine *machine, bool is_part);
// Of a nest whose loops stand as they are: WEAVE, TILES or RUNS.
NestWay nest_way_inside(const Nest *nest, const Machine *machine);

// How a run is copied or filled where there are no vectors.
//
//   i8[49, 40], a row of 40 bytes    Cortex-M4 -O2   words, at any address
//                                    Cortex-M4 -Os   a call: one routine for all runs of the object
//                                    Cortex-M0       the same, which moves words where both sides have the same rest
typedef enum RunWay {
  RUN_UNITS,  // Nest.unit bytes at a time: every address is a multiple of that
  RUN_WORDS,  // words, the last of which may overlap the one before it
  RUN_CALL,   // by the routine of the object
  RUN_LIBRARY // by memcpy or memset of the program
} RunWay;

RunWay nest_run_way(const Plan *plan, const Nest *nest, const Machine *machine);
// Bytes after which the constant of a nest repeats, 1 where all are equal; of a source that is read, 1.
int nest_fill_period(const Plan *plan, const Nest *nest);
// Bytes that its loads and stores take at once; of UNITS and WORDS.
int64_t nest_run_piece(const Plan *plan, const Nest *nest, const Machine *machine);

// Bytes of the widest vector that the planes of a weave fill; 0: there is none that is worth it.
int64_t nest_weave_bytes(const Nest *nest, const Machine *machine);

// --dump=plan: stable text. The first machine is the target, the others are the levels of x86-64 that functions are made
// for beside.
void plan_print(const Plan *plan, const Machine *machine, int machine_count, FILE *out);

// Whether a plan has so many nests that their loops are kept small.
bool plan_is_thrifty(const Plan *plan);

#endif
