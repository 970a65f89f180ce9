// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays written and read again, as bytes in memory and in the file; arguments that are refused.
// tests/npy checks how NumPy reads the files.
// RUN: %{cc} %{cflags} %s -o %t %{libs} && %t %t.npy
#include "frontend/data/npy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong;

#define EXPECT(condition, ...)                                                                     \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      printf("line %d: ", __LINE__);                                                               \
      printf(__VA_ARGS__);                                                                         \
      printf("\n");                                                                                \
      wrong++;                                                                                     \
    }                                                                                              \
  } while (0)

// The bytes of a file after its header, which is 118 bytes for all arrays here.
static size_t file_data(const char *path, unsigned char *data, size_t size) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return 0;
  size_t n = fseek(file, 128, SEEK_SET) == 0 ? fread(data, 1, size, file) : 0;
  fclose(file);
  return n;
}

static void every_type_comes_back(const char *path) {
  unsigned char data[6 * 16];
  for (int t = 0; t < RSH_DTYPE_COUNT; t++) {
    rsh_dtype type = (rsh_dtype)t;
    if (type == RSH_STRING)
      continue;
    for (size_t i = 0; i < sizeof data; i++)
      data[i] = type == RSH_BOOL ? i % 3 == 0 : (unsigned char)(i * 37 + 11);
    Npy a = {.dtype = type, .rank = 2, .dim = {2, 3}, .data = data}, b;
    a.bytes = ((size_t)rsh_dtype_bits(type) * 6 + 7) / 8;
    if (a.bytes == 2 && rsh_dtype_bits(type) == 2)
      data[1] &= 0x0f; // 6 elements of 2 bits: the rest of the byte is 0
    NpyError error;
    EXPECT(npy_write(path, &a, &error), "%s", error.text);
    bool good = npy_read(path, type, &b, &error);
    EXPECT(good, "%s", error.text);
    if (!good)
      continue;
    EXPECT(b.dtype == type && b.rank == 2 && b.dim[0] == 2 && b.dim[1] == 3, "%s: type or shape",
           rsh_dtype_name(type));
    EXPECT(b.bytes == a.bytes && memcmp(a.data, b.data, a.bytes) == 0, "%s: data",
           rsh_dtype_name(type));
    EXPECT((uintptr_t)b.data % 64 == 0, "%s: alignment", rsh_dtype_name(type));
    npy_free(&b);
    EXPECT(!b.data && b.bytes == 0, "freed array is not empty");
  }
}

