// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes beside and renames. The file is made with open(O_EXCL) and mode 0666 rather than mkstemp:
// the kernel then applies the umask (or the folder's default ACL) without this process having to
// read and reset its umask. There is no fsync: compilers are run far too often for it, and write
// and close already report a full disk or an exceeded quota.
#define _XOPEN_SOURCE 700 // realpath

#include "frontend/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Linux moves at most 2 GiB - 4 KiB a call, macOS refuses more than INT_MAX.
static const size_t max_chunk = (size_t)1 << 30;

static bool failed(const char *path, int code, char *error, size_t error_size) {
  snprintf(error, error_size, "cannot write '%.300s': %s", path, strerror(code));
  return false;
}

// Sets errno on failure.
static bool write_all(int fd, const OutputPart *parts, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const unsigned char *at = parts[i].bytes;
    size_t left = parts[i].size;
    while (left > 0) {
      ssize_t n = write(fd, at, left < max_chunk ? left : max_chunk);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0) {
        if (n == 0)
          errno = EIO;
        return false;
      }
      at += n;
      left -= (size_t)n;
    }
  }
  return true;
}

static bool write_direct(const char *path, const OutputPart *parts, size_t count, char *error,
                         size_t error_size) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY | O_CLOEXEC, 0666);
  if (fd < 0)
    return failed(path, errno, error, error_size);
  bool good = write_all(fd, parts, count);
  int code = errno;
  if (close(fd) != 0 && good) {
    good = false;
    code = errno;
  }
  return good || failed(path, code, error, error_size);
}

// A new file in the folder of path. Its name does not grow with that of path, which may already be
// as long as the file system allows. *name is for the caller to free.
static int open_beside(const char *path, char **name) {
  const char *slash = strrchr(path, '/');
  int folder = slash ? (int)(slash - path) + 1 : 0;
  size_t size = (size_t)folder + 64;
  *name = malloc(size);
  if (!*name)
    return -1;
  int fd = -1;
  for (int attempt = 0; attempt < 1000; attempt++) { // other runs, or what a killed run left
    snprintf(*name, size, "%.*s.reshapec-%ld-%d.tmp", folder, path, (long)getpid(), attempt);
    fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST)
      break;
  }
  return fd;
}

// old: the file that will be replaced, or NULL. path is where to write, shown its name in messages.
static bool write_beside(const char *path, const char *shown, const struct stat *old,
                         const OutputPart *parts, size_t count, char *error, size_t error_size) {
  char *name = NULL;
  int fd = open_beside(path, &name);
  if (fd < 0) {
    int code = errno;
    free(name);
    return failed(shown, code, error, error_size);
  }
  bool good = write_all(fd, parts, count);
  if (good && old) // as if it had been overwritten in place
    good = fchmod(fd, old->st_mode & 0777) == 0;
  int code = errno;
  if (close(fd) != 0 && good) { // NFS reports a full disk here
    good = false;
    code = errno;
  }
  if (good && rename(name, path) != 0) {
    good = false;
    code = errno;
  }
  if (!good)
    unlink(name);
  free(name);
  return good || failed(shown, code, error, error_size);
}

static bool write_stdout(const OutputPart *parts, size_t count, char *error, size_t error_size) {
  if (fflush(stdout) == 0 && write_all(STDOUT_FILENO, parts, count)) // keep what was printed before
    return true;
  snprintf(error, error_size, "cannot write to standard output: %s", strerror(errno));
  return false;
}

bool file_write_parts(const char *path, const OutputPart *parts, size_t count, char *error,
                      size_t error_size) {
  // /dev/stdout may be a regular file: not to be replaced under the shell that opened it.
  if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0)
    return write_stdout(parts, count, error, error_size);
  struct stat link, old;
  if (lstat(path, &link) != 0) {
    if (errno != ENOENT)
      return failed(path, errno, error, error_size);
    return write_beside(path, path, NULL, parts, count, error, error_size);
  }
  if (stat(path, &old) != 0 || !(S_ISREG(old.st_mode) || S_ISDIR(old.st_mode)))
    return write_direct(path, parts, count, error, error_size); // device, pipe, link to nothing
  if (S_ISDIR(old.st_mode))
    return failed(path, EISDIR, error, error_size);
  if (access(path, W_OK) != 0) // rename would replace a file that is protected against writing
    return failed(path, errno, error, error_size);
  if (!S_ISLNK(link.st_mode))
    return write_beside(path, path, &old, parts, count, error, error_size);
  char *target = realpath(path, NULL); // keep the link, replace the file that it names
  if (!target)
    return failed(path, errno, error, error_size);
  bool good = write_beside(target, path, &old, parts, count, error, error_size);
  free(target);
  return good;
}

bool file_write_whole(const char *path, const void *bytes, size_t n, char *error,
                      size_t error_size) {
  OutputPart part = {bytes, n};
  return file_write_parts(path, &part, 1, error, error_size);
}
