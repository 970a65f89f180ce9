// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/script/raw.h"

#include "driver/base/tools.h"
#include "driver/script/array_text.h"
#include "driver/script/named_format.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

bool is_raw(const char *path) {
  const char *extension = path_extension(path);
  return strcasecmp(extension, ".bin") == 0 || strcasecmp(extension, ".raw") == 0;
}

// The bytes of this many elements. False: they do not fit 63 bits.
static bool packed_bytes(uint64_t elements, uint64_t bits, uint64_t *bytes) {
  bool fits = !__builtin_mul_overflow(elements / 8, bits, bytes) && *bytes < INT64_MAX - bits;
  *bytes += fits ? (elements % 8 * bits + 7) / 8 : 0;
  return fits;
}

// Computes the open size; the total number of bytes must match the file.
static bool fit(const char *path, uint64_t size, NamedEntry *e, NpyError *error) {
  uint64_t bits = (uint64_t)rsh_dtype_bits(e->dtype), others = 1, bytes;
  char text[ARRAY_TEXT_TYPE];
  int open = -1;
  bool fits = true;
  array_type_text(text, e->dtype, e->rank, e->dim);
  for (int i = 0; i < e->rank; i++)
    if (e->dim[i] < 0 && open < 0)
      open = i;
    else
      fits =
          fits && e->dim[i] >= 0 && !__builtin_mul_overflow(others, (uint64_t)e->dim[i], &others);
  if (!fits || size > INT64_MAX / 8)
    return named_fail(error, path, "bad_arg",
                      "%s is not a shape for a file: only one size may be -1", text);
  if (open >= 0)
    e->dim[open] = others > 0 ? (int64_t)(size * 8 / bits / others) : 0;
  if (open >= 0)
    others *= (uint64_t)e->dim[open];
  if (packed_bytes(others, bits, &bytes) && bytes == size)
    return true;
  if (open >= 0)
    return named_fail(error, path, "bad_file",
                      "has %" PRIu64 " bytes, and no size in place of -1 in %s takes that many",
                      size, text);
  if (e->rank == 0)
    return named_fail(error, path, "bad_file",
                      "has %" PRIu64 " bytes, but the scalar %s takes %" PRIu64
                      ": write %s[2, 3], with the sizes; one size may be -1",
                      size, text, bytes, text);
  return named_fail(error, path, "bad_file", "has %" PRIu64 " bytes, but %s takes %" PRIu64, size,
                    text, bytes);
}

bool raw_read(const char *path, rsh_dtype dtype, int rank, const int64_t *dim, Npy *out,
              NpyError *error) {
  NamedFile file = {.path = path};
  NamedEntry e = {.name = path, .dtype = dtype, .rank = rank};
  *out = (Npy){.dtype = RSH_DTYPE_NONE};
  *error = (NpyError){.kind = ""};
  memcpy(e.dim, dim, (size_t)rank * sizeof *dim);
  int fd = named_open_file(path, &file, error);
  if (fd < 0)
    return false;
  e.end = file.size;
  bool good = fit(path, file.size, &e, error) && named_map(fd, file.size, &file, &e, out, error);
  close(fd);
  if (!good)
    npy_free(out);
  return good;
}

bool raw_write(const char *path, const Npy *array, NpyError *error) {
  Npy swapped;
  *error = (NpyError){.kind = "io"};
  if (array->dtype == RSH_STRING)
    return named_fail(error, path, "bad_type",
                      "strings cannot be saved as raw elements: save them as .npy");
  if (!named_to_little_endian(array, &swapped))
    return named_fail(error, path, "no_memory", "not enough memory to write it");
  bool good = file_write_whole(path, swapped.data, swapped.bytes, error->text, sizeof error->text);
  if (swapped.data != array->data)
    npy_free(&swapped);
  return good;
}
