// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Other programs that the compiler calls: C compilers, linkers, emulators; and a folder for what they make.
#ifndef DRIVER_TOOLS_H
#define DRIVER_TOOLS_H

#include "codegen/emit.h"

#include <sys/types.h>

// The first of these names (up to a NULL) that is a program on $PATH, with its folder; NULL: none.
const char *tool_find(Arena *arena, const char *const *names);
// Runs argv[0], as tool_find gave it, to its end; what it prints goes to the file `log`. False: it failed.
bool tool_run(const char *const *argv, const char *log);
// The first line of a file that says what is wrong, or the first; "" where there is none.
const char *tool_complaint(Arena *arena, const char *log);

// A new empty folder for files of this process; NULL: none can be made.
const char *folder_make(Arena *arena);
bool folder_put(Arena *arena, const char *path, const char *name, Bytes bytes);
// The folder, with the files in it.
void folder_remove(Arena *arena, const char *path);

#endif
