// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for calls of a static graph, the bytes that they must give, and how long they take.
#ifndef DRIVER_TUNE_TIME_H
#define DRIVER_TUNE_TIME_H

#include "codegen/emit.h"

typedef struct Stand {
  Arena *arena;
  JitArgument *argument; // of the graph's signature
  int count;
  uint8_t **written; // results, in order of the signature; the rest is NULL
  uint8_t **expected;
  size_t *bytes;
} Stand;

// Inputs hold bytes that hardly repeat. False: there is not so much memory.
bool stand_open(Stand *stand, Arena *arena, const Plan *plan);
void stand_close(Stand *stand);
// Keeps what a function gives, which others are compared with.
void stand_expect(const Stand *stand, void *function);
bool stand_agrees(const Stand *stand, void *function);

typedef struct Runner {
  void *function;
  double seconds; // of a call, the shortest
} Runner;

// Measures functions by turns, so that a noisy machine hits all alike; those that are far behind drop out early.
void stand_race(const Stand *stand, Runner *runner, int count);

#endif
