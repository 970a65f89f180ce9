// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code shared by the fuzz targets.
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define REQUIRE(condition) ((condition) ? (void)0 : abort())

// A folder for files: in memory, if the system has a place for that. It is removed when the process ends.
static char fuzz_place[32];

static inline void fuzz_clear(void) {
  char path[sizeof fuzz_place + 256];
  DIR *open = opendir(fuzz_place);
  REQUIRE(open);
  for (const struct dirent *e; (e = readdir(open)) != NULL;) {
    snprintf(path, sizeof path, "%s/%s", fuzz_place, e->d_name);
    unlink(path);
  }
  closedir(open);
}

static inline void fuzz_remove(void) {
  fuzz_clear();
  rmdir(fuzz_place);
}

static inline const char *fuzz_folder(void) {
  if (fuzz_place[0] == '\0') {
    snprintf(fuzz_place, sizeof fuzz_place, "%s/fuzz-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    REQUIRE(mkdtemp(fuzz_place) && atexit(fuzz_remove) == 0);
  }
  return fuzz_place;
}

// An unnamed file that contains the bytes, the same one in each call. It is read through `path`.
typedef struct FuzzFile {
  int fd; // 0: not yet open
  char path[32];
} FuzzFile;

static inline const char *fuzz_file(FuzzFile *file, const uint8_t *bytes, size_t size) {
  if (file->fd == 0) {
    char name[64];
    snprintf(name, sizeof name, "%s/input-XXXXXX", fuzz_folder());
    file->fd = mkstemp(name);
    REQUIRE(file->fd > 0 && unlink(name) == 0);
    snprintf(file->path, sizeof file->path, "/dev/fd/%d", file->fd);
  }
  REQUIRE(ftruncate(file->fd, 0) == 0 && pwrite(file->fd, bytes, size, 0) == (ssize_t)size);
  return file->path;
}

#endif
