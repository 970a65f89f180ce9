// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Models name their weight files relative to their own folder, and -o may name another folder.
#include "driver/commands/weights_away.h"

#include "driver/base/tools.h"

#include <string.h>
#include <sys/stat.h>

// "out/" of "out/new.onnx"; "./" of "new.onnx".
static const char *folder_of(Arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? arena_printf(arena, "%.*s/", (int)(slash - path), path) : "./";
}

static bool is_pipe_or_device(const char *path) {
  struct stat status;
  return strcmp(path, "-") == 0 || (stat(path, &status) == 0 && !S_ISREG(status.st_mode));
}

// The files that the new model refers to, possibly fewer than the old one.
static void add_locations(Pipeline *p, const OutputFile *file, OnnxLocations *out) {
  Diag quiet = {.arena = p->arena, .file = p->diag.file};
  size_t size = 0, at = 0;
  for (size_t i = 0; i < file->part_count; i++)
    size += file->part[i].size;
  uint8_t *bytes = arena_alloc(p->arena, size + 1);
  for (size_t i = 0; i < file->part_count; at += file->part[i++].size)
    if (file->part[i].size > 0)
      memcpy(bytes + at, file->part[i].bytes, file->part[i].size);
  const OnnxFile *parsed = onnx_file_parse(p->arena, file->path, bytes, size, &quiet);
  if (parsed)
    onnx_locations(p->arena, parsed, out);
}

bool has_weights_in(Arena *arena, const OnnxFile *model, const char *path) {
  OnnxLocations named = {0};
  onnx_locations(arena, model, &named);
  bool found = false;
  for (int i = 0; i < named.count && !found; i++)
    found = is_one_file(arena_printf(arena, "%s%s", folder_of(arena, model->path), named.item[i]),
                        path);
  return found;
}

typedef enum Found { FOUND, FOUND_OTHER, NOT_FOUND } Found;

// Looks for a file of the old folder in the new one: a file of the same size counts as the same.
static Found find_weights(Arena *arena, const char *old, const char *new, const char *location) {
  struct stat before, after;
  if (stat(arena_printf(arena, "%s%s", old, location), &before) != 0)
    return FOUND; // it is also missing in the old folder
  if (stat(arena_printf(arena, "%s%s", new, location), &after) != 0)
    return NOT_FOUND;
  return before.st_size == after.st_size ? FOUND : FOUND_OTHER;
}

void warn_of_weights_away(Pipeline *p, const OnnxFile *from, const OutputFile *file, int count,
                          const char *what) {
  Arena *arena = p->arena;
  OnnxLocations before = {0}, named = {0};
  onnx_locations(arena, from, &before);
  if (before.count == 0 || count == 0 || is_pipe_or_device(file[0].path))
    return;
  for (int i = 0; i < count; i++)
    add_locations(p, &file[i], &named);
  const char *old = folder_of(arena, from->path), *new = folder_of(arena, file[0].path);
  const char *first[] = {[FOUND_OTHER] = NULL, [NOT_FOUND] = NULL};
  int away[] = {[FOUND_OTHER] = 0, [NOT_FOUND] = 0};
  for (int i = 0; i < named.count; i++) {
    Found found = find_weights(arena, old, new, named.item[i]);
    first[found] = away[found]++ == 0 ? named.item[i] : first[found];
  }
  if (away[NOT_FOUND] == 1)
    diag_warning_file(&p->diag, "weights_away",
                      "weights of %s are in '%s', which folder '%s' does not have: copy it there "
                      "from '%s', or write to that folder",
                      what, first[NOT_FOUND], new, old);
  else if (away[NOT_FOUND] > 1)
    diag_warning_file(&p->diag, "weights_away",
                      "weights of %s are in %d files that folder '%s' does not have, such as "
                      "'%s': copy them there from '%s', or write to that folder",
                      what, away[NOT_FOUND], new, first[NOT_FOUND], old);
  if (away[FOUND_OTHER] > 0)
    diag_warning_file(&p->diag, "weights_away",
                      "weights of %s are in '%s', but the one in folder '%s' differs in size from "
                      "the one in '%s'",
                      what, first[FOUND_OTHER], new, old);
}
