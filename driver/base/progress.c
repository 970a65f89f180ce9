// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A separate thread writes the line, so that it stays alive during one long call of LLVM or of a kernel.
#include "driver/base/progress.h"

#include "frontend/data/temporary.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
  FIRST = 500, // milliseconds until the line is shown,
  AGAIN = 200, // and between updates
  WIDTH = 79,  // maximal columns of a line
  SECOND = 1000,
};

struct Progress {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t ended;
  bool has_ended, is_shown;
  const char *what, *name;
  int total, done;
  struct timespec start;
};

static bool is_terminal(void) {
  const char *terminal = getenv("TERM");
  return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

// The line is only a convenience: write errors are ignored.
static void write_text(const char *text, size_t length) {
  ssize_t written = write(STDERR_FILENO, text, length);
  (void)written;
}

// Replaces what does not fill exactly one column: a name may hold any bytes.
static void write_line(const Progress *p, long seconds) {
  char line[WIDTH + 1], text[WIDTH + 16] = "\r";
  if (p->total > 0)
    snprintf(line, sizeof line, "%s %d of %d, %ld s%s%s", p->what, p->done + 1, p->total, seconds,
             *p->name ? ", " : "", p->name);
  else
    snprintf(line, sizeof line, "%s%s%s, %ld s", p->what, *p->name ? " " : "", p->name, seconds);
  size_t length = strlen(line);
  for (size_t i = 0; i < length; i++)
    text[i + 1] = line[i] >= 0x20 && line[i] < 0x7F ? line[i] : '?';
  memcpy(text + 1 + length, "\033[K", 3);
  write_text(text, length + 4);
}

static struct timespec later(struct timespec from, long milliseconds) {
  from.tv_sec += milliseconds / SECOND;
  from.tv_nsec += milliseconds % SECOND * 1000000;
  from.tv_sec += from.tv_nsec / 1000000000;
  from.tv_nsec %= 1000000000;
  return from;
}

static long seconds_between(struct timespec from, struct timespec to) {
  return (long)(to.tv_sec - from.tv_sec) - (to.tv_nsec < from.tv_nsec);
}

static void *show(void *argument) {
  Progress *p = argument;
  struct timespec next = later(p->start, FIRST);
  pthread_mutex_lock(&p->lock);
  while (!p->has_ended) {
    if (pthread_cond_timedwait(&p->ended, &p->lock, &next) != ETIMEDOUT || p->has_ended)
      continue;
    p->is_shown = true;
    write_line(p, seconds_between(p->start, next));
    next = later(next, AGAIN);
  }
  if (p->is_shown)
    write_text("\r\033[K", 4);
  pthread_mutex_unlock(&p->lock);
  return NULL;
}

Progress *progress_start(Arena *arena, const char *what, int total) {
  if (!is_terminal())
    return NULL;
  Progress *p = ARENA_NEW(arena, Progress);
  pthread_condattr_t steady;
  p->what = what;
  p->name = "";
  p->total = total;
  clock_gettime(CLOCK_MONOTONIC, &p->start);
  pthread_condattr_init(&steady);
  pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
  pthread_cond_init(&p->ended, &steady);
  pthread_condattr_destroy(&steady);
  pthread_mutex_init(&p->lock, NULL);
  sigset_t before, blocked = temporary_signals(); // the thread inherits the mask
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  bool started = pthread_create(&p->thread, NULL, show, p) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started ? p : NULL;
}

void progress_step(Progress *p, int done, const char *name) {
  if (!p)
    return;
  pthread_mutex_lock(&p->lock);
  p->done = done;
  p->name = name;
  pthread_mutex_unlock(&p->lock);
}

void progress_end(Progress *p) {
  if (!p)
    return;
  pthread_mutex_lock(&p->lock);
  p->has_ended = true;
  pthread_cond_signal(&p->ended);
  pthread_mutex_unlock(&p->lock);
  pthread_join(p->thread, NULL);
  pthread_cond_destroy(&p->ended);
  pthread_mutex_destroy(&p->lock);
}
