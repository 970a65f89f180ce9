// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the cost model expects of a nest on the processor of its plan.
//
//   u8[64, 64] transposed, Zen 4     reads 4096 bytes, writes as many, in L1; for each KiB 224 instructions, in the time
//                                    of 140 of which memcpy copies it: 0.62 of its speed, and shuffles are the limit
#ifndef CODEGEN_COST_H
#define CODEGEN_COST_H

#include "codegen/plan/way.h"

// The smallest level of memory that holds the bytes of both sides.
typedef enum CostLevel {
  COST_L1,
  COST_L2,
  COST_LAST, // cache
  COST_MEMORY,
  COST_OPEN // unknown: it depends on sizes, or the bytes are not counted
} CostLevel;

const char *cost_level_name(CostLevel level); // "L1" "L2" "last" "memory" "open"

typedef struct Cost {
  bool is_counted;       // false: a number of bytes overflows
  rsh_num read, written; // bytes; an element that is repeated is read once
  CostLevel level;
  const char *limit; // the bottleneck, as text for people
  // The speed as percent of that of memcpy of as many bytes as the larger side has. 0: unknown, since it depends on
  // sizes, or on what LLVM makes of functions of elements.
  int64_t speed;
  bool
      is_most; // the sets of L1 limit it, and how much is unknown: `speed` is what it does without that
} Cost;

// The limit is that of the way in which `machine` executes the nest.
Cost nest_cost(const Plan *plan, const Nest *nest, const Machine *machine);
// The instructions for 1 KiB of the result, counted as in Processor.in_l1. 0: unknown.
double nest_instructions(const Plan *plan, const Nest *nest, const Machine *machine);

#endif
