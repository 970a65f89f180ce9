// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list that a signal handler walks: every change blocks the signals.
#define _XOPEN_SOURCE 700 // mkdtemp

#include "frontend/data/temporary.h"
#include "frontend/text/rescue.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  PATIENCE = 200,
  PAUSE = 10
}; // a terminated program gets PATIENCE pauses of PAUSE ms to exit

typedef struct Entry {
  struct Entry *older;
  bool is_folder;
  int held; // descriptor with the lock of a temporary_open file; -1: none
  char path[];
} Entry;

// Signals that terminate a process: the last two if a reader closes its pipe or a file reaches its limit.
static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGXFSZ};
enum { SIGNALS = sizeof signals / sizeof *signals };

static Entry *newest;
static pid_t owner; // the process that the entries belong to; children have only a copy
static pid_t group; // of its children
static int children;

sigset_t temporary_signals(void) {
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < SIGNALS; i++)
    sigaddset(&set, signals[i]);
  return set;
}

// ---- the end ----

// A program that a signal ends may leave its own temporary file in a folder. Only functions that a signal handler may
// call: another program reads the folder.
static void remove_folder(const char *path) {
  if (rmdir(path) == 0 || (errno != ENOTEMPTY && errno != EEXIST))
    return;
  pid_t id = fork();
  if (id == 0) {
    execl("/bin/rm", "rm", "-rf", "--", path, (char *)NULL);
    _exit(1);
  }
  while (id > 0 && waitpid(id, NULL, 0) < 0 && errno == EINTR)
    continue;
}

static void remove_entry(const Entry *e) {
  if (e->is_folder)
    remove_folder(e->path);
  else
    unlink(e->path);
}

// Compilers remove half-written files when they are terminated.
static void end_children(void) {
  kill(-group, SIGTERM);
  for (int i = 0; i < PATIENCE; i++) {
    pid_t ended;
    while ((ended = waitpid(-group, NULL, WNOHANG)) > 0)
      ;
    if (ended < 0)
      return; // none is left
    poll(NULL, 0, PAUSE);
  }
  kill(-group, SIGKILL);
  while (waitpid(-group, NULL, 0) > 0)
    ;
}

static void end_temporary(int which) {
  if (getpid() == owner) {
    if (children > 0)
      end_children();
    for (const Entry *e = newest; e; e = e->older)
      remove_entry(e);
  }
  signal(which, SIG_DFL);
  raise(which); // delivered once this handler has returned
}

// ---- the list ----

// Handlers are installed only while there is something to remove.
static void set_handlers(void) {
  bool is_needed = newest || children > 0;
  struct sigaction old, ours = {.sa_handler = end_temporary, .sa_mask = temporary_signals()};
  const struct sigaction none = {.sa_handler = SIG_DFL};
  for (int i = 0; i < SIGNALS; i++) {
    sigaction(signals[i], NULL, &old);
    if (is_needed && old.sa_handler == SIG_DFL)
      sigaction(signals[i], &ours, NULL);
    else if (!is_needed && old.sa_handler == end_temporary)
      sigaction(signals[i], &none, NULL);
  }
}

static sigset_t begin_change(void) {
  sigset_t before, blocked = temporary_signals();
  sigprocmask(SIG_BLOCK, &blocked, &before);
  owner = getpid();
  return before;
}

// Preserves errno.
static void end_change(sigset_t before) {
  int code = errno;
  set_handlers();
  sigprocmask(SIG_SETMASK, &before, NULL);
  errno = code;
}

// Created before the file or folder, which could not be removed without an entry. NULL: out of memory.
static Entry *new_entry(const char *path, bool is_folder) {
  size_t size = strlen(path) + 1;
  Entry *e = malloc(sizeof *e + size);
  if (!e)
    return NULL;
  e->is_folder = is_folder;
  e->held = -1;
  memcpy(e->path, path, size);
  return e;
}

static void add(Entry *e) {
  e->older = newest;
  newest = e;
}

// Returns whether an entry is `path` or inside it; "" matches any.
static bool is_of(const Entry *e, const char *path) {
  size_t length = strlen(path);
  return strncmp(e->path, path, length) == 0 &&
         (length == 0 || !e->path[length] || e->path[length] == '/');
}

