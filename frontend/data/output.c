// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes next to the destination and renames. The file is created with open(O_EXCL) and mode 0666 rather than mkstemp,
// so that the kernel applies the umask (or the folder's default ACL). There is no fsync: compilers run far too often
// for it, and write and close already report a full disk or an exceeded quota.
#define _XOPEN_SOURCE 700 // realpath

#include "frontend/data/output.h"

#include "frontend/data/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Bytes per call. A 2 GiB file copied from another by mmap is written in 0.6 s by calls of 128 KiB, as cp does, and in
// 2.2 s by calls of 32 MiB: small calls do not wait for the readahead of the next one, and the page cache grows in
// small pieces.
static const size_t max_chunk = (size_t)128 << 10;

static bool failed(const char *path, int code, char *error, size_t error_size) {
  const char *hint = code == ENOENT   ? "; its folder does not exist"
                     : code == EISDIR ? "; add the name of a file"
                                      : "";
  snprintf(error, error_size, "cannot write '%.300s': %s%s", path, strerror(code), hint);
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

// A new file in the folder of path: ".reshapec-model.o-0.tmp" for "model.o", so that the next run for the same output
// finds the file of a killed run. Its name has a limited length, since that of path may already be as long as the file
// system allows. The caller frees *name.
static int open_beside(const char *path, char **name) {
  enum { MOST_OF_NAME = 100 };
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  int folder = (int)(base - path), length = (int)strnlen(base, MOST_OF_NAME);
  while (length > 0 && ((unsigned char)base[length] & 0xC0) == 0x80) // not within a character
    length--;
  size_t size = (size_t)folder + MOST_OF_NAME + 32;
  *name = malloc(size);
  if (!*name)
    return -1;
  int fd = -1;
  for (int attempt = 0; attempt < 1000; attempt++) { // other runs may use names
    snprintf(*name, size, "%.*s.reshapec-%.*s-%d.tmp", folder, path, length, base, attempt);
    fd = temporary_open(*name);
    if (fd >= 0 || errno != EEXIST)
      break;
  }
  return fd;
}

// The state of one file of a set: written next to its destination, waiting for its name.
typedef struct Pending {
  bool direct;     // standard output, a device, a pipe: there is nothing to rename
  char *temporary; // unlinked unless renamed; NULL: not created yet
  char *target;    // its final name, with links resolved
} Pending;

static bool is_stdout(const char *path) {
  // /dev/stdout may be a regular file: it must not be replaced under the shell that opened it.
  return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
}

// Fills in direct and target; *old is the file to be replaced, *replaces: there is one. Sets errno on failure.
static bool link_target(const char *path, Pending *pending, struct stat *old, bool *replaces) {
  struct stat link;
  *replaces = false;
  pending->direct = is_stdout(path);
  if (pending->direct)
    return true;
  if (lstat(path, &link) == 0) {
    bool is_there = stat(path, old) == 0;
    if (!is_there && errno != ENOENT)
      return false;
    if (!is_there || (!S_ISREG(old->st_mode) && !S_ISDIR(old->st_mode))) {
      pending->direct = true; // device, pipe, dangling link
      return true;
    }
    *replaces = true;
    if (S_ISDIR(old->st_mode))
      errno = EISDIR;
    // W_OK: rename would replace a write-protected file.
    if (S_ISDIR(old->st_mode) || access(path, W_OK) != 0)
      return false;
  } else if (errno != ENOENT) {
    return false;
  }
  // A link is kept; the file that it names is replaced.
  pending->target = *replaces && S_ISLNK(link.st_mode) ? realpath(path, NULL) : strdup(path);
  return pending->target != NULL;
}

// Opens the file next to the target; below 0, with errno: it failed.
static int open_pending(Pending *pending) {
  int fd = open_beside(pending->target, &pending->temporary);
  if (fd < 0) { // nothing to unlink
    int code = errno;
    free(pending->temporary);
    pending->temporary = NULL;
    errno = code;
  }
  return fd;
}

// Closes a file that was written, `good`: without an error, which is kept.
static bool close_written(int fd, bool good) {
  int code = errno;
  if (close(fd) != 0 && good) // NFS reports a full disk here
    return false;
  errno = code;
  return good;
}

// Writes a temporary file next to the destination, unless it can only be written directly. Sets errno on failure.
static bool write_beside(const OutputFile *file, Pending *pending) {
  struct stat old;
  bool replaces;
  if (!link_target(file->path, pending, &old, &replaces))
    return false;
  if (pending->direct)
    return true;
  int fd = open_pending(pending);
  if (fd < 0)
    return false;
  bool good = write_all(fd, file->part, file->part_count);
  if (good && replaces) // as if overwritten in place
    good = fchmod(fd, old.st_mode & 0777) == 0;
  return close_written(fd, good);
}

static bool write_direct(const OutputFile *file) {
  if (is_stdout(file->path)) // after earlier output
    return fflush(stdout) == 0 && write_all(STDOUT_FILENO, file->part, file->part_count);
  int fd = open(file->path, O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY | O_CLOEXEC, 0666);
  if (fd < 0)
    return false;
  return close_written(fd, write_all(fd, file->part, file->part_count));
}

static bool give_name(Pending *pending) {
  if (!temporary_rename(pending->temporary, pending->target))
    return false;
  free(pending->temporary);
  pending->temporary = NULL;
  return true;
}

// Writes all temporary files, then direct outputs, which cannot be undone, then renames. Returns the file that failed,
// with errno set, or NULL.
static const OutputFile *write_set(const OutputFile *files, Pending *pending, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!write_beside(&files[i], &pending[i]))
      return &files[i];
  for (size_t i = 0; i < count; i++)
    if (pending[i].direct && !write_direct(&files[i]))
      return &files[i];
  for (size_t i = 0; i < count; i++)
    if (!pending[i].direct && !give_name(&pending[i]))
      return &files[i];
  return NULL;
}

