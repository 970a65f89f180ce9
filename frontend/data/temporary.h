// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Temporary files before their rename, temporary folders, and child processes: all are removed when this process ends.
// If SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE or SIGXFSZ would end the process, a handler removes them first; signals
// that the host program handles or ignores keep their handlers. They belong to the thread that created them: other
// threads block these signals. SIGKILL leaves everything: the next process that needs the same names removes the files.
#ifndef FRONTEND_TEMPORARY_H
#define FRONTEND_TEMPORARY_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

// These signals.
sigset_t temporary_signals(void);

// Opens a new file, like open, replacing one that a killed process left; -1 and errno: it failed. EEXIST: another
// process has a file of that name.
int temporary_open(const char *path);
// Makes a new folder from "...XXXXXX", like mkdtemp. False: it failed.
bool temporary_folder(char *path);
// Registers a file that someone will create in such a folder.
void temporary_add(const char *path);
// Gives the file its final name, like rename, and unregisters it.
bool temporary_rename(const char *path, const char *name);
// Removes the file, or the folder with everything that was added to it.
void temporary_remove(const char *path);
// Removes everything that belongs to this process; does nothing in a child.
void temporary_remove_all(void);

// Like fork: children form a process group, which ends with this process. All are started before the first is waited
// for.
pid_t temporary_fork(void);
// Waits for a child to end and returns its status, like waitpid; -1: there is none.
int temporary_wait(pid_t id);

#endif
