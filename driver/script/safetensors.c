// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/script/safetensors.h"

#include "frontend/data/output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LENGTH_BYTES = 8, MOST_HEADER = 100000000, LEAST_ROOM = 4096, ALIGNMENT = 8 };

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

static bool fail(NpyError *error, const char *path, const char *kind, const char *format, ...) {
  va_list args;
  int n = snprintf(error->text, sizeof error->text, "%.300s: ", path);
  va_start(args, format);
  vsnprintf(error->text + n, sizeof error->text - (size_t)n, format, args);
  va_end(args);
  error->kind = kind;
  return false;
}

bool is_safetensors(const char *path) {
  static const char ending[] = ".safetensors";
  size_t length = strlen(path), end = sizeof ending - 1;
  return length > end && strcmp(path + length - end, ending) == 0;
}

// ---- reading ----

static uint64_t load_length(const unsigned char *bytes) {
  uint64_t n = 0;
  for (int i = LENGTH_BYTES - 1; i >= 0; i--)
    n = n << 8 | bytes[i];
  return n;
}

static bool read_dims(const json_t *shape, SafetensorsEntry *e) {
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

// The bytes of the elements. False: more than 2^63.
static bool count_bytes(const SafetensorsEntry *e, uint64_t *bytes) {
  uint64_t n = (uint64_t)rsh_dtype_bits(e->dtype) / 8;
  bool fits = true;
  for (int i = 0; i < e->rank; i++)
    fits = fits && !__builtin_mul_overflow(n, (uint64_t)e->dim[i], &n);
  *bytes = n;
  return fits && n <= INT64_MAX;
}

static bool read_entry(Arena *arena, const Safetensors *file, const char *name, const json_t *value,
                       uint64_t size, SafetensorsEntry *e, NpyError *error) {
  const json_t *offsets = json_object_get(value, "data_offsets");
  const char *type = json_string_value(json_object_get(value, "dtype"));
  const json_t *begin = json_array_get(offsets, 0), *end = json_array_get(offsets, 1);
  uint64_t data = LENGTH_BYTES + file->header, bytes;
  *e = (SafetensorsEntry){.name = arena_text(arena, name, strlen(name)),
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
    return fail(error, file->path, "bad_file",
                "what the header says of tensor '%.100s' is no type, shape "
                "and offsets",
                name);
  e->begin = data + (uint64_t)json_integer_value(begin);
  e->end = data + (uint64_t)json_integer_value(end);
  if (e->end > size)
    return fail(error, file->path, "bad_file",
                "tensor '%.100s' ends %" PRIu64 " bytes behind the file", name, e->end - size);
  if (e->dtype != RSH_DTYPE_NONE && (!count_bytes(e, &bytes) || bytes != e->end - e->begin))
    return fail(error, file->path, "bad_file",
                "tensor '%.100s' has %" PRIu64 " bytes, which its type and "
                "shape do not",
                name, e->end - e->begin);
  return true;
}

static int by_place(const void *a, const void *b) {
  const SafetensorsEntry *x = a, *y = b;
  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  return x->end != y->end ? (x->end < y->end ? -1 : 1) : strcmp(x->name, y->name);
}

static bool read_entries(Arena *arena, Safetensors *file, json_t *header, uint64_t size,
                         NpyError *error) {
  const char *name;
  json_t *value;
  file->entry = ARENA_ARRAY(arena, SafetensorsEntry, (int)json_object_size(header) + 1);
  json_object_foreach(header, name, value) {
    if (strcmp(name, "__metadata__") == 0)
      continue;
    if (!read_entry(arena, file, name, value, size, &file->entry[file->count], error))
      return false;
    file->count++;
  }
  qsort(file->entry, (size_t)file->count, sizeof *file->entry, by_place);
  return true;
}

static bool read_header(Arena *arena, int fd, uint64_t size, Safetensors *file, NpyError *error) {
  unsigned char length[LENGTH_BYTES];
  if (size < LENGTH_BYTES || !file_get_at(fd, 0, length, LENGTH_BYTES))
    return fail(error, file->path, "bad_file", "is shorter than the length of a header");
  file->header = load_length(length);
  if (file->header > MOST_HEADER || file->header > size - LENGTH_BYTES)
    return fail(error, file->path, "bad_file", "has no header of %" PRIu64 " bytes", file->header);
  char *text = malloc((size_t)file->header + 1);
  json_error_t why;
  if (!text || !file_get_at(fd, LENGTH_BYTES, text, (size_t)file->header)) {
    fail(error, file->path, text ? "io" : "no_memory", "cannot be read: %s", strerror(errno));
    free(text);
    return false;
  }
  json_t *header = json_loadb(text, (size_t)file->header, JSON_REJECT_DUPLICATES, &why);
  free(text);
  bool good = json_is_object(header) ||
              fail(error, file->path, "bad_file", "the header is no object of JSON: %s",
                   header ? "it is something else" : why.text);
  good = good && read_entries(arena, file, header, size, error);
  json_decref(header);
  return good;
}

static int open_file(const char *path, uint64_t *size, NpyError *error) {
  struct stat status;
  int fd = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC);
  if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
    *size = (uint64_t)status.st_size;
    return fd;
  }
  if (fd < 0)
    fail(error, path, "io", "cannot be opened: %s", strerror(errno));
  else
    fail(error, path, "bad_file", "is no regular file");
  if (fd >= 0)
    close(fd);
  return -1;
}

