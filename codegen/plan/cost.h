// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost model's estimate for a nest on the processor of its plan.
//
//   u8[64, 64] transposed, Zen 4     reads and writes 4096 bytes in L1; 224 instructions per KiB, while memcpy takes as
//                                    long as 140: 0.62 of its speed, limited by shuffles
#ifndef CODEGEN_COST_H
#define CODEGEN_COST_H

#include "codegen/plan/strategy.h"

// The smallest level of memory that holds the bytes of both sides.
typedef enum CostLevel {
  COST_L1,
  COST_L2,
  COST_LAST, // cache
  COST_MEMORY,
  COST_OPEN // unknown: it depends on sizes, or the number of bytes overflows
} CostLevel;

const char *cost_level_name(CostLevel level); // "L1" "L2" "last" "memory" "open"

typedef struct Cost {
  bool is_counted;       // false: a number of bytes overflows
  rsh_num read, written; // bytes; an element that is repeated is read once
  CostLevel level;
  const char *limit; // the bottleneck, as text for people
  // The speed in percent of memcpy of the larger side. 0: unknown, since it depends on sizes, or on LLVM's code for
  // element-wise functions.
  int64_t speed;
  bool
      is_most; // the sets of L1 limit it by an unknown amount: `speed` is an upper bound without this limit
} Cost;

// The limit depends on how `machine` executes the nest.
Cost nest_cost(const Plan *plan, const Nest *nest, const Machine *machine);
// The instructions for 1 KiB of the result, counted as in Processor.in_l1. 0: unknown.
double nest_instructions(const Plan *plan, const Nest *nest, const Machine *machine);

#endif
