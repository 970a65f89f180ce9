// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The formats of files of named tensors: a row of functions each. named_file.c has the common parts.
#ifndef DRIVER_NAMED_FORMAT_H
#define DRIVER_NAMED_FORMAT_H

#include "driver/script/named.h"
#include "frontend/data/output.h"

#include <jansson.h>

typedef struct NamedFormat {
  const char *ending;
  // Fills in the entries and the header size of a file of `size` bytes.
  bool (*index)(Arena *arena, int fd, uint64_t size, NamedFile *file, NpyError *error);
  bool (*read)(int fd, uint64_t size, const NamedFile *file, const NamedEntry *e, Npy *out,
               NpyError *error);
  // Writes the elements, and records their header entry.
  bool (*add)(NamedWriter *writer, const char *name, const char *type, const Npy *array,
              NpyError *error);
  bool (*end)(NamedWriter *writer, NpyError *error); // writes the header
} NamedFormat;

extern const NamedFormat safetensors_format, npz_format, gguf_format;

struct NamedWriter {
  const NamedFormat *format;
  OutputStream *stream;
  Arena *arena;
  const char *path;
  json_t *name; // each name added, with its header entry in .safetensors files
  VEC(NamedEntry) entry;
  uint64_t wanted;     // bytes of the header, as estimated at the beginning
  uint64_t room, data; // bytes for the header; bytes of elements so far
};

// ---- named_file.c
bool named_fail(NpyError *error, const char *path, const char *kind, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
uint64_t named_rounded(uint64_t n, uint64_t multiple);
// Little-endian integers, as in all of these files.
uint64_t named_load(const unsigned char *from, int bytes);
void named_store(unsigned char *to, uint64_t n, int bytes);
// Computes the bytes of the elements. False: 2^63 or more.
bool named_count_bytes(const NamedEntry *e, uint64_t *bytes);
// Opens a regular file and fills in its identity. -1: *error says why.
int named_open_file(const char *path, NamedFile *file, NpyError *error);
// The elements in the byte order of such files: the array itself, or a copy that npy_free frees. False: no memory.
bool named_to_little_endian(const Npy *array, Npy *swapped);
// The elements at e->begin: mapped, or in allocated memory if they are misaligned or in the other byte order.
bool named_map(int fd, uint64_t size, const NamedFile *file, const NamedEntry *e, Npy *out,
               NpyError *error);
bool named_put(NamedWriter *writer, uint64_t at, const void *bytes, size_t n, NpyError *error);
bool named_put_elements(NamedWriter *writer, uint64_t at, const Npy *array, NpyError *error);

#endif
