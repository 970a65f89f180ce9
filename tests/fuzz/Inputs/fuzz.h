// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code shared by the fuzz targets.
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define REQUIRE(condition) ((condition) ? (void)0 : abort())

// An unnamed file that holds the bytes; the same one in each call. It is read through `path`.
typedef struct FuzzFile {
  int fd; // 0: not there yet
  char path[32];
} FuzzFile;

static inline const char *fuzz_file(FuzzFile *file, const uint8_t *bytes, size_t size) {
  char name[] = "/tmp/fuzz-XXXXXX";
  if (file->fd == 0) {
    file->fd = mkstemp(name);
    REQUIRE(file->fd > 0 && unlink(name) == 0);
    snprintf(file->path, sizeof file->path, "/dev/fd/%d", file->fd);
  }
  REQUIRE(ftruncate(file->fd, 0) == 0 && pwrite(file->fd, bytes, size, 0) == (ssize_t)size);
  return file->path;
}

#endif
