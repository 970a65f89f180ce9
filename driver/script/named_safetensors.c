// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// .safetensors: the length of the header in 8 bytes, the header as JSON, the elements.
//
//   {"w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...}
//
// Offsets are relative to the end of the header.
#include "driver/script/named_format.h"
#include "frontend/text/rescue.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH_BYTES = 8, MOST_HEADER = 100000000, LEAST_ROOM = 4096, ALIGNMENT = 8 };
static const char METADATA[] = "__metadata__";

static const struct {
  const char *name;
  rsh_dtype dtype;
} types[] = {
    {"F64", RSH_F64},   {"F32", RSH_F32},          {"F16", RSH_F16},        {"BF16", RSH_BF16},
    {"I64", RSH_I64},   {"I32", RSH_I32},          {"I16", RSH_I16},        {"I8", RSH_I8},
    {"U64", RSH_U64},   {"U32", RSH_U32},          {"U16", RSH_U16},        {"U8", RSH_U8},
    {"BOOL", RSH_BOOL}, {"F8_E4M3", RSH_F8E4M3FN}, {"F8_E5M2", RSH_F8E5M2}, {"F8_E8M0", RSH_F8E8M0},
    {"C64", RSH_C64}};
enum { TYPES = sizeof types / sizeof *types };

// ---- reading ----

static bool read_dims(const json_t *shape, NamedEntry *e) {
  size_t rank = json_array_size(shape);
  if (!json_is_array(shape) || rank > RSH_MAX_RANK)
    return false;
  e->rank = (int)rank;
  for (size_t i = 0; i < rank; i++) {
    const json_t *n = json_array_get(shape, i);
    if (!json_is_integer(n) || json_integer_value(n) < 0)
      return false;
    e->dim[i] = json_integer_value(n);
  }
  return true;
}

static bool read_entry(Arena *arena, const NamedFile *file, const char *name, const json_t *value,
                       uint64_t size, NamedEntry *e, NpyError *error) {
  const json_t *offsets = json_object_get(value, "data_offsets");
  const char *type = json_string_value(json_object_get(value, "dtype"));
  const json_t *begin = json_array_get(offsets, 0), *end = json_array_get(offsets, 1);
  uint64_t data = LENGTH_BYTES + file->header, bytes;
  *e = (NamedEntry){.name = arena_text(arena, name, strlen(name)),
                    .dtype = RSH_DTYPE_NONE,
                    .type = type ? arena_text(arena, type, strlen(type)) : ""};
  for (int i = 0; i < TYPES && type; i++)
    if (strcmp(types[i].name, type) == 0)
      e->dtype = types[i].dtype;
  bool good = type && read_dims(json_object_get(value, "shape"), e) &&
              json_array_size(offsets) == 2 && json_is_integer(begin) && json_is_integer(end) &&
              json_integer_value(begin) >= 0 &&
              json_integer_value(end) >= json_integer_value(begin);
  if (!good)
    return named_fail(error, file->path, "bad_file",
                      "the header's entry for tensor '%.100s' is not a type, a shape and offsets",
                      name);
  e->begin = data + (uint64_t)json_integer_value(begin);
  e->end = data + (uint64_t)json_integer_value(end);
  if (e->end > size)
    return named_fail(error, file->path, "bad_file",
                      "tensor '%.100s' ends %" PRIu64 " bytes past the end of the file", name,
                      e->end - size);
  if (e->dtype != RSH_DTYPE_NONE && (!named_count_bytes(e, &bytes) || bytes != e->end - e->begin))
    return named_fail(error, file->path, "bad_file",
                      "tensor '%.100s' has %" PRIu64
                      " bytes, which does not match its type and shape",
                      name, e->end - e->begin);
  return true;
}

static bool read_entries(Arena *arena, NamedFile *file, json_t *header, uint64_t size,
                         NpyError *error) {
  const char *name;
  json_t *value;
  file->entry = ARENA_ARRAY(arena, NamedEntry, (int)json_object_size(header) + 1);
  json_object_foreach(header, name, value) {
    if (strcmp(name, METADATA) == 0)
      continue;
    if (!read_entry(arena, file, name, value, size, &file->entry[file->count], error))
      return false;
    file->count++;
  }
  return true;
}

