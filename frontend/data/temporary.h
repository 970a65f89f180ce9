// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is gone when this process ends: files that wait for their names, folders for other programs, and those
// programs. Where SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE or SIGXFSZ would end the process, they remove all this first;
// who has a handler of his own for one of them, or ignores it, keeps that. Of the thread that made them: others block
// them. SIGKILL leaves everything: files are then removed by the next process that wants their names.
#ifndef FRONTEND_TEMPORARY_H
#define FRONTEND_TEMPORARY_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

// These signals.
sigset_t temporary_signals(void);

// A new file, as open gives it, also in place of one that a killed process left; -1 and errno: there is none. EEXIST:
// another process has a file of that name.
int temporary_open(const char *path);
// A new folder, as mkdtemp makes it of "...XXXXXX". False: there is none.
bool temporary_folder(char *path);
// A file that will be made, by whomever, in such a folder.
void temporary_add(const char *path);
// Gives the file its name, as rename does: it is no longer temporary.
bool temporary_rename(const char *path, const char *name);
// Removes the file, or the folder with what was added to it.
void temporary_remove(const char *path);
// Removes all that this process has; nothing in a child of it.
void temporary_remove_all(void);

// As fork: a child that leads a process group, which ends with this process. There is at most one.
pid_t temporary_fork(void);
// Waits for the child's end, and gives its status as waitpid does; -1: there is none.
int temporary_wait(pid_t id);

#endif
