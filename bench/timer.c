// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times a kernel against memcpy of the bytes of its result and others, turn by turn, so that a noisy machine hits
// all alike. Built as a shared object and called by bench.py.
#include "runtime/move.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// ---- what is timed ----

typedef struct Subject {
  void (*kernel)(const void *, void *);
  void (*task)(int32_t, const void *, void *);
  int32_t tasks;
  const void *src;
  void *dst, *other;
  size_t bytes; // of the result
} Subject;

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

// Stores past the cache where there are such.
static void stream(void *dst, const void *src, size_t bytes) {
#ifdef __SSE2__
  char *to = dst;
  const char *from = src;
  size_t whole = bytes & ~(size_t)63;
  for (size_t i = 0; i < whole; i += 64)
    for (size_t k = 0; k < 64; k += 16)
      _mm_stream_si128((__m128i *)(void *)(to + i + k),
                       _mm_loadu_si128((const __m128i *)(const void *)(from + i + k)));
  _mm_sfence();
  memcpy(to + whole, from + whole, bytes - whole);
#else
  memcpy(dst, src, bytes);
#endif
}

// ---- threads ----

enum { PARTS = 64 };

typedef struct Crew {
  const Subject *subject;
  bool copies; // memcpy in parts, in place of tasks
  atomic_int next;
} Crew;

static void work(Crew *crew) {
  const Subject *s = crew->subject;
  int count = crew->copies ? PARTS : s->tasks;
  for (int i; (i = atomic_fetch_add(&crew->next, 1)) < count;) {
    size_t begin = s->bytes / 64 * (size_t)i / PARTS * 64;
    size_t end = i == PARTS - 1 ? s->bytes : s->bytes / 64 * (size_t)(i + 1) / PARTS * 64;
    if (crew->copies)
      memcpy((char *)s->other + begin, (const char *)s->dst + begin, end - begin);
    else
      s->task(i, s->src, s->dst);
  }
}

// One thread beside the caller's. It waits actively, since waking it would take as long as many a call, but lets
// others have the processor after a while.
static void wait_while(atomic_int *at, int value) {
  for (int turn = 0; atomic_load(at) == value; turn++)
    if (turn > 10000)
      sched_yield();
}

static atomic_int round_begun, round_done;
static Crew *_Atomic crew_of_round;

static void *stand_by(void *unused) {
  (void)unused;
  for (int seen = 0;;) {
    wait_while(&round_begun, seen);
    seen = atomic_load(&round_begun);
    if (!atomic_load(&crew_of_round))
      return NULL;
    work(atomic_load(&crew_of_round));
    atomic_store(&round_done, seen);
  }
}

static void run_both(Crew *crew) {
  atomic_store(&crew->next, 0);
  atomic_store(&crew_of_round, crew);
  int round = atomic_fetch_add(&round_begun, 1) + 1;
  work(crew);
  wait_while(&round_done, round - 1);
}

// ---- times ----

enum { KERNEL, MEMCPY, STREAM, ENGINE, KERNEL_2, MEMCPY_2, RUNNERS };

// The compiler must not see that two calls in a row do the same.
static void *(*volatile copy_bytes)(void *, const void *, size_t) = memcpy;
static void (*volatile stream_bytes)(void *, const void *, size_t) = stream;

static void run_once(int runner, const Subject *s, Crew *crew) {
  switch (runner) {
  case KERNEL:
    s->kernel(s->src, s->dst);
    break;
  case MEMCPY:
    copy_bytes(s->other, s->dst, s->bytes);
    break;
  case STREAM:
    stream_bytes(s->other, s->dst, s->bytes);
    break;
  case ENGINE:
    run_engine(s->src, s->dst);
    break;
  case KERNEL_2:
  case MEMCPY_2:
    crew->copies = runner == MEMCPY_2;
    run_both(crew);
    break;
  }
}

static double time_calls(int runner, const Subject *s, Crew *crew, int calls) {
  double begin = now();
  for (int i = 0; i < calls; i++)
    run_once(runner, s, crew);
  return (now() - begin) / calls;
}

// Medians of seconds a call. Runner i takes part where bit i of `runners` is set.
void time_all(const Subject *s, unsigned runners, int rounds, int calls, double out[RUNNERS]) {
  double *seconds = malloc(sizeof(double) * (size_t)(rounds * RUNNERS));
  Crew crew = {.subject = s};
  pthread_t second;
  bool is_pair = runners >> KERNEL_2;
  if (is_pair) {
    atomic_store(&round_begun, 0);
    atomic_store(&crew_of_round, &crew);
    pthread_create(&second, NULL, stand_by, NULL);
  }
  for (int r = 0; r < rounds; r++)
    for (int k = 0; k < RUNNERS; k++)
      if (runners >> k & 1)
        seconds[k * rounds + r] = time_calls(k, s, &crew, calls);
  if (is_pair) {
    atomic_store(&crew_of_round, NULL);
    atomic_fetch_add(&round_begun, 1);
    pthread_join(second, NULL);
  }
  for (int k = 0; k < RUNNERS; k++) {
    out[k] = 0;
    if (!(runners >> k & 1))
      continue;
    qsort(seconds + k * rounds, (size_t)rounds, sizeof(double), ascending);
    out[k] = seconds[k * rounds + rounds / 2];
  }
  free(seconds);
}