bool file_write_together(const OutputFile *files, size_t count, char *error, size_t error_size) {
  Pending *pending = calloc(count > 0 ? count : 1, sizeof *pending);
  const OutputFile *wrong = pending ? write_set(files, pending, count) : &files[0];
  int code = errno;
  for (size_t i = 0; pending && i < count; i++) {
    if (pending[i].temporary)
      temporary_remove(pending[i].temporary);
    free(pending[i].temporary);
    free(pending[i].target);
  }
  free(pending);
  if (wrong && is_stdout(wrong->path))
    snprintf(error, error_size, "cannot write to standard output: %s", strerror(code));
  else if (wrong)
    failed(wrong->path, code, error, error_size);
  return !wrong;
}

bool file_write_parts(const char *path, const OutputPart *parts, size_t count, char *error,
                      size_t error_size) {
  OutputFile file = {path, parts, count};
  return file_write_together(&file, 1, error, error_size);
}

bool file_write_whole(const char *path, const void *bytes, size_t n, char *error,
                      size_t error_size) {
  OutputPart part = {bytes, n};
  return file_write_parts(path, &part, 1, error, error_size);
}

// ---- streams ----

struct OutputStream {
  Pending pending;
  FILE *spool; // unnamed, if the output is written directly; else NULL
  int fd;      // of the spool, or of the temporary file
  uint64_t size;
  char *path;
};

static void free_stream(OutputStream *stream) {
  if (stream->pending.temporary)
    temporary_remove(stream->pending.temporary);
  free(stream->pending.temporary);
  free(stream->pending.target);
  free(stream->path);
  free(stream);
}

// Sets errno on failure.
static bool open_stream(OutputStream *stream, const char *path) {
  struct stat old;
  bool replaces;
  stream->path = strdup(path);
  if (!stream->path || !link_target(path, &stream->pending, &old, &replaces))
    return false;
  if (stream->pending.direct) {
    stream->spool = tmpfile();
    stream->fd = stream->spool ? fileno(stream->spool) : -1;
    return stream->spool != NULL;
  }
  stream->fd = open_pending(&stream->pending);
  return stream->fd >= 0 && (!replaces || fchmod(stream->fd, old.st_mode & 0777) == 0);
}

