// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Common parts of the file formats: little-endian numbers, and elements that are mapped or written.
#include "driver/script/named_format.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool named_fail(NpyError *error, const char *path, const char *kind, const char *format, ...) {
  va_list args;
  int n = snprintf(error->text, sizeof error->text, "%.300s: ", path);
  va_start(args, format);
  vsnprintf(error->text + n, sizeof error->text - (size_t)n, format, args);
  va_end(args);
  error->kind = kind;
  return false;
}

uint64_t named_rounded(uint64_t n, uint64_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

uint64_t named_load(const unsigned char *from, int bytes) {
  uint64_t n = 0;
  for (int i = bytes - 1; i >= 0; i--)
    n = n << 8 | from[i];
  return n;
}

void named_store(unsigned char *to, uint64_t n, int bytes) {
  for (int i = 0; i < bytes; i++)
    to[i] = (unsigned char)(n >> 8 * i);
}

static size_t element_bytes(rsh_dtype dtype) {
  return rsh_dtype_bits(dtype) < 8 ? 1 : (size_t)rsh_dtype_bits(dtype) / 8;
}

bool named_count_bytes(const NamedEntry *e, uint64_t *bytes) {
  uint64_t n = element_bytes(e->dtype);
  bool fits = true;
  for (int i = 0; i < e->rank; i++)
    fits = fits && !__builtin_mul_overflow(n, (uint64_t)e->dim[i], &n);
  *bytes = n;
  return fits && n <= INT64_MAX;
}

int named_open_file(const char *path, NamedFile *file, NpyError *error) {
  struct stat status;
  int fd =
      open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC); // a pipe is refused, not waited for
  if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
    *file = (NamedFile){.path = path,
                        .device = (uint64_t)status.st_dev,
                        .inode = (uint64_t)status.st_ino,
                        .size = (uint64_t)status.st_size,
                        .changed = status.st_mtim};
    return fd;
  }
  if (fd < 0)
    named_fail(error, path, "io", "cannot be opened: %s", strerror(errno));
  else
    named_fail(error, path, "bad_file", "is not a regular file");
  if (fd >= 0)
    close(fd);
  return -1;
}

// Converts between the byte orders of the file and of the machine.
static void swap_if_big_endian(Npy *array) {
  bool is_complex = rsh_dtype_is_complex(array->dtype);
  if (!NPY_HOST_IS_LITTLE)
    npy_swap_bytes(array->data, array->bytes, element_bytes(array->dtype) / (is_complex ? 2 : 1));
}

bool named_to_little_endian(const Npy *array, Npy *swapped) {
  *swapped = *array;
  if (NPY_HOST_IS_LITTLE)
    return true;
  if (!npy_allocate(swapped))
    return false;
  memcpy(swapped->data, array->data, array->bytes);
  swap_if_big_endian(swapped);
  return true;
}

static bool map_elements(int fd, const NamedEntry *e, Npy *out) {
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), first = e->begin / page * page;
  if (e->end == e->begin || !NPY_HOST_IS_LITTLE || e->begin % element_bytes(e->dtype) != 0)
    return false;
  size_t bytes = (size_t)(e->end - first);
  void *map = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, (off_t)first);
  if (map == MAP_FAILED)
    return false;
  out->map = map;
  out->map_bytes = bytes;
  out->data = (char *)map + (e->begin - first);
  out->bytes = (size_t)(e->end - e->begin);
  return true;
}

static bool check_truths(const NamedFile *file, const NamedEntry *e, const Npy *array,
                         NpyError *error) {
  const unsigned char *byte = array->data;
  for (size_t i = 0; e->dtype == RSH_BOOL && i < array->bytes; i++)
    if (byte[i] > 1)
      return named_fail(error, file->path, "bad_file",
                        "element %zu of tensor '%.100s' is neither true nor false", i, e->name);
  return true;
}

bool named_map(int fd, uint64_t size, const NamedFile *file, const NamedEntry *e, Npy *out,
               NpyError *error) {
  if (e->end > size)
    return named_fail(error, file->path, "bad_file", "became shorter while it was read");
  *out = (Npy){.dtype = e->dtype, .rank = e->rank};
  memcpy(out->dim, e->dim, sizeof out->dim);
  if (!map_elements(fd, e, out)) {
    if (!npy_allocate(out))
      return named_fail(error, file->path, "no_memory", "not enough memory for %" PRIu64 " bytes",
                        e->end - e->begin);
    if (!file_get_at(fd, e->begin, out->data, out->bytes))
      return named_fail(error, file->path, "io", "cannot be read: %s", strerror(errno));
    swap_if_big_endian(out);
  }
  return check_truths(file, e, out, error);
}

bool named_put(NamedWriter *writer, uint64_t at, const void *bytes, size_t n, NpyError *error) {
  return output_put(writer->stream, at, bytes, n, error->text, sizeof error->text);
}

bool named_put_elements(NamedWriter *writer, uint64_t at, const Npy *array, NpyError *error) {
  Npy swapped;
  if (!named_to_little_endian(array, &swapped))
    return named_fail(error, writer->path, "no_memory", "not enough memory to write it");
  bool good = named_put(writer, at, swapped.data, array->bytes, error);
  if (swapped.data != array->data)
    npy_free(&swapped);
  writer->data += array->bytes;
  return good;
}
