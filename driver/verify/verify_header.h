// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the C header as a caller of the graph would, and checks it against the meaning of the graph: types and order of
// parameters, alignment of pointers, ranks, sizes, bytes, and aliases.
#ifndef DRIVER_VERIFY_HEADER_H
#define DRIVER_VERIFY_HEADER_H

#include "codegen/emit.h"
#include "driver/verify/verify_map.h"

// Memory that the header requires from callers; the runs allocate exactly this much.
typedef struct CallerMemory {
  int64_t scratch_bytes, scratch_align; // 0: none
  int64_t plan_bytes;                   // of a dynamic graph
} CallerMemory;

// The first error in the header about the function `function`, for the sizes of the map, which has its cells
// (optional for a dynamic graph); NULL: none.
const char *verify_header(const Map *map, const Plan *plan, const char *header,
                          const char *function, CallerMemory *memory);

#endif