static bool read_header(Arena *arena, int fd, uint64_t size, NamedFile *file, NpyError *error) {
  unsigned char length[LENGTH_BYTES];
  if (size < LENGTH_BYTES || !file_get_at(fd, 0, length, LENGTH_BYTES))
    return named_fail(error, file->path, "bad_file",
                      "is shorter than the 8 bytes that give the length of its header");
  file->header = named_load(length, LENGTH_BYTES);
  if (file->header > MOST_HEADER || file->header > size - LENGTH_BYTES)
    return named_fail(error, file->path, "bad_file",
                      "is too short for its header of %" PRIu64 " bytes", file->header);
  char *text = malloc((size_t)file->header + 1);
  json_error_t why;
  if (!text || !file_get_at(fd, LENGTH_BYTES, text, (size_t)file->header)) {
    named_fail(error, file->path, text ? "io" : "no_memory", "cannot be read: %s", strerror(errno));
    free(text);
    return false;
  }
  json_t *header = json_loadb(text, (size_t)file->header, JSON_REJECT_DUPLICATES, &why);
  free(text);
  bool good = json_is_object(header) ||
              named_fail(error, file->path, "bad_file", "the header is not a JSON object: %s",
                         header ? "it is another value" : why.text);
  good = good && read_entries(arena, file, header, size, error);
  json_decref(header);
  return good;
}

// ---- writing ----

static json_t *describe(const NamedWriter *writer, const Npy *array, const char *type) {
  json_t *shape = json_array();
  for (int i = 0; i < array->rank; i++)
    json_array_append_new(shape, json_integer(array->dim[i]));
  return json_pack("{s:s, s:o, s:[I, I]}", "dtype", type, "shape", shape, "data_offsets",
                   (json_int_t)writer->data, (json_int_t)(writer->data + array->bytes));
}

static bool add_tensor(NamedWriter *writer, const char *name, const char *named, const Npy *array,
                       NpyError *error) {
  const char *type = NULL;
  for (int i = 0; i < TYPES; i++)
    if (types[i].dtype == array->dtype)
      type = types[i].name;
  if (named)
    return named_fail(error, writer->path, "bad_arg",
                      "'%.100s' is saved with its element type: only .gguf files take another type",
                      name);
  if (!type)
    return named_fail(error, writer->path, "bad_type",
                      "such files have no elements of type %s: cast '%.100s' first",
                      rsh_dtype_name(array->dtype), name);
  if (strcmp(name, METADATA) == 0)
    return named_fail(error, writer->path, "redefined", "it already has a tensor '%.100s'", name);
  if (writer->room == 0)
    writer->room = named_rounded(
        writer->wanted > LEAST_ROOM ? writer->wanted + writer->wanted / 4 : LEAST_ROOM, ALIGNMENT);
  json_object_set_new(writer->name, name, describe(writer, array, type)); // the name is there
  return named_put_elements(writer, LENGTH_BYTES + writer->room + writer->data, array, error);
}

// Makes room for a longer header by shifting the elements.
static bool make_room(NamedWriter *writer, uint64_t length, NpyError *error) {
  if (!output_shift(writer->stream, LENGTH_BYTES + writer->room, writer->data,
                    length - writer->room, error->text, sizeof error->text))
    return false;
  writer->room = length;
  return true;
}

// The header is padded with spaces, so that elements begin at a multiple of 8.
static bool put_header(NamedWriter *writer, const char *text, NpyError *error) {
  size_t length = strlen(text);
  if (length > writer->room && !make_room(writer, named_rounded(length, ALIGNMENT), error))
    return false;
  size_t bytes = LENGTH_BYTES + (size_t)writer->room;
  unsigned char *header = malloc(bytes);
  if (!header)
    return named_fail(error, writer->path, "no_memory", "not enough memory to write it");
  named_store(header, writer->room, LENGTH_BYTES);
  memset(header + LENGTH_BYTES, ' ', (size_t)writer->room);
  memcpy(header + LENGTH_BYTES, text, length);
  bool good = named_put(writer, 0, header, bytes, error);
  free(header);
  return good;
}

static bool write_header(NamedWriter *writer, NpyError *error) {
  char *text = memory_of(json_dumps(writer->name, JSON_COMPACT));
  bool good = put_header(writer, text, error);
  free(text);
  return good;
}

const NamedFormat safetensors_format = {".safetensors", read_header, named_map, add_tensor,
                                        write_header};
