// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/base/tools.h"

#include "frontend/data/temporary.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *find_one(Arena *arena, const char *name) {
  const char *path = getenv("PATH");
  if (strchr(name, '/'))
    return access(name, X_OK) == 0 ? name : NULL;
  while (path && *path) {
    size_t length = strcspn(path, ":");
    const char *file =
        arena_printf(arena, "%.*s/%s", (int)(length ? length : 1), length ? path : ".", name);
    if (access(file, X_OK) == 0)
      return file;
    path += length + (path[length] == ':');
  }
  return NULL;
}

void words_add(Arena *arena, Words *words, const char *text) {
  for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
    size_t length = strcspn(text, " ");
    VEC_PUSH(arena, *words, arena_text(arena, text, length));
    text += length;
  }
}

const char *tool_find(Arena *arena, const char *const *names) {
  const char *found = NULL;
  for (; *names && !found; names++)
    found = find_one(arena, *names);
  return found;
}

bool tool_run(const char *const *argv, const char *log) {
  pid_t id = temporary_fork();
  if (id == 0) {
    int in = open("/dev/null", O_RDONLY), out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (in < 0 || out < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
        dup2(out, STDERR_FILENO) < 0)
      _exit(127); // the program's output must not mix with that of the compiler
    execv(argv[0], (char *const *)argv);
    _exit(127);
  }
  return temporary_wait(id) == 0;
}

const char *tool_complaint(Arena *arena, const char *log) {
  char line[400];
  const char *first = "";
  FILE *file = fopen(log, "r");
  while (file && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = '\0';
    bool is_error = strstr(line, "error") || strstr(line, "undefined");
    if (is_error || !*first)
      first = arena_text(arena, line, strlen(line));
    if (is_error)
      break;
  }
  if (file)
    fclose(file);
  return first;
}

const char *path_base(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const char *folder_make(Arena *arena) {
  const char *parent = getenv("TMPDIR");
  char *path = arena_printf(arena, "%s/reshapec-XXXXXX", parent && *parent ? parent : "/tmp");
  return temporary_folder(path) ? path : NULL;
}

const char *folder_file(Arena *arena, const char *folder, const char *name) {
  const char *path = arena_printf(arena, "%s/%s", folder, name);
  temporary_add(path);
  return path;
}

bool folder_put(Arena *arena, const char *folder, const char *name, Bytes bytes) {
  FILE *file = fopen(folder_file(arena, folder, name), "wb");
  bool good = file && fwrite(bytes.data, 1, bytes.size, file) == bytes.size;
  return file && fclose(file) == 0 && good;
}

bool file_read_whole(Arena *arena, const char *path, Bytes *out) {
  FILE *file = fopen(path, "rb");
  VEC(char) text = {0};
  int letter;
  while (file && (letter = getc(file)) != EOF)
    VEC_PUSH(arena, text, (char)letter);
  bool good = file && !ferror(file) && text.count > 0;
  if (file)
    fclose(file);
  *out = (Bytes){text.item, (size_t)text.count};
  return good;
}
