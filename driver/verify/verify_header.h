// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the C header as a caller of the graph would, and holds it to what the graph means: types and order of
// parameters, what pointers must be aligned to, ranks, sizes, bytes, and what is an alias of what.
#ifndef DRIVER_VERIFY_HEADER_H
#define DRIVER_VERIFY_HEADER_H

#include "codegen/emit.h"
#include "driver/verify/verify_map.h"

// Memory that the header asks callers for: so much of it the runs get.
typedef struct Asked {
  int64_t scratch_bytes, scratch_align; // 0: none
  int64_t plan_bytes;                   // of a dynamic graph
} Asked;

// What the header says wrong of the function called `function`, for the sizes of the map, which has its cells (of a
// dynamic graph it need not have them); NULL: nothing.
const char *verify_header(const Map *map, const Plan *plan, const char *header,
                          const char *function, Asked *asked);

#endif