static bool is_same_file(const Safetensors *a, const Safetensors *b) {
  return a->path && strcmp(a->path, b->path) == 0 && a->device == b->device &&
         a->inode == b->inode && a->size == b->size && a->changed.tv_sec == b->changed.tv_sec &&
         a->changed.tv_nsec == b->changed.tv_nsec;
}

bool safetensors_open(Arena *arena, const char *path, Safetensors *out, NpyError *error) {
  uint64_t size;
  struct stat status;
  *error = (NpyError){.kind = ""};
  int fd = open_file(path, &size, error);
  if (fd < 0)
    return false;
  Safetensors file = {.path = path, .size = size};
  if (fstat(fd, &status) == 0) {
    file.device = (uint64_t)status.st_dev;
    file.inode = (uint64_t)status.st_ino;
    file.changed = status.st_mtim;
  }
  bool good = true;
  if (!is_same_file(out, &file)) {
    good = read_header(arena, fd, size, &file, error);
    *out = good ? file : (Safetensors){0};
  }
  close(fd);
  return good;
}

// From the file's order of bytes to the machine's, and back.
static void turn_bytes(Npy *array) {
  size_t part = (size_t)rsh_dtype_bits(array->dtype) / (array->dtype == RSH_C64 ? 16 : 8);
  if (!npy_host_is_little())
    npy_swap_bytes(array->data, array->bytes, part);
}

// In memory where elements do not lie at multiples of their size, or another order of bytes is wanted.
static bool read_elements(int fd, const Safetensors *file, const SafetensorsEntry *e, Npy *out,
                          NpyError *error) {
  long page = sysconf(_SC_PAGESIZE);
  uint64_t first = e->begin / (uint64_t)page * (uint64_t)page;
  bool is_mapped = e->end > e->begin && npy_host_is_little() &&
                   e->begin % ((uint64_t)rsh_dtype_bits(e->dtype) / 8) == 0;
  if (is_mapped) {
    size_t bytes = (size_t)(e->end - first);
    void *map = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, (off_t)first);
    if (map != MAP_FAILED) {
      out->map = map;
      out->map_bytes = bytes;
      out->data = (char *)map + (e->begin - first);
      out->bytes = (size_t)(e->end - e->begin);
      return true;
    }
  }
  if (!npy_allocate(out))
    return fail(error, file->path, "no_memory", "no memory for %" PRIu64 " bytes",
                e->end - e->begin);
  if (!file_get_at(fd, e->begin, out->data, out->bytes))
    return fail(error, file->path, "io", "cannot be read: %s", strerror(errno));
  turn_bytes(out);
  return true;
}

static bool check_truths(const Safetensors *file, const SafetensorsEntry *e, const Npy *array,
                         NpyError *error) {
  const unsigned char *byte = array->data;
  for (size_t i = 0; e->dtype == RSH_BOOL && i < array->bytes; i++)
    if (byte[i] > 1)
      return fail(error, file->path, "bad_file",
                  "element %zu of tensor '%.100s' is neither true nor false", i, e->name);
  return true;
}

bool safetensors_read(const Safetensors *file, const char *name, Npy *out, NpyError *error) {
  const SafetensorsEntry *e = file->entry, *end = file->entry + file->count;
  uint64_t size;
  *out = (Npy){.dtype = RSH_DTYPE_NONE};
  while (e < end && strcmp(e->name, name) != 0)
    e++;
  if (e == end)
    return fail(error, file->path, "unknown_name", "has no tensor '%.100s'", name);
  if (e->dtype == RSH_DTYPE_NONE)
    return fail(error, file->path, "bad_type",
                "tensor '%.100s' is of type '%.50s', which is no element type", name, e->type);
  int fd = open_file(file->path, &size, error);
  if (fd < 0)
    return false;
  *out = (Npy){.dtype = e->dtype, .rank = e->rank};
  memcpy(out->dim, e->dim, sizeof out->dim);
  bool good = e->end <= size
                  ? read_elements(fd, file, e, out, error) && check_truths(file, e, out, error)
                  : fail(error, file->path, "bad_file", "has become shorter");
  close(fd);
  if (!good)
    npy_free(out);
  return good;
}

