// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Other programs that the compiler calls: C compilers, linkers, emulators; and a folder for what they make.
#ifndef DRIVER_TOOLS_H
#define DRIVER_TOOLS_H

#include "codegen/emit.h"

// The first of these names (up to a NULL) that is a program on $PATH, with its folder; NULL: none.
const char *tool_find(Arena *arena, const char *const *names);
// The words of "gcc -Os", added to others.
typedef VEC(const char *) Words;
void words_add(Arena *arena, Words *words, const char *text);
// Runs argv[0], as tool_find gave it, to its end; what it prints goes to the file `log`. False: it failed.
bool tool_run(const char *const *argv, const char *log);
// The first line of a file that says what is wrong, or the first; "" where there is none.
const char *tool_complaint(Arena *arena, const char *log);

// A new empty folder for files of this process (frontend/data/temporary.h); NULL: none can be made.
const char *folder_make(Arena *arena);
// The path of a file that is to be made in it.
const char *folder_file(Arena *arena, const char *folder, const char *name);
// A file of a tool, which is not empty. False: it cannot be read.
bool file_read_whole(Arena *arena, const char *path, Bytes *out);
// The name at the end of a path.
const char *path_base(const char *path);
bool folder_put(Arena *arena, const char *folder, const char *name, Bytes bytes);

#endif
