// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of arrays, read and written while each allocation and each system call in turn is refused: the result is the
// same, or there is an error with a message, and nothing stays allocated.
// UNSUPPORTED: sanitized
// RUN: rm -rf %t.dir && mkdir %t.dir && %{cc} %{cflags} %s -o %t %{libs}
// RUN: cd %t.dir && %{python} -B %S/Inputs/refusals.py && %t
#define _GNU_SOURCE
#include "driver/script/named_format.h"
#include "driver/script/raw.h"
#include "frontend/text/rescue.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// ---- what is refused

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

// CUT: the file ends there; SIGNAL: a signal comes, after which the call is made again
typedef enum Kind { MEMORY, FILES, CUT, SIGNAL, KINDS } Kind;
static const char *const kind_names[] = {"memory", "a call", "the file's end", "a signal"};

static Kind refused;
static long at, calls, blocks; // 0: none; counted from 1; that are allocated

static bool refuses(Kind kind, int number) {
  bool is_it = at > 0 && kind == refused && ++calls == at;
  errno = is_it ? number : errno;
  return is_it;
}

static void *counted(void *block) {
  blocks += block != NULL;
  return block;
}

void *malloc(size_t size) { return refuses(MEMORY, ENOMEM) ? NULL : counted(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) {
  return refuses(MEMORY, ENOMEM) ? NULL : counted(__libc_calloc(count, size));
}
void *realloc(void *old, size_t size) {
  if (refuses(MEMORY, ENOMEM))
    return NULL;
  void *made = __libc_realloc(old, size);
  blocks += made != NULL && old == NULL;
  return made;
}
void *aligned_alloc(size_t alignment, size_t size) {
  return refuses(MEMORY, ENOMEM) ? NULL : counted(__libc_memalign(alignment, size));
}
void free(void *block) {
  blocks -= block != NULL;
  __libc_free(block);
}

int open(const char *path, int flags, ...) {
  va_list args;
  va_start(args, flags);
  int mode = (flags & O_CREAT) != 0 ? va_arg(args, int) : 0;
  va_end(args);
  return refuses(FILES, EMFILE) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
ssize_t read(int fd, void *bytes, size_t size) {
  if (refuses(CUT, 0))
    return 0;
  return refuses(FILES, EIO) || refuses(SIGNAL, EINTR) ? -1 : syscall(SYS_read, fd, bytes, size);
}
ssize_t pread(int fd, void *bytes, size_t size, off_t from) {
  if (refuses(CUT, 0))
    return 0;
  return refuses(FILES, EIO) || refuses(SIGNAL, EINTR)
             ? -1
             : syscall(SYS_pread64, fd, bytes, size, from);
}
ssize_t write(int fd, const void *bytes, size_t size) {
  return refuses(FILES, ENOSPC) || refuses(SIGNAL, EINTR) ? -1
                                                          : syscall(SYS_write, fd, bytes, size);
}
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t from) {
  return refuses(FILES, ENOSPC) || refuses(SIGNAL, EINTR)
             ? -1
             : syscall(SYS_pwrite64, fd, bytes, size, from);
}
off_t lseek(int fd, off_t to, int whence) {
  return refuses(FILES, ESPIPE) ? -1 : (off_t)syscall(SYS_lseek, fd, to, whence);
}
void *mmap(void *place, size_t size, int protection, int flags, int fd, off_t from) {
  return fd >= 0 && refuses(FILES, ENODEV)
             ? MAP_FAILED
             : (void *)syscall(SYS_mmap, place, size, protection, flags, fd, from);
}
int fstat(int fd, struct stat *out) {
  return refuses(FILES, EIO) ? -1 : (int)syscall(SYS_newfstatat, fd, "", out, AT_EMPTY_PATH);
}

// ---- what is done

typedef struct Outcome {
  uint64_t sum; // of all that was read
  NpyError error;
} Outcome;

static void add(Outcome *o, const void *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    o->sum = (o->sum ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3;
}

static void add_array(Outcome *o, Npy *array) {
  add(o, array->dim, sizeof *array->dim * (size_t)array->rank);
  for (size_t i = 0; array->dtype == RSH_STRING && i < array->bytes / sizeof(char *); i++)
    add(o, ((char **)array->data)[i], strlen(((char **)array->data)[i]));
  add(o, array->data, array->dtype == RSH_STRING ? 0 : array->bytes);
  npy_free(array);
}

static bool read_npy(const char *path, rsh_dtype type, Outcome *o) {
  Npy array;
  bool good = npy_read(path, type, &array, &o->error);
  if (good)
    add_array(o, &array);
  return good;
}

static bool read_raw(const char *path, rsh_dtype type, Outcome *o) {
  Npy array;
  bool good = raw_read(path, type, 1, (int64_t[]){-1}, &array, &o->error);
  if (good)
    add_array(o, &array);
  return good;
}

static bool read_named(const char *path, rsh_dtype type, Outcome *o) {
  NamedFile file = {0};
  Arena *arena = arena_new();
  bool good = named_open(arena, path, &file, &o->error);
  (void)type;
  for (int i = 0; good && i < file.count; i++) {
    Npy array;
    good = named_read(&file, file.entry[i].name, &array, &o->error);
    if (good)
      add_array(o, &array);
  }
  arena_free(arena);
  return good;
}

static char *const words[] = {"a", "bc", ""};
static float numbers[] = {1, 2, 3, 4};

static Npy array_of(rsh_dtype type) {
  if (type == RSH_STRING)
    return (Npy){type, 1, {3}, (void *)words, sizeof words, NULL, 0};
  if (type == RSH_I4)
    return (Npy){type, 1, {6}, numbers, 3, NULL, 0};
  return (Npy){RSH_F32, 2, {2, 2}, numbers, sizeof numbers, NULL, 0};
}

static bool write_npy(const char *path, rsh_dtype type, Outcome *o) {
  Npy array = array_of(type);
  bool good = npy_write(path, &array, &o->error);
  return good;
}

static bool write_raw(const char *path, rsh_dtype type, Outcome *o) {
  Npy array = array_of(type);
  return raw_write(path, &array, &o->error);
}

static NamedWriter *writer; // NULL: there is none

static bool write_named(const char *path, rsh_dtype type, Outcome *o) {
  Npy array = array_of(type);
  writer = named_begin(path, type == RSH_F32 ? 100 : 0, &o->error);
  if (!writer)
    return false;
  static char name[5000]; // with it the header needs more room than was expected
  memset(name, 'n', strncmp(path, "room", 4) == 0 ? sizeof name - 1 : 1);
  bool good = named_add(writer, name, NULL, &array, &o->error) &&
              named_add(writer, "second", NULL, &array, &o->error);
  if (good)
    good = named_end(writer, &o->error);
  else
    named_drop(writer);
  writer = NULL;
  return good;
}

// After its arena went.
static void drop_writer(void) {
  if (writer)
    output_drop(writer->stream);
  writer = NULL;
}

typedef bool Act(const char *path, rsh_dtype type, Outcome *o);

// Outputs are read as well, while nothing is refused.
static const struct {
  Act *act;
  const char *path;
  rsh_dtype type;
  Act *check;
} rows[] = {
    {read_npy, "plain.npy", RSH_DTYPE_NONE, NULL},
    {read_npy, "text.npy", RSH_DTYPE_NONE, NULL},
    {read_npy, "text-fortran.npy", RSH_DTYPE_NONE, NULL},
    {read_npy, "fortran.npy", RSH_DTYPE_NONE, NULL},
    {read_npy, "large.npy", RSH_DTYPE_NONE, NULL}, // is mapped
    {read_npy, "truths.npy", RSH_DTYPE_NONE, NULL},
    {read_npy, "nibbles.npy", RSH_I4, NULL},
    {read_raw, "raw.bin", RSH_F32, NULL},
    {read_raw, "empty.bin", RSH_F32, NULL},
    {read_named, "stored.npz", RSH_DTYPE_NONE, NULL},
    {read_named, "packed.npz", RSH_DTYPE_NONE, NULL},
    {read_named, "some.safetensors", RSH_DTYPE_NONE, NULL},
    {read_named, "some.gguf", RSH_DTYPE_NONE, NULL},
    {write_npy, "out.npy", RSH_F32, read_npy},
    {write_npy, "out.npy", RSH_I4, read_npy},
    {write_npy, "out.npy", RSH_STRING, read_npy},
    {write_raw, "out.bin", RSH_F32, read_raw},
    {write_named, "out.npz", RSH_F32, read_named},
    {write_named, "out.npz", RSH_STRING, read_named},
    {write_named, "out.safetensors", RSH_F32, read_named},
    {write_named, "out.safetensors", RSH_DTYPE_NONE, read_named},
    {write_named, "out.gguf", RSH_F32, read_named},
    {write_named, "room.safetensors", RSH_F32, read_named},
    {write_named, "out.gguf", RSH_DTYPE_NONE, read_named},
};

static int failures;

static void fail(size_t row, const char *what, const Outcome *o) {
  printf("%s, %s %ld refused: %s (%s: %s)\n", rows[row].path, kind_names[refused], at, what,
         o->error.kind, o->error.text);
  failures++;
}

// As in the program, which ends when memory of an arena or of jansson runs out.
static void *json_memory(size_t size) { return memory_of(malloc(size)); }

// Does it while call `number` is refused. False: it does not make as many.
static bool run(size_t row, long number, Outcome *o, bool *good) {
  volatile bool is_over = false;
  volatile long before = blocks;
  Rescue rescue;
  *o = (Outcome){0, {"", ""}};
  at = number;
  calls = 0;
  if (setjmp(rescue_begin(&rescue)->place) == 0) {
    *good = rows[row].act(rows[row].path, rows[row].type, o);
    rescue_end(&rescue);
  } else {
    o->error = (NpyError){"out of memory", "no_memory"};
    *good = false;
    is_over = true;
    drop_writer();
  }
  at = 0;
  if (*good && rows[row].check && !rows[row].check(rows[row].path, rows[row].type, o))
    fail(row, "written, but not readable", o);
  if (blocks != before && !is_over)
    at = number, fail(row, "memory stays allocated", o), at = 0;
  return calls >= number;
}

static void check(size_t row) {
  Outcome whole, o;
  bool good;
  run(row, 0, &whole, &good);
  if (!good)
    fail(row, "fails anyway", &whole);
  for (int k = 0; k < KINDS; k++) {
    refused = (Kind)k;
    for (long number = 1; run(row, number, &o, &good); number++) {
      at = number;
      if (!good && k == SIGNAL)
        fail(row, "not done again", &o);
      if (good && o.sum != whole.sum)
        fail(row, "other elements", &o);
      if (!good && (!*o.error.text || !*o.error.kind))
        fail(row, "no message", &o);
      if (!good && k == MEMORY && strcmp(o.error.kind, "no_memory") != 0 &&
          !strstr(o.error.text, "memory"))
        fail(row, "another message", &o);
      at = 0;
    }
  }
}

static int files_here(void) {
  int n = 0;
  DIR *here = opendir(".");
  while (here && readdir(here))
    n++;
  if (here)
    closedir(here);
  return n;
}

int main(void) {
  json_set_alloc_funcs(json_memory, free);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    check(i);
  enum { INPUTS = 13, OUTPUTS = 6, DOTS = 2 };
  if (files_here() != INPUTS + OUTPUTS + DOTS)
    printf("a temporary file is left\n"), failures++;
  printf("%d failures\n", failures);
  return failures != 0;
}
