// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of elements and nothing else, .bin and .raw: little-endian, row-major; those of less than a byte packed, the
// first in the lowest bits. They are mapped, not read.
#ifndef DRIVER_RAW_H
#define DRIVER_RAW_H

#include "frontend/data/npy.h"

bool is_raw(const char *path); // by its ending

// An array of this type and shape; one size may be -1, which the length of the file decides. False: *error says why.
bool raw_read(const char *path, rsh_dtype dtype, int rank, const int64_t *dim, Npy *out,
              NpyError *error);
bool raw_write(const char *path, const Npy *array, NpyError *error);

#endif
