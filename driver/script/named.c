// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/base/tools.h"
#include "driver/script/named_format.h"
#include "driver/script/raw.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const NamedFormat *const formats[] = {&safetensors_format, &npz_format, &gguf_format};
enum { FORMATS = sizeof formats / sizeof *formats };

static const NamedFormat *format_of(const char *path) {
  for (int i = 0; i < FORMATS; i++)
    if (strcasecmp(path_extension(path), formats[i]->ending) == 0)
      return formats[i];
  return NULL;
}

bool is_named(const char *path) { return format_of(path) != NULL; }

bool is_npy(const char *path) {
  const char *extension = path_extension(path);
  return extension[0] == '\0' || extension[1] == '\0' || strcasecmp(extension, ".npy") == 0;
}

bool named_has_format(const char *path, NpyError *error) {
  return is_npy(path) || is_named(path) || is_raw(path) ||
         named_fail(error, path, "bad_arg",
                    "%.20s is not a format for tensors: use .npy, .npz, .safetensors or .gguf, or "
                    ".bin for bare elements",
                    path_extension(path));
}

// ---- reading ----

static bool is_same_file(const NamedFile *a, const NamedFile *b) {
  return a->path && strcmp(a->path, b->path) == 0 && a->device == b->device &&
         a->inode == b->inode && a->size == b->size && a->changed.tv_sec == b->changed.tv_sec &&
         a->changed.tv_nsec == b->changed.tv_nsec;
}

static int by_place(const void *a, const void *b) {
  const NamedEntry *x = a, *y = b;
  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  return x->end != y->end ? (x->end < y->end ? -1 : 1) : strcmp(x->name, y->name);
}

static int by_name(const void *a, const void *b) {
  return strcmp((*(const NamedEntry *const *)a)->name, (*(const NamedEntry *const *)b)->name);
}

static bool check_names(Arena *arena, const NamedFile *file, NpyError *error) {
  const NamedEntry **sorted = ARENA_ARRAY(arena, const NamedEntry *, file->count + 1);
  for (int i = 0; i < file->count; i++)
    sorted[i] = &file->entry[i];
  qsort(sorted, (size_t)file->count, sizeof *sorted, by_name);
  for (int i = 1; i < file->count; i++)
    if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0)
      return named_fail(error, file->path, "bad_file", "has two tensors '%.100s'", sorted[i]->name);
  return true;
}

bool named_open(Arena *arena, const char *path, NamedFile *out, NpyError *error) {
  NamedFile file;
  *error = (NpyError){.kind = ""};
  int fd = named_open_file(path, &file, error);
  if (fd < 0)
    return false;
  bool good = true;
  if (!is_same_file(out, &file)) {
    good = format_of(path)->index(arena, fd, file.size, &file, error) &&
           check_names(arena, &file, error);
    if (good)
      qsort(file.entry, (size_t)file.count, sizeof *file.entry, by_place);
    *out = good ? file : (NamedFile){0};
  }
  close(fd);
  return good;
}

bool named_read(const NamedFile *file, const char *name, Npy *out, NpyError *error) {
  const NamedEntry *e = file->entry, *end = file->entry + file->count;
  const NamedFormat *format = format_of(file->path);
  NamedFile now;
  *out = (Npy){.dtype = RSH_DTYPE_NONE};
  while (e < end && strcmp(e->name, name) != 0)
    e++;
  if (e == end)
    return named_fail(error, file->path, "unknown_name", "has no tensor '%.100s'", name);
  if (e->type && e->dtype == RSH_DTYPE_NONE)
    return named_fail(error, file->path, "bad_type",
                      "tensor '%.100s' has type '%.50s', which is not an element type", name,
                      e->type);
  int fd = named_open_file(file->path, &now, error);
  if (fd < 0)
    return false;
  bool good = format->read(fd, now.size, file, e, out, error);
  close(fd);
  if (!good)
    npy_free(out);
  return good;
}

// ---- writing ----

void named_drop(NamedWriter *writer) {
  output_drop(writer->stream);
  json_decref(writer->name);
  arena_free(writer->arena);
  free(writer);
}

static NamedWriter *new_writer(const char *path, uint64_t header, NpyError *error) {
  NamedWriter *writer = calloc(1, sizeof *writer);
  *error = (NpyError){.kind = "io"};
  if (writer && (writer->name = json_object())) {
    writer->format = format_of(path);
    writer->arena = arena_new();
    writer->path = arena_text(writer->arena, path, strlen(path));
    writer->wanted = header;
    return writer;
  }
  named_fail(error, path, "no_memory", "not enough memory to write it");
  free(writer);
  return NULL;
}

NamedWriter *named_begin(const char *path, uint64_t header, NpyError *error) {
  NamedWriter *writer = new_writer(path, header, error);
  if (!writer)
    return NULL;
  writer->stream = output_begin(path, error->text, sizeof error->text);
  if (writer->stream)
    return writer;
  named_drop(writer);
  return NULL;
}

NamedWriter *named_begin_dry(const char *path, NpyError *error) {
  return new_writer(path, 0, error);
}

bool named_note(NamedWriter *writer, const char *name, NpyError *error) {
  *error = (NpyError){.kind = "io"};
  if (json_object_get(writer->name, name))
    return named_fail(error, writer->path, "redefined", "it already has a tensor '%.100s'", name);
  if (json_object_set_new(writer->name, name, json_null()) != 0)
    return named_fail(error, writer->path, "bad_arg", "'%.100s' is not UTF-8, as names are", name);
  return true;
}

bool named_add(NamedWriter *writer, const char *name, const char *type, const Npy *array,
               NpyError *error) {
  return named_note(writer, name, error) && writer->format->add(writer, name, type, array, error);
}

int named_missing(const NamedWriter *writer, const NamedFile *older, const char **first) {
  int missing = 0;
  for (int i = older->count - 1; i >= 0; i--)
    if (!json_object_get(writer->name, older->entry[i].name)) {
      *first = older->entry[i].name;
      missing++;
    }
  return missing;
}

bool named_end(NamedWriter *writer, NpyError *error) {
  *error = (NpyError){.kind = "io"};
  bool is_dry = !writer->stream, good = is_dry || writer->format->end(writer, error);
  if (good && !is_dry) {
    good = output_end(writer->stream, error->text, sizeof error->text);
    writer->stream = NULL;
  }
  named_drop(writer);
  return good;
}
