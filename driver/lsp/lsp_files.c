// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts in the folders of the editor, for requests about files that are not open.
#include "driver/lsp/lsp.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_FOLDERS = 32, MOST_FILES = 20000 }; // nesting depth, and total

static bool is_text(const char *name) {
  size_t length = strlen(name);
  return length > 4 && strcmp(name + length - 4, ".rsh") == 0;
}

// Links are not followed, since they may form cycles.
static void walk(Arena *arena, const char *folder, int depth, FileList *files) {
  DIR *open = opendir(folder);
  if (!open)
    return;
  for (struct dirent *entry; (entry = readdir(open)) && files->count < MOST_FILES;) {
    struct stat status;
    const char *path = arena_printf(arena, "%s/%s", folder, entry->d_name);
    if (entry->d_name[0] == '.' || lstat(path, &status) != 0)
      continue;
    if (S_ISDIR(status.st_mode) && depth < MOST_FOLDERS)
      walk(arena, path, depth + 1, files);
    else if (S_ISREG(status.st_mode) && is_text(entry->d_name))
      VEC_PUSH(arena, *files, path);
  }
  closedir(open);
}

FileList files_of(const Server *server, Arena *arena) {
  FileList files = {0};
  for (int i = 0; i < server->folders.count; i++)
    walk(arena, server->folders.item[i], 0, &files);
  return files;
}
