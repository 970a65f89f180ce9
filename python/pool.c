// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that run tasks of kernels. They are started when a call first needs them, then wait for further calls; calls
// of several Python threads share them. Each call also runs tasks itself, so it ends even if no other thread is free or
// can be started.
#include "python/core.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

// A call, on the stack of its thread. The pool's lock guards `after`, `wanted` and `running`.
typedef struct Job {
  struct Job *after;
  reshapec_kernel *task;
  const reshapec_argument *argument;
  int arguments, tasks;
  int wanted, running; // threads other than the caller: that may still join, and that run tasks
  atomic_int next, status;
} Job;

typedef struct Pool {
  pthread_mutex_t lock;
  pthread_cond_t work, done;
  Job *first; // the list of jobs that want threads
  int threads;
} Pool;

static Pool pool = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER,
                    NULL, 0};

int threads_of(PyObject *number) {
  PyObject *index = PyNumber_Index(number);
  int overflow = 0;
  long threads = index ? PyLong_AsLongAndOverflow(index, &overflow) : 0;
  Py_XDECREF(index);
  PyErr_Clear();
  if (overflow == 0 && threads >= 1 && threads <= MAX_THREADS)
    return (int)threads;
  PyErr_Format(call_error, "threads is %R: it must be an integer from 1 to %d", number,
               MAX_THREADS);
  return 0;
}

static void run_tasks(Job *job) {
  reshapec_argument argument[MAX_PARAMETERS + 1];
  memcpy(argument + 1, job->argument, sizeof *argument * (size_t)job->arguments);
  for (int i; (i = atomic_fetch_add(&job->next, 1)) < job->tasks;) {
    argument[0].size = i;
    int status = job->task(argument);
    if (status != 0)
      atomic_store(&job->status, status);
  }
}

static void leave_queue(const Job *job) {
  for (Job **at = &pool.first; *at; at = &(*at)->after)
    if (*at == job) {
      *at = job->after;
      return;
    }
}

static void *serve(void *unused) {
  (void)unused;
  pthread_mutex_lock(&pool.lock);
  for (;;) {
    Job *job = pool.first;
    if (!job) {
      pthread_cond_wait(&pool.work, &pool.lock);
      continue;
    }
    job->running++;
    if (--job->wanted == 0)
      leave_queue(job);
    pthread_mutex_unlock(&pool.lock);
    run_tasks(job);
    pthread_mutex_lock(&pool.lock);
    if (--job->running == 0)
      pthread_cond_broadcast(&pool.done);
  }
  return NULL;
}

// Called with the lock held. The threads block all signals, which are for Python's threads.
static void start_threads(int wanted) {
  sigset_t all, before;
  pthread_attr_t detached;
  if (pool.threads >= wanted || pthread_attr_init(&detached) != 0)
    return;
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  while (pool.threads < wanted && pthread_create(&thread, &detached, serve, NULL) == 0)
    pool.threads++;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&detached);
}

int pool_run(reshapec_kernel *task, const reshapec_argument *argument, int arguments, int tasks,
             int threads) {
  int others = (threads < tasks ? threads : tasks) - 1;
  Job job = {
      .task = task, .argument = argument, .arguments = arguments, .tasks = tasks, .wanted = others};
  pthread_mutex_lock(&pool.lock);
  start_threads(others);
  job.after = pool.first;
  pool.first = &job;
  for (int i = 0; i < others; i++)
    pthread_cond_signal(&pool.work);
  pthread_mutex_unlock(&pool.lock);
  run_tasks(&job);
  pthread_mutex_lock(&pool.lock);
  leave_queue(&job);
  while (job.running > 0)
    pthread_cond_wait(&pool.done, &pool.lock);
  pthread_mutex_unlock(&pool.lock);
  return atomic_load(&job.status);
}

// ---- A fork copies only the calling thread. It may happen while others run tasks, but not while they hold the lock.

static void before_fork(void) { pthread_mutex_lock(&pool.lock); }

static void after_fork(void) { pthread_mutex_unlock(&pool.lock); }

static void in_child(void) {
  pthread_mutex_init(&pool.lock, NULL);
  pthread_cond_init(&pool.work, NULL);
  pthread_cond_init(&pool.done, NULL);
  pool.first = NULL;
  pool.threads = 0;
}

void pool_open(void) {
  static int is_open; // guarded by the GIL
  if (!is_open)
    is_open = pthread_atfork(before_fork, after_fork, in_child) == 0;
}