OutputStream *output_begin(const char *path, char *error, size_t error_size) {
  OutputStream *stream = calloc(1, sizeof *stream);
  if (stream)
    stream->fd = -1;
  if (stream && open_stream(stream, path))
    return stream;
  failed(path, errno, error, error_size);
  if (stream)
    output_drop(stream);
  return NULL;
}

// Writes or reads all of these bytes.
static bool move_at(int fd, uint64_t at, unsigned char *bytes, size_t left, bool writes) {
  while (left > 0) {
    size_t size = left < max_chunk ? left : max_chunk;
    ssize_t n = writes ? pwrite(fd, bytes, size, (off_t)at) : pread(fd, bytes, size, (off_t)at);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0) {
      errno = n == 0 ? EIO : errno;
      return false;
    }
    bytes += n;
    at += (uint64_t)n;
    left -= (size_t)n;
  }
  return true;
}

static bool put_at(int fd, uint64_t at, const void *bytes, size_t n) {
  return move_at(fd, at, (unsigned char *)(uintptr_t)bytes, n, true);
}

bool file_get_at(int fd, uint64_t at, void *bytes, size_t n) {
  return move_at(fd, at, bytes, n, false);
}

bool output_put(OutputStream *stream, uint64_t at, const void *bytes, size_t n, char *error,
                size_t error_size) {
  stream->size = at + n > stream->size ? at + n : stream->size;
  return put_at(stream->fd, at, bytes, n) || failed(stream->path, errno, error, error_size);
}

enum { PIECE = 1 << 20 };

// Copies the last bytes first, since source and destination may overlap.
static bool shift(int from, int to, uint64_t at, uint64_t n, uint64_t by, unsigned char *piece) {
  bool good = true;
  while (good && n > 0) {
    size_t part = n < PIECE ? (size_t)n : PIECE;
    uint64_t first = at + n - part;
    good = file_get_at(from, first, piece, part) && put_at(to, first + by, piece, part);
    n -= part;
  }
  return good;
}

bool output_shift(OutputStream *stream, uint64_t at, uint64_t n, uint64_t by, char *error,
                  size_t error_size) {
  unsigned char *piece = malloc(PIECE);
  int fd = stream->fd;
  if (!stream->spool) // its file is open for writing only
    fd = open(stream->pending.temporary, O_RDONLY | O_CLOEXEC);
  bool good = piece != NULL && fd >= 0 && shift(fd, stream->fd, at, n, by, piece);
  int code = errno;
  stream->size += by;
  free(piece);
  if (fd >= 0 && fd != stream->fd)
    close(fd);
  return good || failed(stream->path, code, error, error_size);
}

// Copies the spool to an output without offsets.
static bool unspool(const OutputStream *stream) {
  unsigned char *piece = malloc(PIECE);
  int fd = open(stream->path, O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY | O_CLOEXEC, 0666);
  bool good = piece != NULL && fd >= 0;
  for (uint64_t at = 0; good && at < stream->size; at += PIECE) {
    OutputPart part = {piece, stream->size - at < PIECE ? (size_t)(stream->size - at) : PIECE};
    good = file_get_at(stream->fd, at, piece, part.size) && write_all(fd, &part, 1);
  }
  int code = errno;
  free(piece);
  errno = code;
  return fd >= 0 && close_written(fd, good);
}

static bool close_stream(OutputStream *stream) {
  bool good = stream->spool ? fclose(stream->spool) == 0 : close(stream->fd) == 0;
  stream->spool = NULL;
  stream->fd = -1;
  return good;
}

bool output_end(OutputStream *stream, char *error, size_t error_size) {
  bool good = stream->spool ? unspool(stream) && close_stream(stream)
                            : close_stream(stream) && give_name(&stream->pending);
  if (!good)
    failed(stream->path, errno, error, error_size);
  output_drop(stream);
  return good;
}

void output_drop(OutputStream *stream) {
  if (!stream)
    return;
  if (stream->fd >= 0)
    close_stream(stream);
  free_stream(stream);
}
