// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/base/tools.h"

#include "frontend/data/temporary.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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
    bool is_summary = strstr(line, "ld returned") != NULL; // of gcc, after the linker's own message
    bool is_error = !is_summary && (strstr(line, "error") || strstr(line, "undefined"));
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

const char *path_extension(const char *path) {
  const char *base = path_base(path), *dot = strrchr(base, '.');
  return dot && dot > base ? dot : base + strlen(base);
}

// The file or folder at the first `length` bytes of `path`; "" is the current folder.
static bool find_folder(const char *path, int length, struct stat *out) {
  char name[4096];
  int size = snprintf(name, sizeof name, "%.*s", length > 0 ? length : 1, length > 0 ? path : ".");
  return size < (int)sizeof name && stat(name, out) == 0;
}

// Whether two files that need not exist have the same name in the same folder: "x.o" and "sub/../x.o".
static bool share_place(const char *a, const char *b) {
  const char *x = path_base(a), *y = path_base(b);
  struct stat in, also;
  return strcmp(x, y) == 0 && find_folder(a, (int)(x - a), &in) &&
         find_folder(b, (int)(y - b), &also) && in.st_dev == also.st_dev &&
         in.st_ino == also.st_ino;
}

enum { PATH_ROOM = 2 * 4096 };

// The file that a link names and that a write would create; `path` itself if it is not such a link.
static const char *end_of_link(const char *path, char *room) {
  char to[4096];
  struct stat there;
  ssize_t length = stat(path, &there) != 0 ? readlink(path, to, sizeof to) : -1;
  if (length <= 0)
    return path;
  int folder = *to == '/' ? 0 : (int)(path_base(path) - path);
  int size = snprintf(room, PATH_ROOM, "%.*s%.*s", folder, path, (int)length, to);
  return size < PATH_ROOM ? room : path;
}

bool is_one_file(const char *a, const char *b) {
  struct stat x, y;
  char room[2][PATH_ROOM];
  if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
    return false;
  a = end_of_link(a, room[0]);
  b = end_of_link(b, room[1]);
  bool is_there = stat(a, &x) == 0;
  if (is_there && S_ISCHR(x.st_mode)) // /dev/null takes any number of outputs
    return false;
  if (strcmp(a, b) == 0 || share_place(a, b))
    return true;
  return is_there && stat(b, &y) == 0 && S_ISREG(x.st_mode) && x.st_dev == y.st_dev &&
         x.st_ino == y.st_ino;
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
