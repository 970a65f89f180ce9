// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of named tensors at their limits: past 4 GiB, with more members than 16 bits count, cut off or replaced after
// they were opened, with names that a format cannot hold. numpy reads the archives that are written.
// RUN: rm -rf %t.dir && mkdir %t.dir && %{cc} %{cflags} %s -o %t %{libs} && cd %t.dir && %t
// RUN: cd %t.dir && %{python} -B %S/Inputs/named_edges.py
#define _XOPEN_SOURCE 700
#include "driver/script/named_format.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int wrong;
static NpyError error;
static Arena *arena;

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      printf("line %d: %s (last error: %s)\n", __LINE__, #condition, error.text);                  \
      wrong++;                                                                                     \
    }                                                                                              \
  } while (0)

#define REFUSED(condition, part) EXPECT(!(condition) && strstr(error.text, part))

static unsigned char bytes[] = {1, 2, 3, 4};
static const Npy array = {RSH_I8, 1, {4}, bytes, 4, NULL, 0};

static void store(const char *path, const void *from, size_t size, off_t at) {
  int fd = open(path, O_WRONLY | O_CREAT, 0644);
  EXPECT(fd >= 0 && pwrite(fd, from, size, at) == (ssize_t)size && close(fd) == 0);
}

static bool is_read(NamedFile *file, const char *name) {
  Npy back;
  if (!named_read(file, name, &back, &error))
    return false;
  bool same = back.dtype == array.dtype && back.bytes == 4 && memcmp(back.data, bytes, 4) == 0;
  npy_free(&back);
  return same;
}

static void put(const char *path, const char *first, const char *second) {
  NamedWriter *writer = named_begin(path, 0, &error);
  EXPECT(writer && named_add(writer, first, NULL, &array, &error) &&
         named_add(writer, second, NULL, &array, &error) && named_end(writer, &error));
}

// The bytes in between are a hole of the file.
static void past_4_gib(void) {
  NamedFile file = {0};
  NamedWriter *writer = named_begin("far.npz", 0, &error);
  EXPECT(writer && named_add(writer, "near", NULL, &array, &error));
  writer->data += UINT64_C(5) << 30;
  EXPECT(named_add(writer, "far", NULL, &array, &error) && named_end(writer, &error));
  EXPECT(named_open(arena, "far.npz", &file, &error) && file.count == 2);
  EXPECT(is_read(&file, "near") && is_read(&file, "far"));
}

static void many_members(void) {
  NamedFile file = {0};
  NamedWriter *writer = named_begin("many.npz", 0, &error);
  char name[16];
  for (int i = 0; i < 65536; i++) {
    snprintf(name, sizeof name, "m%d", i);
    EXPECT(named_add(writer, name, NULL, &array, &error));
  }
  EXPECT(named_end(writer, &error) && named_open(arena, "many.npz", &file, &error));
  EXPECT(file.count == 65536 && is_read(&file, "m65535"));
}

static void names(void) {
  static char name[USHRT_MAX + 1];
  static const char *const paths[] = {"n.npz", "n.safetensors", "n.gguf"};
  memset(name, 'n', sizeof name - 1);
  for (int i = 0; i < 3; i++) {
    NamedWriter *writer = named_begin(paths[i], 0, &error);
    REFUSED(named_add(writer, "\xff", NULL, &array, &error), "is not UTF-8");
    EXPECT(named_add(writer, "x", NULL, &array, &error));
    REFUSED(named_add(writer, "x", NULL, &array, &error), "already has a tensor 'x'");
    REFUSED(named_add(writer, "y", "Q9", &array, &error),
            i == 2 ? "no type 'Q9'" : "only .gguf files take another type");
    if (i == 0)
      REFUSED(named_add(writer, name, NULL, &array, &error), "the limit is 65531");
    if (i == 1)
      REFUSED(named_add(writer, "__metadata__", NULL, &array, &error), "already has a tensor");
    named_drop(writer);
  }
  name[USHRT_MAX - 4] = '\0';
  NamedFile file = {0};
  put("long.npz", name, "x");
  EXPECT(named_open(arena, "long.npz", &file, &error) && is_read(&file, name));
}

