// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays in NumPy's .npy files: reads format versions 1.0, 2.0 and 3.0, writes 1.0.
//
// Arrays in memory are row-major and in host byte order, for files of any order. NumPy lacks some of our element types,
// so the caller selects the type:
//
//   type                  read from             written as   in the file
//   NumPy's types         its own descr         the same
//   bf16                  <u2  V2               <u2          the 16 bits
//   f8*                   |u1  V1 (e5m2: f1)    |u1          the 8 bits
//   i4 i2                 |i1  V1               |i1          one byte an element, sign-extended
//   u4 u2 f4e2m1          |u1  V1               |u1          one byte an element
//   string                <U5  |S5              <U5          UTF-32, or bytes of UTF-8, of a fixed width
//
// V1, V2 and f1 are what the Python package ml_dtypes writes. In memory sub-byte elements are packed, the first in the
// lowest bits, as in ONNX. Strings are pointers to NUL-terminated UTF-8; they are written as wide as the longest.
// Objects, dates and records are rejected.
#ifndef FRONTEND_NPY_H
#define FRONTEND_NPY_H

#include "frontend/data/output.h"
#include "runtime/dtype.h"
#include "runtime/shape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Npy {
  rsh_dtype dtype;
  int rank; // 0: a scalar
  int64_t dim[RSH_MAX_RANK];
  void *data;   // row-major; when read: aligned to 64 bytes (strings: to pointers) and never NULL
  size_t bytes; // of data: ceil(elements * bits / 8); text that strings point to is not counted
  // Of an array that npy_read left in its file, which is mapped read-only; else NULL.
  void *map;
  size_t map_bytes;
} Npy;

// The number of elements.
static inline int64_t npy_volume(const Npy *array) {
  int64_t n = 1;
  for (int i = 0; i < array->rank; i++)
    n *= array->dim[i];
  return n;
}

typedef struct NpyError {
  char text[512]; // one line that names the file
  // bad_file bad_type type_mismatch rank_limit overflow limit bad_arg no_memory io
  const char *kind;
} NpyError;

// Reads path, "-" being standard input. want: the element type to read it as, or RSH_DTYPE_NONE for NumPy's type.
// False: *out is empty and *error says why. A file whose length does not fit its header is rejected before
// its data is allocated. A large file that needs no conversion is mapped, not read: while the array is in use the file
// may be replaced (by rename), but not truncated.
bool npy_read(const char *path, rsh_dtype want, Npy *out, NpyError *error);

// The same for an array within another file: `bytes` bytes at offset `at` of an open file, or `bytes` bytes from
// `source`. Messages call it `name`.
bool npy_read_part(int fd, uint64_t at, uint64_t bytes, const char *name, Npy *out,
                   NpyError *error);
// Fewer than `size` bytes: the end. False: *error says why.
typedef bool NpySource(void *from, void *bytes, size_t size, size_t *got, NpyError *error);
bool npy_read_from(NpySource *source, void *from, uint64_t bytes, const char *name, Npy *out,
                   NpyError *error);

// Writes path, "-" being standard output: byte for byte what numpy.save writes. frontend/data/output.h says how an old
// file is replaced.
bool npy_write(const char *path, const Npy *array, NpyError *error);

// The output of npy_write in two parts; free it with npy_parts_free. False: *error says why.
enum { NPY_MOST_HEADER = 1024 };
typedef struct NpyParts {
  char header[NPY_MOST_HEADER];
  OutputPart part[2];
  void *made; // elements as stored in the file, if memory has them in another form
} NpyParts;
bool npy_parts(const Npy *array, const char *name, NpyParts *parts, NpyError *error);
void npy_parts_free(NpyParts *parts);

// Memory for so many bytes, perhaps 0, aligned to 64. NULL: out of memory.
void *npy_memory(size_t size);

// Allocates an array of this type and shape in such memory; bits beyond the last element are not set. False: out
// of memory.
bool npy_allocate(Npy *array);

// Frees the data of an array from npy_read or npy_allocate; harmless on an empty one.
void npy_free(Npy *array);

enum { NPY_HOST_IS_LITTLE = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ };
// Swaps the bytes of numbers of `part` bytes.
void npy_swap_bytes(unsigned char *bytes, size_t size, size_t part);

#endif
