// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times a kernel against the runtime's engine and against memcpy of the bytes of its result, turn by turn,
// so that a noisy machine hits all alike. Built as a shared object and called by bench.py.
#include "runtime/move.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The compiler must not see that two calls in a row do the same.
static void (*volatile run_kernel)(const void *, void *);
static void *(*volatile copy_bytes)(void *, const void *, size_t) = memcpy;

// The one move that the engine carries out.
static rsh_axis axis[RSH_MAX_AXES];
static rsh_move move = {0};
static rsh_moves moves = {&move, axis, 1, 1, 0, RSH_MAX_AXES};
static uint32_t element_bytes;

static void run_engine(const void *src, void *dst) {
  const void *const sources[1] = {src};
  (void)rsh_run_moves(&moves, element_bytes, sources, NULL, dst);
}

// Loops of `count` extents and source strides, outermost first, in order of destination; runs it once.
void set_engine(const int64_t *extent, const int64_t *stride, int count, int64_t offset,
                uint32_t width, const void *src, void *dst) {
  int64_t inner = 1;
  for (int k = count - 1; k >= 0; k--) {
    axis[k].extent = rsh_int(extent[k]);
    axis[k].dst = rsh_int(inner);
    axis[k].src = rsh_int(stride[k]);
    inner *= extent[k];
  }
  moves.axis_count = move.axis_count = count;
  move.src_offset = rsh_int(offset);
  element_bytes = width;
  run_engine(src, dst);
}

enum { KERNEL, ENGINE, MEMCPY, RUNNERS };

static double time_calls(int runner, const void *src, void *dst, void *other, size_t bytes,
                         int calls) {
  static void (*volatile engine)(const void *, void *) = run_engine;
  double begin = now();
  for (int i = 0; i < calls; i++)
    if (runner == MEMCPY)
      copy_bytes(other, dst, bytes);
    else
      (runner == KERNEL ? run_kernel : engine)(src, dst);
  return (now() - begin) / calls;
}

// Medians of seconds a call: of the kernel, the engine, and memcpy.
void time_all(void (*kernel)(const void *, void *), const void *src, void *dst, void *other,
              size_t bytes, int rounds, int calls, double out[RUNNERS]) {
  double *seconds = malloc(sizeof(double) * (size_t)(rounds * RUNNERS));
  run_kernel = kernel;
  for (int r = 0; r < rounds; r++)
    for (int k = 0; k < RUNNERS; k++)
      seconds[k * rounds + r] = time_calls(k, src, dst, other, bytes, calls);
  for (int k = 0; k < RUNNERS; k++) {
    qsort(seconds + k * rounds, (size_t)rounds, sizeof(double), ascending);
    out[k] = seconds[k * rounds + rounds / 2];
  }
  free(seconds);
}
