// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a whole output file: object, header, text or .npy.
//
// A regular file is written next to its destination and renamed, so a reader finds the old file or the complete new
// one, and a failed run leaves the old one unchanged. "-" is standard output; devices, pipes and sockets are written
// directly.
#ifndef FRONTEND_OUTPUT_H
#define FRONTEND_OUTPUT_H

#include "frontend/text/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct OutputPart {
  const void *bytes; // may be NULL when size is 0
  size_t size;
} OutputPart;
typedef VEC(OutputPart) OutputParts;

// Writes the n bytes. False: error holds one line for the user that names the path and the reason; it is truncated, and
// always terminated, at error_size.
bool file_write_whole(const char *path, const void *bytes, size_t n, char *error,
                      size_t error_size);

// The same for content in several pieces.
bool file_write_parts(const char *path, const OutputPart *parts, size_t count, char *error,
                      size_t error_size);

typedef struct OutputFile {
  const char *path;
  const OutputPart *part;
  size_t part_count;
} OutputFile;

// Writes several files as one step: no file gets its name before all are written.
bool file_write_together(const OutputFile *files, size_t count, char *error, size_t error_size);

// Reads exactly n bytes at an offset of a file. False, with errno set: it has fewer.
bool file_get_at(int fd, uint64_t at, void *bytes, size_t n);

// A file that is written piece by piece, at any offsets, and gets its name at the end. A pipe or a device, which does
// not support offsets, is written at the end, from another file.
typedef struct OutputStream OutputStream;
// NULL: error says why.
OutputStream *output_begin(const char *path, char *error, size_t error_size);
bool output_put(OutputStream *stream, uint64_t at, const void *bytes, size_t n, char *error,
                size_t error_size);
// Moves n bytes from `at` on up by `by`.
bool output_shift(OutputStream *stream, uint64_t at, uint64_t n, uint64_t by, char *error,
                  size_t error_size);
// Gives the file its name. The stream is freed even on failure.
bool output_end(OutputStream *stream, char *error, size_t error_size);
// Discards the stream and its file. NULL is allowed.
void output_drop(OutputStream *stream);

#endif
