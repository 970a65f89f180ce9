// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Other programs that the compiler calls (C compilers, linkers, emulators), and a folder for their files.
#ifndef DRIVER_TOOLS_H
#define DRIVER_TOOLS_H

#include "codegen/emit.h"

// The path of the first of these names (NULL-terminated) that is a program on $PATH; NULL: none.
const char *tool_find(Arena *arena, const char *const *names);
// Appends the words of a text such as "gcc -Os".
typedef VEC(const char *) Words;
void words_add(Arena *arena, Words *words, const char *text);
// Runs argv[0], a path from tool_find, to its end; its output goes to the file `log`. False: it failed.
bool tool_run(const char *const *argv, const char *log);
// The first line of a file that reports an error, else the first line; "" if the file is empty.
const char *tool_complaint(Arena *arena, const char *log);

// A new empty folder for files of this process (frontend/data/temporary.h); NULL: it cannot be made.
const char *folder_make(Arena *arena);
// The path of a new file in the folder.
const char *folder_file(Arena *arena, const char *folder, const char *name);
// Reads a file that a tool made. False: it is empty or cannot be read.
bool file_read_whole(Arena *arena, const char *path, Bytes *out);
// The last component of a path.
const char *path_base(const char *path);
// ".npy" of "in/x.npy"; "" if there is none, as in ".cache".
const char *path_extension(const char *path);
// Whether two paths name one file, which need not exist. "-" is not a file.
bool is_one_file(const char *a, const char *b);
bool folder_put(Arena *arena, const char *folder, const char *name, Bytes bytes);

#endif
