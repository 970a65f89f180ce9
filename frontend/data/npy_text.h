// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text of fixed width, as in .npy files, and strings, as in graphs: pointers to UTF-8.
//
//   <U3   61 00 00 00  e4 00 00 00  00 00 00 00     "aä"     UTF-32, padded with zeros
//   |S3   61 c3 a4                                  "aä"     bytes, read as UTF-8
#ifndef FRONTEND_NPY_TEXT_H
#define FRONTEND_NPY_TEXT_H

#include "frontend/data/npy_header.h"

// Reads `count` elements of a file with this header as pointers, followed by their text in one block of memory, to
// be freed with free(). NULL: `why` says which element is not a valid string; it is empty if memory ran out.
const char **npy_text_read(const NpyHeader *header, const unsigned char *data, int64_t count,
                           char why[128]);

// The characters of the longest string, 1 if all are empty, as in NumPy. NULL is an empty string. -1: *wrong is not
// UTF-8.
int64_t npy_text_width(const char *const *string, int64_t count, int64_t *wrong);

// Writes UTF-32 in host byte order, `width` characters per element, padded with zeros. Strings are UTF-8 of at most
// that width.
void npy_text_write(const char *const *string, int64_t count, int64_t width, uint32_t *to);

#endif
