// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/tools.h"

#include "frontend/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

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

const char *tool_find(Arena *arena, const char *const *names) {
  const char *found = NULL;
  for (; *names && !found; names++)
    found = find_one(arena, *names);
  return found;
}

bool tool_run(const char *const *argv, const char *log) {
  posix_spawn_file_actions_t files;
  pid_t id;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  int error = posix_spawn(&id, argv[0], &files, NULL, (char *const *)argv, environ);
  posix_spawn_file_actions_destroy(&files);
  int ended = -1;
  while (error == 0 && waitpid(id, &ended, 0) < 0 && errno == EINTR)
    continue;
  return error == 0 && ended == 0;
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

const char *folder_make(Arena *arena) {
  const char *parent = getenv("TMPDIR");
  char *path = arena_printf(arena, "%s/reshapec-XXXXXX", parent && *parent ? parent : "/tmp");
  return mkdtemp(path);
}

bool folder_put(Arena *arena, const char *path, const char *name, Bytes bytes) {
  char error[200];
  return file_write_whole(arena_printf(arena, "%s/%s", path, name), bytes.data, bytes.size, error,
                          sizeof error);
}

void folder_remove(Arena *arena, const char *path) {
  DIR *folder = opendir(path);
  for (struct dirent *entry; folder && (entry = readdir(folder));)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      unlink(arena_printf(arena, "%s/%s", path, entry->d_name));
  if (folder)
    closedir(folder);
  rmdir(path);
}