// What was read of a file stays, while it is the same file.
static void changed_files(void) {
  static const char *const change[] = {"size", "time", "moment", "file"};
  struct timespec times[2] = {{1000000, 5}, {1000000, 5}};
  NamedFile file = {0};
  for (int i = 0; i < 4; i++) {
    put("c.npz", "first", "second");
    EXPECT(utimensat(AT_FDCWD, "c.npz", times, 0) == 0);
    EXPECT(named_open(arena, "c.npz", &file, &error) && file.count == 2);
    NamedEntry *kept = file.entry;
    EXPECT(named_open(arena, "c.npz", &file, &error) && file.entry == kept);
    EXPECT(named_open(arena, "./c.npz", &file, &error) && file.entry != kept);
    EXPECT(named_open(arena, "c.npz", &file, &error));
    kept = file.entry;
    times[1].tv_sec += i == 1;
    times[1].tv_nsec += i == 2;
    if (i == 0) {
      store("c.npz", "PK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 22, 4000);
    } else if (i == 3) {
      EXPECT(rename("c.npz", "d.npz") == 0);
      put("c.npz", "first", "second");
    }
    EXPECT(utimensat(AT_FDCWD, "c.npz", times, 0) == 0);
    EXPECT(named_open(arena, "c.npz", &file, &error));
    if (file.entry == kept)
      printf("another %s is not seen\n", change[i]), wrong++;
  }
}

// At each length, each tensor is read or refused.
static void cut_files(void) {
  static const char *const paths[] = {"cut.npz", "cut.safetensors", "cut.gguf"};
  for (int i = 0; i < 3; i++) {
    NamedFile file = {0};
    struct stat status;
    put(paths[i], "first", "second");
    EXPECT(named_open(arena, paths[i], &file, &error) && stat(paths[i], &status) == 0);
    off_t last = (off_t)file.entry[1].begin + (i == 0 ? 30 : 0), end = status.st_size;
    for (off_t size = end; size > last - 40; size--) {
      EXPECT(truncate(paths[i], size) == 0);
      bool has_all = (uint64_t)size >= file.entry[1].end + (i == 0 ? 128 : 0);
      EXPECT(is_read(&file, "second") || (!has_all && *error.text));
    }
    EXPECT(remove(paths[i]) == 0);
    REFUSED(is_read(&file, "second"), "cannot be opened");
  }
}

// Ends of archives that say what cannot be.
static void odd_archives(void) {
  unsigned char end[22] = "PK\5\6";
  NamedFile file = {0};
  memset(end + 8, 0xff, 12); // everything is in a record of 64 bits, for which there is no room
  store("odd.npz", end, sizeof end, 0);
  REFUSED(named_open(arena, "odd.npz", &file, &error), "its entries are not where");
  memset(end + 8, 0, 12);
  named_store(end + 12, UINT32_MAX, 4); // only the bytes of the entries
  store("odd.npz", end, sizeof end, 0);
  REFUSED(named_open(arena, "odd.npz", &file, &error), "its entries are not where");
  named_store(end + 12, (UINT64_C(1) << 30) + 1, 4); // more than an index may have
  store("odd.npz", end, sizeof end, (off_t)1 << 31);
  REFUSED(named_open(arena, "odd.npz", &file, &error), "its entries are not where");
  EXPECT(truncate("odd.npz", 0) == 0);
  named_store(end + 10, 1, 2);
  named_store(end + 12, 46, 4);
  unsigned char entry[46] = "PK\1\2"; // its name goes past the entries
  named_store(entry + 28, 1, 2);
  store("odd.npz", entry, sizeof entry, 0);
  store("odd.npz", end, sizeof end, 46);
  REFUSED(named_open(arena, "odd.npz", &file, &error), "an entry is cut off");
}

static void odd_arrays(void) {
  char *text[] = {NULL, (char *)"a"}, *bad[] = {(char *)"\xc3"};
  Npy strings = {RSH_STRING, 1, {2}, (void *)text, sizeof text, NULL, 0}, back;
  EXPECT(npy_write("t.npy", &strings, &error) && npy_read("t.npy", RSH_STRING, &back, &error));
  EXPECT(**(char **)back.data == '\0' && strcmp(((char **)back.data)[1], "a") == 0);
  npy_free(&back);
  strings = (Npy){RSH_STRING, 1, {1}, (void *)bad, sizeof bad, NULL, 0};
  REFUSED(npy_write("t.npy", &strings, &error), "element 0 is not UTF-8");
  REFUSED(npy_write("t.npy", &(Npy){.dtype = RSH_U8, .rank = -1}, &error), "shape has -1 sizes");
  Npy large = {.dtype = RSH_C128, .rank = 2, .dim = {INT64_MAX, 3}};
  EXPECT(!npy_allocate(&large));
  large.dim[1] = 1;
  EXPECT(!npy_allocate(&large));
  large.dtype = RSH_U8;
  EXPECT(!npy_allocate(&large));
  int fd = open("t.npy", O_RDONLY); // standard input may be past its end
  EXPECT(fd >= 0 && lseek(fd, 1 << 20, SEEK_SET) > 0 && dup2(fd, STDIN_FILENO) == STDIN_FILENO);
  REFUSED(npy_read("-", RSH_DTYPE_NONE, &back, &error), "is empty");
  unsigned char truths[1 << 20] = {0};
  Npy many = {RSH_BOOL, 1, {sizeof truths}, truths, sizeof truths, NULL, 0};
  EXPECT(npy_write("b.npy", &many, &error));
  store("b.npy", "\2", 1, 128 + 70000); // of an array that is mapped
  REFUSED(npy_read("b.npy", RSH_DTYPE_NONE, &back, &error), "element 70000 is 2");
}

// The header needs more room than was said, or less.
static void room_of_header(void) {
  NamedFile file = {0};
  for (int i = 0; i < 2; i++) {
    NamedWriter *writer = named_begin("r.safetensors", i == 0 ? 100000 : 0, &error);
    char name[200];
    for (int k = 0; k < 40; k++) {
      snprintf(name, sizeof name, "%0150d", k);
      EXPECT(named_add(writer, name, NULL, &array, &error));
    }
    EXPECT(named_end(writer, &error) && named_open(arena, "r.safetensors", &file, &error));
    EXPECT(file.count == 40 && is_read(&file, name) && (file.header > 100000) == (i == 0));
  }
}

int main(void) {
  arena = arena_new();
  past_4_gib();
  many_members();
  names();
  changed_files();
  cut_files();
  odd_archives();
  odd_arrays();
  room_of_header();
  arena_free(arena);
  return wrong != 0;
}
