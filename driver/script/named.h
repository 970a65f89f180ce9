// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of named tensors: .safetensors, .npz and .gguf. Tensors are mapped if their elements are stored in the file as
// in memory, otherwise read. They are written one by one, so only one of them needs memory.
#ifndef DRIVER_NAMED_H
#define DRIVER_NAMED_H

#include "frontend/data/npy.h"
#include "frontend/text/arena.h"

#include <time.h>

typedef struct NamedEntry {
  const char *name;
  rsh_dtype
      dtype; // RSH_DTYPE_NONE: not an element type, `type` names it; unknown for .npz files until the array is read
  const char *type;
  int rank;
  int64_t dim[RSH_MAX_RANK];
  uint64_t begin, end; // in the file; in .npz of the archive's entry
  // .npz: bytes of the array's file, compression method in the archive, and checksum.
  uint64_t bytes;
  unsigned method, crc;
} NamedEntry;

typedef struct NamedFile {
  const char *path;
  NamedEntry *entry; // in the order of their elements in the file
  int count;
  uint64_t header; // bytes
  // The identity of the file: the same as long as none of these changes.
  uint64_t device, inode, size;
  struct timespec changed;
} NamedFile;

bool is_named(const char *path); // by its extension
// True for the name of a .npy file: "x.npy", a name without extension, or "-".
bool is_npy(const char *path);
// False for a name of no format that scripts write, which *error says.
bool named_has_format(const char *path, NpyError *error);

// If *out is already the index of this file, and the file is unchanged, it is kept. False: *error says why.
bool named_open(Arena *arena, const char *path, NamedFile *out, NpyError *error);
// Reads the tensor of this name; npy_free frees it.
bool named_read(const NamedFile *file, const char *name, Npy *out, NpyError *error);

typedef struct NamedWriter NamedWriter;
// `header`: expected bytes of the header; if it needs more, all elements are moved at the end. NULL: *error says why.
NamedWriter *named_begin(const char *path, uint64_t header, NpyError *error);
// For a dry run: the writer takes only names, and writes nothing.
NamedWriter *named_begin_dry(const char *path, NpyError *error);
// Notes the name of a tensor, without its elements. False: *error says why the file cannot have it.
bool named_note(NamedWriter *writer, const char *name, NpyError *error);
// `type`: the element type in terms of .gguf files, such as "Q4_0" for blocks of bytes; NULL: that of the array.
bool named_add(NamedWriter *writer, const char *name, const char *type, const Npy *array,
               NpyError *error);
// The number of tensors of an older file that have not been added; *first is the name of one.
int named_missing(const NamedWriter *writer, const NamedFile *older, const char **first);
// Renames the file to its final name; a dry run has none. Frees the writer, even on failure.
bool named_end(NamedWriter *writer, NpyError *error);
void named_drop(NamedWriter *writer);

#endif
