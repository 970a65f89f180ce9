// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way in which a target executes a nest. Emitters dispatch on it, and --dump=plan and pictures show it, so these
// match the emitted code.
//
//   {1024, dst 4, src 4000} inside {1000, dst 4096, src 4}, run 4
//
//     x86-64    tiles: blocks of the matrix are transposed in vector registers
//     thumbv7em walk: two pointers step through both loops, a word at a time
#ifndef CODEGEN_WAY_H
#define CODEGEN_WAY_H

#include "codegen/element/machine.h"
#include "codegen/plan/plan.h"

// The properties of a target that determine the way.
typedef struct Machine {
  const char *level;   // the x86-64 level of the functions, "x86-64-v3"; NULL: the target itself
  int vector;          // bytes of the widest vector that one instruction shuffles; 0: none
  int shuffled;        // bytes of the shortest elements that can be permuted arbitrarily
  bool shuffles_lanes; // bytes of 16-byte vectors can be permuted arbitrarily
  bool streams;        // there are non-temporal stores, and a fence
  bool walks;          // no vectors: pointers step through all loops
  bool vectorizes;     // LLVM vectorizes loops around elements
  int word;            // bytes of a register
  int unaligned;       // bytes of the widest load and store without alignment; 1: only bytes
  bool small;          // -Os: size counts more than speed
  bool smallest;       // -Oz: size counts more than anything
  bool library;        // the program has memcpy and memset
  ElementMachine element;
} Machine;

typedef enum NestStrategy {
  STRATEGY_ELEMENTS, // loops around load, element-wise functions, store
  STRATEGY_VECTORS,  // the same with vectors, for packed elements and table lookups
  STRATEGY_WALK,     // one pointer per side steps through all loops
  STRATEGY_STREAM, // non-temporal stores if the result is large and aligned; otherwise nest_strategy_inside
  STRATEGY_WEAVE, // the two innermost loops are planes that vectors interleave or deinterleave
  STRATEGY_TILES, // the innermost loops are transposed in registers, by Nest.tiles and its TileForm
  STRATEGY_TILED, // the same by NestElements.tiled: element-wise functions are applied to the vectors
  STRATEGY_SHUFFLE, // the innermost loops permute a few vectors of the source (shuffle.h)
  STRATEGY_ZIP,     // merged with nests that fill its gaps, in whole vectors of the result (zip.h)
  STRATEGY_PARTS, // the innermost loop copies as many bytes as each lookup finds contiguous (nest_is_in_parts)
  STRATEGY_RUNS // loops around copies of contiguous bytes
} NestStrategy;

// The number of packed elements per byte if a nest steps through them in whole bytes, with elements of bytes on the
// other side. Else 0.
//
//   i4[2048] cast to i8    2: {2048, dst 1, src 1} is walked as 1024 bytes, each to two elements
int64_t nest_group(const Nest *nest);
// Whether all elements of a byte are moved in one iteration. Small code moves more than two of them one by one.
bool nest_is_grouped(const Nest *nest, bool is_small);

// How many elements a vector of STRATEGY_VECTORS has.
int64_t nest_vector_elements(const Nest *nest, const Machine *machine);

// `part`: the loop of which a task executes some iterations.
enum { WHOLE_NEST = -1 };
NestStrategy nest_strategy(const Plan *plan, const Nest *nest, const Machine *machine, int part);
// The strategy of a nest's loops without non-temporal stores: WEAVE, TILES, SHUFFLE or RUNS.
NestStrategy nest_strategy_inside(const Nest *nest, const Machine *machine);

// How a run is copied or filled without vectors:
//
//   i8[49, 40], a row of 40 bytes    Cortex-M4 -O2   words, at any address
//                                    Cortex-M4 -Os   a call: one routine for all runs of the object
//                                    Cortex-M0       a call, which moves words if addresses are equal modulo 4
typedef enum RunStrategy {
  RUN_UNITS,  // Nest.unit bytes at a time; every address is a multiple of it
  RUN_WORDS,  // words; the last may overlap the one before it
  RUN_CALL,   // by the routine of the object
  RUN_LIBRARY // by memcpy or memset of the program
} RunStrategy;

RunStrategy nest_run_strategy(const Plan *plan, const Nest *nest, const Machine *machine);
// Bytes after which the constant of a nest repeats: 1 if all are equal, or if the nest reads a source.
int nest_fill_period(const Plan *plan, const Nest *nest);
// Bytes of one load or store, for UNITS and WORDS.
int64_t nest_run_piece(const Plan *plan, const Nest *nest, const Machine *machine);

// --dump=plan: stable text. The first machine is the target; the others are the x86-64 levels of --multiversion.
void plan_print(const Plan *plan, const Machine *machine, int machine_count, FILE *out);

// Whether a plan has so many nests that they are compiled for size.
bool plan_optimizes_size(const Plan *plan);

#endif
