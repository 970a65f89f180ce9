// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of named tensors (.safetensors): the length of a header in 8 bytes, the header as JSON, elements.
//
//   {"w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...}
//
// Offsets count from the end of the header. Tensors are mapped, not read; they are written one after the other, so that
// no more than one of them needs memory.
#ifndef DRIVER_SAFETENSORS_H
#define DRIVER_SAFETENSORS_H

#include "frontend/data/npy.h"
#include "frontend/text/arena.h"

#include <time.h>

typedef struct SafetensorsEntry {
  const char *name;
  rsh_dtype dtype; // RSH_DTYPE_NONE: one that there is no element type for, which `type` names
  const char *type;
  int rank;
  int64_t dim[RSH_MAX_RANK];
  uint64_t begin, end; // in the file
} SafetensorsEntry;

typedef struct Safetensors {
  const char *path;
  SafetensorsEntry *entry; // in the order of the file's elements
  int count;
  uint64_t header; // bytes
  // Which file it is: the same as long as none of these changes.
  uint64_t device, inode, size;
  struct timespec changed;
} Safetensors;

bool is_safetensors(const char *path); // by its ending

// What *out has of the same file, as it was left, stays. False: *error says why.
bool safetensors_open(Arena *arena, const char *path, Safetensors *out, NpyError *error);
// The tensor of this name, to be freed by npy_free.
bool safetensors_read(const Safetensors *file, const char *name, Npy *out, NpyError *error);

typedef struct SafetensorsWriter SafetensorsWriter;
// `header` is about how many bytes the header will have: with more, all elements move at the end. NULL: *error says why.
SafetensorsWriter *safetensors_begin(const char *path, uint64_t header, NpyError *error);
bool safetensors_add(SafetensorsWriter *writer, const char *name, const Npy *array,
                     NpyError *error);
// The file gets its name. The writer is gone, also where that fails.
bool safetensors_end(SafetensorsWriter *writer, NpyError *error);
void safetensors_drop(SafetensorsWriter *writer);

#endif
