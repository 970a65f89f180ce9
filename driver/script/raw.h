// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of plain elements, .bin and .raw: little-endian, row-major; elements of less than a byte are packed, the first
// in the lowest bits. They are mapped, not read.
#ifndef DRIVER_RAW_H
#define DRIVER_RAW_H

#include "frontend/data/npy.h"

bool is_raw(const char *path); // by its extension

// An array of this type and shape; one size may be -1 and follows from the file size. False: *error says why.
bool raw_read(const char *path, rsh_dtype dtype, int rank, const int64_t *dim, Npy *out,
              NpyError *error);
bool raw_write(const char *path, const Npy *array, NpyError *error);

#endif
