// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See example.h. Times are medians of rounds that alternate with memcpy, so that noise affects both
// equally.
#include "example.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 15, ALIGNMENT = 64 };

void *example_alloc(size_t bytes) {
  size_t whole = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  void *p = aligned_alloc(ALIGNMENT, whole > 0 ? whole : ALIGNMENT);
  if (p == NULL) {
    fprintf(stderr, "cannot allocate %zu bytes\n", bytes);
    exit(1);
  }
  memset(p, 0, whole);
  return p;
}

void *example_load(const char *folder, const char *name, size_t bytes) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s.npy", folder, name);
  FILE *file = fopen(path, "rb");
  unsigned char head[10]; // magic, version 1.0, length of the header in two bytes
  if (file == NULL || fread(head, 1, sizeof head, file) != sizeof head ||
      memcmp(head, "\x93NUMPY\1", 7) != 0 || fseek(file, head[8] + 256L * head[9], SEEK_CUR) != 0) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(1);
  }
  void *data = example_alloc(bytes);
  size_t got = fread(data, 1, bytes, file);
  if (got != bytes || fgetc(file) != EOF) {
    fprintf(stderr, "%s does not hold %zu bytes\n", path, bytes);
    exit(1);
  }
  fclose(file);
  return data;
}

static double now(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int example_report(const char *name, int is_alias, const void *result, const void *expected,
                   size_t bytes, void (*run)(void *context), void *context) {
  int wrong = memcmp(result, expected, bytes) != 0;
  const char *verdict = wrong ? "DIFFERS from numpy's answer" : "equal to numpy's answer";
  if (is_alias) {
    printf("%-12s alias, 0 bytes moved, nothing to run, %s\n", name, verdict);
    return wrong;
  }
  double kernel[ROUNDS], copy[ROUNDS];
  void *other = example_alloc(bytes);
  for (int i = 0; i < ROUNDS; i++) {
    double t0 = now();
    run(context);
    double t1 = now();
    memcpy(other, result, bytes);
    double t2 = now();
    kernel[i] = t1 - t0;
    copy[i] = t2 - t1;
  }
  qsort(kernel, ROUNDS, sizeof *kernel, ascending);
  qsort(copy, ROUNDS, sizeof *copy, ascending);
  wrong |= memcmp(other, expected, bytes) != 0;
  printf("%-12s copy, %zu bytes moved, %.2f of memcpy's speed, %s\n", name, bytes,
         copy[ROUNDS / 2] / kernel[ROUNDS / 2], wrong ? "DIFFERS from numpy's answer" : verdict);
  free(other);
  return wrong;
}
