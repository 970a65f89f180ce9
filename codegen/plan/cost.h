// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the cost model expects of a nest on the processor of its plan.
//
//   f32[1024, 1024] transposed, Zen 5     reads 4194304 bytes, writes as many, which the last cache holds
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
} Cost;

// The limit is that of the way in which `machine` executes the nest.
Cost nest_cost(const Plan *plan, const Nest *nest, const Machine *machine);

#endif