// The first element is in the lowest bits; in the file each has its own byte.
static void narrow_types_are_packed(const char *path) {
  static const struct {
    rsh_dtype type;
    int64_t count;
    unsigned char packed[2], file[5];
  } cases[] = {
      {RSH_I4, 3, {0xf1, 0x02}, {0x01, 0xff, 0x02}},
      {RSH_I4, 2, {0x78}, {0xf8, 0x07}},
      {RSH_U4, 3, {0xf1, 0x0a}, {0x01, 0x0f, 0x0a}},
      {RSH_F4E2M1, 1, {0x0c}, {0x0c}},
      {RSH_I2, 5, {0x1b, 0x02}, {0xff, 0xfe, 0x01, 0x00, 0xfe}},
      {RSH_U2, 5, {0x1b, 0x02}, {0x03, 0x02, 0x01, 0x00, 0x02}},
      {RSH_U2, 0, {0}, {0}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const char *name = rsh_dtype_name(cases[i].type);
    size_t count = (size_t)cases[i].count;
    unsigned char packed[2], bytes[8];
    memcpy(packed, cases[i].packed, sizeof packed);
    Npy a = {.dtype = cases[i].type, .rank = 1, .dim = {cases[i].count}, .data = packed}, b;
    a.bytes = (count * (size_t)rsh_dtype_bits(a.dtype) + 7) / 8;
    NpyError error;
    EXPECT(npy_write(path, &a, &error), "%s", error.text);
    size_t n = file_data(path, bytes, sizeof bytes);
    EXPECT(n == count && memcmp(bytes, cases[i].file, n) == 0, "%s: bytes in the file", name);
    bool good = npy_read(path, a.dtype, &b, &error);
    EXPECT(good, "%s", error.text);
    if (!good)
      continue;
    EXPECT(b.bytes == a.bytes && memcmp(b.data, packed, b.bytes) == 0, "%s: packed", name);
    npy_free(&b);
  }
}

static void empty_and_scalar(const char *path) {
  NpyError error;
  Npy none = {.dtype = RSH_F32, .rank = 2, .dim = {0, INT64_MAX / 4}}, back;
  EXPECT(npy_write(path, &none, &error), "%s", error.text);
  EXPECT(npy_read(path, RSH_DTYPE_NONE, &back, &error), "%s", error.text);
  EXPECT(back.dtype == RSH_F32 && back.rank == 2 && back.dim[1] == INT64_MAX / 4 &&
             back.bytes == 0 && back.data,
         "empty array");
  npy_free(&back);

  float value = 2.5f;
  Npy scalar = {.dtype = RSH_F32, .data = &value, .bytes = sizeof value};
  EXPECT(npy_write(path, &scalar, &error), "%s", error.text);
  EXPECT(npy_read(path, RSH_DTYPE_NONE, &back, &error), "%s", error.text);
  EXPECT(back.rank == 0 && back.bytes == 4 && memcmp(back.data, &value, 4) == 0, "scalar");
  npy_free(&back);
  npy_free(&back);
}

static void refused(const char *path, const Npy *array, const char *kind, const char *part) {
  NpyError error;
  bool good = npy_write(path, array, &error);
  EXPECT(!good, "written, but should be %s", kind);
  if (!good)
    EXPECT(strcmp(error.kind, kind) == 0 && strstr(error.text, part), "%s: %s", error.kind,
           error.text);
}

static void impossible_arrays(const char *path) {
  char bytes[16] = {0};
  refused(path, &(Npy){.dtype = RSH_STRING, .data = bytes}, "bad_arg",
          "the shape takes 8 bytes of string");
  refused(path, &(Npy){.dtype = RSH_DTYPE_NONE, .data = bytes}, "bad_type", "type none");
  refused(path, &(Npy){.dtype = RSH_U8, .rank = 17, .data = bytes, .bytes = 1}, "rank_limit",
          "17 sizes; at most 16 are supported");
  refused(path, &(Npy){.dtype = RSH_U8, .rank = 1, .dim = {-1}, .data = bytes}, "bad_arg", "-1");
  refused(path, &(Npy){.dtype = RSH_F32, .rank = 1, .dim = {3}, .data = bytes, .bytes = 16},
          "bad_arg", "takes 12 bytes of f32, but 16 are given");
  refused(path, &(Npy){.dtype = RSH_U8, .rank = 2, .dim = {INT64_MAX, 2}, .data = bytes},
          "overflow", "do not fit");
  refused(path, &(Npy){.dtype = RSH_C128, .rank = 1, .dim = {INT64_MAX / 4}, .data = bytes},
          "overflow", "do not fit");
  refused("no/such/folder/x.npy", &(Npy){.dtype = RSH_U8, .data = bytes, .bytes = 1}, "io",
          "'no/such/folder/x.npy': No such file");
}

static void unreadable_paths(const char *path) {
  NpyError error;
  Npy none;
  remove(path);
  EXPECT(!npy_read(path, RSH_F32, &none, &error) && strcmp(error.kind, "io") == 0 &&
             strstr(error.text, "cannot be opened: No such file"),
         "missing file: %s", error.text);
  EXPECT(!none.data && none.bytes == 0, "failed read left an array");
  EXPECT(!npy_read("/", RSH_F32, &none, &error) && strstr(error.text, "is a directory"),
         "directory: %s", error.text);

  // A long name truncates a message, without overflow.
  char *name = malloc(5001);
  if (!name)
    return;
  memset(name, 'x', 5000);
  name[5000] = '\0';
  EXPECT(!npy_read(name, RSH_F32, &none, &error) && strstr(error.text, "cannot be opened: "),
         "long name: %s", error.text);
  free(name);
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  every_type_comes_back(argv[1]);
  narrow_types_are_packed(argv[1]);
  empty_and_scalar(argv[1]);
  impossible_arrays(argv[1]);
  unreadable_paths(argv[1]);
  return wrong != 0;
}
