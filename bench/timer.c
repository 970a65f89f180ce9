// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times calls of a kernel, of memcpy of the bytes of its result, and of others. Built as a shared object; bench.py
// alternates between them, so that noise on the machine affects all equally.
#define _GNU_SOURCE // for CPU sets
#include "runtime/move.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
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

// ---- what is timed ----

typedef struct Subject {
  void (*kernel)(const void *, void *);
  void (*task)(int32_t, const void *, void *);
  int32_t tasks;
  const void *src;
  void *dst, *other;
  size_t bytes; // of the result
} Subject;

// The one move that the engine runs.
static rsh_axis axis[RSH_MAX_AXES];
static rsh_move move = {0};
static rsh_moves moves = {&move, axis, 1, 1, 0, RSH_MAX_AXES, 0};
static uint32_t element_bytes;

static void run_engine(const void *src, void *dst) {
  const void *const sources[1] = {src};
  (void)rsh_run_moves(&moves, element_bytes, sources, NULL, dst);
}

// Sets the move from `count` extents and source strides, outermost first in the order of the destination; runs it once.
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

// Copies with non-temporal stores, if the machine has them.
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
  bool copies; // memcpy in parts instead of tasks
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

// There is one thread besides the caller's. It spins, because waking it would take as long as many calls, but yields
// the processor after a while.
static void wait_while(atomic_int *at, int value) {
  for (int turn = 0; atomic_load(at) == value; turn++)
    if (turn > 10000)
      sched_yield();
}

// Leaves the processor to which bench.py pins the caller's thread.
static void leave_processor(int taken) {
  cpu_set_t others;
  CPU_ZERO(&others);
  for (int i = 0; i < CPU_SETSIZE; i++)
    if (i != taken)
      CPU_SET(i, &others);
  (void)sched_setaffinity(0, sizeof others, &others);
}

static atomic_int round_begun, round_done, processor_of_caller;
static Crew *_Atomic crew_of_round;

static void *stand_by(void *unused) {
  (void)unused;
  leave_processor(atomic_load(&processor_of_caller));
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

enum { KERNEL, MEMCPY, STREAM, ENGINE, KERNEL_2, MEMCPY_2 };

// Prevents the compiler from merging consecutive calls.
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
    run_both(crew);
    break;
  }
}

// Seconds per call, after an untimed call that warms the caches.
double time_calls(int runner, const Subject *s, int calls) {
  Crew crew = {.subject = s, .copies = runner == MEMCPY_2};
  pthread_t second;
  bool is_pair = runner >= KERNEL_2;
  if (is_pair) {
    atomic_store(&round_begun, 0);
    atomic_store(&round_done, 0);
    atomic_store(&processor_of_caller, sched_getcpu());
    atomic_store(&crew_of_round, &crew);
    pthread_create(&second, NULL, stand_by, NULL);
  }
  run_once(runner, s, &crew);
  double begin = now();
  for (int i = 0; i < calls; i++)
    run_once(runner, s, &crew);
  double seconds = (now() - begin) / calls;
  if (is_pair) {
    atomic_store(&crew_of_round, NULL);
    atomic_fetch_add(&round_begun, 1);
    pthread_join(second, NULL);
  }
  return seconds;
}

// The same for a library (peer.h).
double time_peer(void (*run)(void *), void *plan, int calls) {
  run(plan);
  double begin = now();
  for (int i = 0; i < calls; i++)
    run(plan);
  return (now() - begin) / calls;
}
