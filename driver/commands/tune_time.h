// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for calls of a static graph, the expected bytes of its results, and how long calls take.
#ifndef DRIVER_TUNE_TIME_H
#define DRIVER_TUNE_TIME_H

#include "codegen/emit.h"

typedef struct Stand {
  Arena *arena;
  JitArgument *argument; // in the order of the graph's signature
  int count;
  uint8_t **written; // results, in the order of the signature; NULL for other parameters
  uint8_t **expected;
  size_t *bytes;
} Stand;

// Fills inputs with pseudorandom bytes. False: not enough memory.
bool stand_open(Stand *stand, Arena *arena, const Plan *plan);
void stand_close(Stand *stand);
// Records the results of a function as the reference for others.
void stand_expect(const Stand *stand, void *function);
bool stand_agrees(const Stand *stand, void *function);

typedef struct Runner {
  void *function;
  double seconds; // the shortest time of a call
} Runner;

// Times functions alternately, so that noise affects all of them equally; much slower ones are eliminated early.
void stand_race(const Stand *stand, Runner *runner, int count);

#endif
