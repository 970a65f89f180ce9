// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// rsh_parallel_for with one thread per task, at most four; the threads take turns at tasks.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Crew {
  void (*body)(int32_t, void *);
  void *context;
  int32_t count, next;
  pthread_mutex_t lock;
} Crew;

static int calls; // of rsh_parallel_for

static int32_t take(Crew *crew) {
  pthread_mutex_lock(&crew->lock);
  int32_t task = crew->next < crew->count ? crew->next++ : -1;
  pthread_mutex_unlock(&crew->lock);
  return task;
}

static void *work(void *argument) {
  Crew *crew = argument;
  for (int32_t task; (task = take(crew)) >= 0;)
    crew->body(task, crew->context);
  return NULL;
}

void rsh_parallel_for(int32_t count, void (*body)(int32_t, void *), void *context) {
  enum { MOST = 4 };
  Crew crew = {.body = body, .context = context, .count = count};
  pthread_t thread[MOST];
  int threads = count < MOST ? count : MOST;
  calls++;
  pthread_mutex_init(&crew.lock, NULL);
  for (int i = 0; i < threads; i++)
    pthread_create(&thread[i], NULL, work, &crew);
  for (int i = 0; i < threads; i++)
    pthread_join(thread[i], NULL);
  pthread_mutex_destroy(&crew.lock);
}

#define main use_parallel
#include "use-parallel.c"
#undef main

int main(void) {
  if (use_parallel() != 0)
    return 1;
  printf("%d calls of rsh_parallel_for\n", calls);
  return 0;
}
