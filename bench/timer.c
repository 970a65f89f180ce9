// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times a kernel against memcpy of the bytes of its result, turn by turn, so that a noisy machine hits
// both alike. Built as a shared object and called by bench.py.
#include <stdint.h>
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

// Medians of seconds a call: of the kernel in out[0], of memcpy in out[1].
void time_against_memcpy(void (*kernel)(const void *, void *), const void *src, void *dst,
                         void *other, size_t bytes, int rounds, int calls, double *out) {
  double *of_kernel = malloc(sizeof(double) * (size_t)rounds),
         *of_copy = malloc(sizeof(double) * (size_t)rounds);
  run_kernel = kernel;
  for (int r = 0; r < rounds; r++) {
    double t0 = now();
    for (int i = 0; i < calls; i++)
      run_kernel(src, dst);
    double t1 = now();
    for (int i = 0; i < calls; i++)
      copy_bytes(other, dst, bytes);
    double t2 = now();
    of_kernel[r] = (t1 - t0) / calls;
    of_copy[r] = (t2 - t1) / calls;
  }
  qsort(of_kernel, (size_t)rounds, sizeof(double), ascending);
  qsort(of_copy, (size_t)rounds, sizeof(double), ascending);
  out[0] = of_kernel[rounds / 2];
  out[1] = of_copy[rounds / 2];
  free(of_kernel);
  free(of_copy);
}