// Call within a change.
static void drop(const char *path, bool removes) {
  for (Entry **at = &newest; *at;) {
    Entry *e = *at;
    if (!is_of(e, path)) {
      at = &e->older;
      continue;
    }
    *at = e->older;
    if (removes)
      remove_entry(e);
    if (e->held >= 0)
      close(e->held);
    free(e);
  }
}

// Returns whether `path` names the open file.
static bool is_named(int fd, const char *path) {
  struct stat opened, named;
  return fstat(fd, &opened) == 0 && lstat(path, &named) == 0 && S_ISREG(named.st_mode) &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

// Removes a file that a killed process left, which nobody has locked. The lock held here keeps the name with that file.
static bool reclaim(const char *path) {
  int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  bool is_left = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && is_named(fd, path);
  bool is_gone = is_left && unlink(path) == 0;
  if (fd >= 0)
    close(fd);
  return is_gone;
}

static int open_new(const char *path) {
  enum { FLAGS = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC };
  int fd = open(path, FLAGS, 0666);
  if (fd >= 0 || errno != EEXIST)
    return fd;
  if (reclaim(path))
    return open(path, FLAGS, 0666);
  errno = EEXIST;
  return -1;
}

// The lock belongs to the open file description: a duplicate descriptor keeps it when the first is closed, which is
// when network file systems report a full disk. False: another process removed the file as a leftover before it was
// locked, and errno is EEXIST; or there is no descriptor. If a file system has no locks, other processes get none
// either, and do not remove the file.
static bool hold(Entry *e, int fd) {
  struct stat made;
  e->held = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (e->held < 0) {
    int code = errno;
    unlink(e->path);
    errno = code;
    return false;
  }
  if ((flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) &&
      (fstat(fd, &made) != 0 || made.st_nlink > 0))
    return true;
  close(e->held);
  errno = EEXIST;
  return false;
}

int temporary_open(const char *path) {
  sigset_t before = begin_change();
  Entry *e = new_entry(path, false);
  int fd = e ? open_new(path) : -1;
  if (fd >= 0 && !hold(e, fd)) {
    int code = errno;
    close(fd);
    errno = code;
    fd = -1;
  }
  if (fd >= 0)
    add(e);
  else
    free(e);
  end_change(before);
  return fd;
}

bool temporary_folder(char *path) {
  sigset_t before = begin_change();
  Entry *e = new_entry(path, true);
  bool made = e && mkdtemp(path);
  if (made) {
    memcpy(e->path, path, strlen(path)); // as completed by mkdtemp
    add(e);
  } else {
    free(e);
  }
  end_change(before);
  return made;
}

void temporary_add(const char *path) {
  sigset_t before = begin_change();
  Entry *e = new_entry(path, false);
  if (e)
    add(e);
  end_change(before);
  if (!e)
    out_of_memory();
}

// Atomic for signals, because after the rename the old name may belong to another process.
bool temporary_rename(const char *path, const char *name) {
  sigset_t before = begin_change();
  bool renamed = rename(path, name) == 0;
  if (renamed)
    drop(path, false);
  end_change(before);
  return renamed;
}

void temporary_remove(const char *path) {
  sigset_t before = begin_change();
  drop(path, true);
  end_change(before);
}

void temporary_remove_all(void) {
  if (newest && getpid() == owner)
    temporary_remove("");
}

// ---- children ----

pid_t temporary_fork(void) {
  sigset_t before = begin_change();
  pid_t id = fork();
  if (id >= 0)
    setpgid(id, group); // in parent and child: whichever runs first
  if (id > 0) {
    group = group ? group : id;
    children++;
  }
  if (id == 0) {
    newest = NULL; // all of this is the parent's
    children = group = 0;
  }
  end_change(before);
  return id;
}

int temporary_wait(pid_t id) {
  int ended = -1;
  siginfo_t info;
  // The child can be terminated until the handlers have no record of it. While the first one is not waited for, others
  // can join its group.
  while (id > 0 && waitid(P_PID, (id_t)id, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR)
    continue;
  sigset_t before = begin_change();
  if (id > 0 && waitpid(id, &ended, 0) == id && --children == 0)
    group = 0;
  end_change(before);
  return ended;
}