// ---- writing ----

struct SafetensorsWriter {
  OutputStream *stream;
  char *path;
  json_t *header;
  uint64_t room, data; // for the header, and bytes of elements so far
};

static uint64_t rounded(uint64_t n) { return (n + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

void safetensors_drop(SafetensorsWriter *writer) {
  output_drop(writer->stream);
  json_decref(writer->header);
  free(writer->path);
  free(writer);
}

SafetensorsWriter *safetensors_begin(const char *path, uint64_t header, NpyError *error) {
  SafetensorsWriter *writer = calloc(1, sizeof *writer);
  *error = (NpyError){.kind = "io"};
  if (writer) {
    writer->room = rounded(header > LEAST_ROOM ? header + header / 4 : LEAST_ROOM);
    writer->path = strdup(path);
    writer->header = json_object();
  }
  if (!writer || !writer->path || !writer->header) {
    fail(error, path, "no_memory", "no memory to write it");
    if (writer)
      safetensors_drop(writer);
    return NULL;
  }
  writer->stream = output_begin(path, error->text, sizeof error->text);
  if (writer->stream)
    return writer;
  safetensors_drop(writer);
  return NULL;
}

static json_t *describe(const SafetensorsWriter *writer, const Npy *array, const char *type) {
  json_t *shape = json_array();
  for (int i = 0; i < array->rank; i++)
    json_array_append_new(shape, json_integer(array->dim[i]));
  return json_pack("{s:s, s:o, s:[I, I]}", "dtype", type, "shape", shape, "data_offsets",
                   (json_int_t)writer->data, (json_int_t)(writer->data + array->bytes));
}

bool safetensors_add(SafetensorsWriter *writer, const char *name, const Npy *array,
                     NpyError *error) {
  const char *type = NULL;
  *error = (NpyError){.kind = "io"};
  for (int i = 0; i < TYPES; i++)
    if (types[i].dtype == array->dtype)
      type = types[i].name;
  if (!type)
    return fail(error, writer->path, "bad_type",
                "such files have no elements of type %s: cast '%.100s' first",
                rsh_dtype_name(array->dtype), name);
  if (strcmp(name, "__metadata__") == 0 || json_object_get(writer->header, name))
    return fail(error, writer->path, "redefined", "there is a '%.100s' in it already", name);
  if (json_object_set_new(writer->header, name, describe(writer, array, type)) != 0)
    return fail(error, writer->path, "bad_arg", "'%.100s' is no name, or there is no memory for it",
                name);
  Npy turned = *array;
  bool good = true;
  if (!npy_host_is_little()) {
    good = npy_allocate(&turned) || fail(error, writer->path, "no_memory", "no memory to write it");
    if (good)
      memcpy(turned.data, array->data, array->bytes), turn_bytes(&turned);
  }
  good = good && output_put(writer->stream, LENGTH_BYTES + writer->room + writer->data, turned.data,
                            array->bytes, error->text, sizeof error->text);
  if (turned.data != array->data)
    npy_free(&turned);
  writer->data += array->bytes;
  return good;
}

// A header longer than its room: the elements move up.
static bool make_room(SafetensorsWriter *writer, uint64_t length, NpyError *error) {
  if (!output_shift(writer->stream, LENGTH_BYTES + writer->room, writer->data,
                    length - writer->room, error->text, sizeof error->text))
    return false;
  writer->room = length;
  return true;
}

// The header ends in spaces, so that elements begin at a multiple of 8.
static bool put_header(SafetensorsWriter *writer, const char *text, NpyError *error) {
  size_t length = strlen(text);
  if (length > writer->room && !make_room(writer, rounded(length), error))
    return false;
  size_t bytes = LENGTH_BYTES + (size_t)writer->room;
  unsigned char *header = malloc(bytes);
  if (!header)
    return fail(error, writer->path, "no_memory", "no memory to write it");
  for (int i = 0; i < LENGTH_BYTES; i++)
    header[i] = (unsigned char)(writer->room >> 8 * i);
  memset(header + LENGTH_BYTES, ' ', (size_t)writer->room);
  memcpy(header + LENGTH_BYTES, text, length);
  bool good = output_put(writer->stream, 0, header, bytes, error->text, sizeof error->text);
  free(header);
  return good;
}

bool safetensors_end(SafetensorsWriter *writer, NpyError *error) {
  *error = (NpyError){.kind = "io"};
  char *text = json_dumps(writer->header, JSON_COMPACT);
  bool good = text ? put_header(writer, text, error)
                   : fail(error, writer->path, "no_memory", "no memory to write it");
  free(text);
  if (good) {
    good = output_end(writer->stream, error->text, sizeof error->text);
    writer->stream = NULL;
  }
  safetensors_drop(writer);
  return good;
}
