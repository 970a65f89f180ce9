// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/commands/tune_time.h"

#include "frontend/data/npy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  HEATS = 3,
  ROUNDS = 5,          // of a heat
  MOST_CALLS = 1 << 16 // of a round
};

static const double SHORTEST = 2e-4; // seconds of a round, for the precision of the clock
static const double BEHIND = 1.15;   // a runner this much slower than the fastest drops out

// ---- memory ----

static void fill(uint8_t *block, size_t bytes) {
  uint64_t state = 1;
  for (size_t i = 0; i < bytes; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u; // Knuth's MMIX
    block[i] = (uint8_t)(state >> 56);
  }
}

static bool open_parameter(Stand *stand, const Plan *plan, int i) {
  const Parameter *parameter = &plan->signature.parameter.item[i];
  uint8_t *block = NULL;
  size_t bytes = 0;
  switch (parameter->kind) {
  case PARAMETER_INPUT:
    bytes = (size_t)plan_value_bytes(plan->graph->value.item[parameter->index]);
    block = npy_memory(bytes);
    if (block)
      fill(block, bytes);
    stand->argument[i].input = block;
    return block != NULL;
  case PARAMETER_OUTPUT:
    bytes = (size_t)plan->output[parameter->index].bytes;
    stand->written[i] = block = npy_memory(bytes);
    stand->expected[i] = npy_memory(bytes);
    break;
  case PARAMETER_SCRATCH:
    block = npy_memory((size_t)plan->scratch_bytes.n);
    break;
  case PARAMETER_SIZE: // of graphs that are not static
  case PARAMETER_DIMS:
  case PARAMETER_RANK:
  case PARAMETER_PLAN:
    return false;
  }
  stand->bytes[i] = bytes;
  stand->argument[i].output = block;
  return block && (!stand->written[i] || stand->expected[i]);
}

bool stand_open(Stand *stand, Arena *arena, const Plan *plan) {
  int count = plan->signature.parameter.count;
  *stand = (Stand){.arena = arena,
                   .argument = ARENA_ARRAY(arena, JitArgument, count + 1),
                   .count = count,
                   .written = ARENA_ARRAY(arena, uint8_t *, count + 1),
                   .expected = ARENA_ARRAY(arena, uint8_t *, count + 1),
                   .bytes = ARENA_ARRAY(arena, size_t, count + 1)};
  bool good = true;
  for (int i = 0; i < count && good; i++)
    good = open_parameter(stand, plan, i);
  if (!good)
    stand_close(stand);
  return good;
}

void stand_close(Stand *stand) {
  for (int i = 0; i < stand->count; i++) {
    free(stand->argument[i].output);
    free(stand->expected[i]);
  }
  stand->count = 0;
}

// Fills results before the call, which does not write gaps between strides.
static void run_on_blank(const Stand *stand, void *function) {
  for (int i = 0; i < stand->count; i++)
    if (stand->written[i])
      memset(stand->written[i], 0xCC, stand->bytes[i]);
  jit_call(function, stand->argument);
}

void stand_expect(const Stand *stand, void *function) {
  run_on_blank(stand, function);
  for (int i = 0; i < stand->count; i++)
    if (stand->written[i])
      memcpy(stand->expected[i], stand->written[i], stand->bytes[i]);
}

bool stand_agrees(const Stand *stand, void *function) {
  bool same = true;
  run_on_blank(stand, function);
  for (int i = 0; i < stand->count && same; i++)
    same =
        !stand->written[i] || memcmp(stand->expected[i], stand->written[i], stand->bytes[i]) == 0;
  return same;
}

// ---- time ----

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The first call is a warm-up and not counted: the cache contents then depend on the previous function, and on whether
// it used non-temporal stores.
static double time_calls(const Stand *stand, void *function, int calls) {
  jit_call(function, stand->argument);
  double begin = now();
  for (int i = 0; i < calls; i++)
    jit_call(function, stand->argument);
  return (now() - begin) / calls;
}

static int calls_of_round(const Stand *stand, void *function) {
  int calls = 1;
  while (calls < MOST_CALLS && time_calls(stand, function, calls) * calls < SHORTEST)
    calls *= 2;
  return calls;
}

void stand_race(const Stand *stand, Runner *runner, int count) {
  int calls = calls_of_round(stand, runner[0].function);
  double best = INFINITY;
  for (int i = 0; i < count; i++)
    runner[i].seconds = INFINITY;
  for (int round = 0; round < HEATS * ROUNDS; round++) {
    double limit = round < ROUNDS ? INFINITY : best * BEHIND;
    for (int i = 0; i < count; i++) {
      if (runner[i].seconds > limit)
        continue;
      double seconds = time_calls(stand, runner[i].function, calls);
      runner[i].seconds = seconds < runner[i].seconds ? seconds : runner[i].seconds;
      best = seconds < best ? seconds : best;
    }
  }
}
