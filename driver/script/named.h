// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of named tensors: .safetensors, .npz and .gguf. Tensors are mapped where their elements lie in the file as memory
// wants them, otherwise read. They are written one after the other, so that no more than one of them needs memory.
#ifndef DRIVER_NAMED_H
#define DRIVER_NAMED_H

#include "frontend/data/npy.h"
#include "frontend/text/arena.h"

#include <time.h>

typedef struct NamedEntry {
  const char *name;
  rsh_dtype
      dtype; // RSH_DTYPE_NONE: one that there is no element type for, which `type` names; in .npz not known yet
  const char *type;
  int rank;
  int64_t dim[RSH_MAX_RANK];
  uint64_t begin, end; // in the file; of .npz of what the archive says of it
  // Of .npz: bytes of the array's file, how it is stored in the archive, and its checksum.
  uint64_t bytes;
  unsigned method, crc;
} NamedEntry;

typedef struct NamedFile {
  const char *path;
  NamedEntry *entry; // in the order of the file's elements
  int count;
  uint64_t header; // bytes
  // Which file it is: the same as long as none of these changes.
  uint64_t device, inode, size;
  struct timespec changed;
} NamedFile;

bool is_named(const char *path); // by its ending

// What *out has of the same file, as it was left, stays. False: *error says why.
bool named_open(Arena *arena, const char *path, NamedFile *out, NpyError *error);
// The tensor of this name, to be freed by npy_free.
bool named_read(const NamedFile *file, const char *name, Npy *out, NpyError *error);

typedef struct NamedWriter NamedWriter;
// `header` is about how many bytes the header will have: with more, all elements move at the end. NULL: *error says why.
NamedWriter *named_begin(const char *path, uint64_t header, NpyError *error);
// `type` is what a .gguf file calls blocks of bytes, "Q4_0"; NULL: the array's own.
bool named_add(NamedWriter *writer, const char *name, const char *type, const Npy *array,
               NpyError *error);
// The file gets its name. The writer is gone, also where that fails.
bool named_end(NamedWriter *writer, NpyError *error);
void named_drop(NamedWriter *writer);

#endif
