/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls each graph with one size 0 and the others 2^30 or 2^40, in place. The alarm ends a call that loops over nothing. */
#define _POSIX_C_SOURCE 200809L
#include HEADER
#include <stdio.h>
#include <unistd.h>

static float buffer[1];
static void *const at = buffer;
static int failures;

static void check(const char *name, rsh_status status) {
  if (status != RSH_ok) {
    failures++;
    printf("%s returns %d\n", name, (int)status);
  }
}

#define CALL(name, ...)                                                                            \
  check(#name, name(__VA_ARGS__, at, at));                                                         \
  for (int32_t task = 0; task < name##_tasks(__VA_ARGS__); task++)                                 \
  check(#name "_task", name##_task(task, __VA_ARGS__, at, at))

int main(void) {
  const int64_t huge = (int64_t)1 << 40, some = (int64_t)1 << 30;
  alarm(20);
  CALL(words, 0, huge);
  CALL(words, huge, 0);
  CALL(leaders, 0, huge);
  CALL(leaders, huge, 0);
  CALL(batches, 0, some, some);
  CALL(batches, some, 0, some);
  CALL(batches, some, some, 0);
  CALL(pairs, 0, huge);
  CALL(pairs, huge, 0);
  CALL(listed, 0, huge);
  CALL(listed, huge, 0);
  CALL(flipped, 0, some, some);
  CALL(flipped, some, 0, some);
  CALL(flipped, some, some, 0);
  CALL(computed, 0, some, some);
  CALL(computed, some, 0, some);
  CALL(computed, some, some, 0);
  return failures;
}
