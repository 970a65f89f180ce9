// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the iterations of a loop in several processes, each with a copy of the script's state. A process takes the next
// free iteration and writes its output to a separate file. If a process cannot complete an iteration, it ends, and no
// later iteration is started. The main process then prints the output of the preceding iterations in order and repeats
// the failed one itself, so its messages are the same as in a sequential run.
#define _DEFAULT_SOURCE // MAP_ANONYMOUS

#include "driver/script/script.h"

#include "frontend/data/output.h"
#include "frontend/data/temporary.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_JOBS = 256 };

typedef struct Iteration {
  bool is_done;
  int job;
  off_t begin, end; // range of its output in the job's file
} Iteration;

// In memory shared by all processes.
typedef struct Shared {
  atomic_int next, stop; // stop: the first iteration that failed
  Iteration iteration[];
} Shared;

typedef struct Job {
  pid_t id;
  FILE *printed;
} Job;

static void lower(atomic_int *stop, int i) {
  int old = atomic_load(stop);
  while (i < old && !atomic_compare_exchange_weak(stop, &old, i))
    ;
}

// Standard error is discarded: the main process repeats the failed iteration and its messages.
static bool redirect(FILE *printed) {
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  return nowhere >= 0 && dup2(nowhere, STDERR_FILENO) >= 0 &&
         dup2(fileno(printed), STDOUT_FILENO) >= 0;
}

static void work(Script *s, Shared *shared, int job, ScriptIteration *iterate, void *of,
                 pid_t parent) {
  while (getppid() == parent) {
    int i = atomic_fetch_add(&shared->next, 1);
    if (i >= atomic_load(&shared->stop))
      return;
    int before = s->diag->list.count;
    off_t begin = lseek(STDOUT_FILENO, 0, SEEK_CUR);
    bool good = iterate(of, i) && s->diag->list.count == before && fflush(stdout) == 0;
    off_t end = lseek(STDOUT_FILENO, 0, SEEK_CUR);
    if (good && begin >= 0 && end >= 0)
      shared->iteration[i] = (Iteration){true, job, begin, end};
    else
      lower(&shared->stop, i);
  }
}

static void start(Script *s, Shared *shared, Job *job, int number, ScriptIteration *iterate,
                  void *of) {
  pid_t parent = getpid();
  job->printed = tmpfile();
  job->id = job->printed ? temporary_fork() : -1;
  if (job->id != 0)
    return;
  s->is_job = true;
  if (redirect(job->printed))
    work(s, shared, number, iterate, of, parent);
  _exit(0);
}

// Copies the output of an iteration. False: it cannot be read back.
static bool replay(const Job *job, const Iteration *iteration) {
  char piece[4096];
  for (off_t at = iteration->begin; at < iteration->end;) {
    off_t left = iteration->end - at;
    size_t n = left < (off_t)sizeof piece ? (size_t)left : sizeof piece;
    if (!file_get_at(fileno(job->printed), (uint64_t)at, piece, n))
      return false;
    fwrite(piece, 1, n, stdout);
    at += (off_t)n;
  }
  return true;
}

int script_share(Script *s, int first, int count, ScriptIteration *iterate, void *of) {
  int done = first, jobs = s->options->jobs < MOST_JOBS ? (int)s->options->jobs : MOST_JOBS;
  jobs = jobs < count - first ? jobs : count - first;
  size_t bytes = sizeof(Shared) + (size_t)count * sizeof(Iteration);
  Shared *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  Job *job = ARENA_ARRAY(s->arena, Job, jobs);
  if (shared == MAP_FAILED)
    return first;
  atomic_init(&shared->next, first);
  atomic_init(&shared->stop, count);
  fflush(stdout);
  for (int i = 0; i < jobs; i++)
    start(s, shared, &job[i], i, iterate, of);
  for (int i = 0; i < jobs; i++)
    temporary_wait(job[i].id);
  while (done < count && shared->iteration[done].is_done &&
         replay(&job[shared->iteration[done].job], &shared->iteration[done])) {
    const Iteration *iteration = &shared->iteration[done++];
    s->has_printed = s->has_printed || iteration->end > iteration->begin;
  }
  for (int i = 0; i < jobs; i++)
    if (job[i].printed)
      fclose(job[i].printed);
  munmap(shared, bytes);
  return done;
}
