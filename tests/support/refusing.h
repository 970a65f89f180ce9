// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An allocator for reshapec_open that refuses every call from the `until`-th on, and counts the blocks that are open.
#ifndef TESTS_REFUSING_H
#define TESTS_REFUSING_H

#include <stdlib.h>

typedef struct Count {
  long given, until, open;
} Count;

static void *allocate(void *user, size_t bytes) {
  Count *count = user;
  if (count->given++ >= count->until)
    return NULL;
  count->open++;
  return malloc(bytes);
}

static void release(void *user, void *block) {
  ((Count *)user)->open -= block != NULL;
  free(block);
}

#endif
