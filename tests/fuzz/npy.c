// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as a .npy file, read as each element type, from a file and from a pipe. What is read is written, and must
// read back the same.
//
// RUN: %{python} -B %S/Inputs/npy_seeds.py %t.seeds
// RUN: %{cc} %{cflags} %s %S/Inputs/mutate.c -o %t %{libs}
// RUN: %t %{count:10000} %t.seeds/*
#define _XOPEN_SOURCE 700
#include "Inputs/fuzz.h"

#include "frontend/data/npy.h"

#include <string.h>

// By path, so that all of npy_read is covered.
static bool read_path(const char *path, rsh_dtype want, Npy *array, NpyError *error) {
  bool good = npy_read(path, want, array, error);
  REQUIRE(good == (array->data != NULL));
  REQUIRE(good || (error->kind[0] && error->text[0]));
  return good;
}

// Strings are compared by content.
static bool is_same(const Npy *a, const Npy *b) {
  if (a->dtype != RSH_STRING)
    return a->bytes == b->bytes && memcmp(a->data, b->data, a->bytes) == 0;
  const char *const *x = a->data, *const *y = b->data;
  for (size_t i = 0; i < a->bytes / sizeof *x; i++)
    if (strcmp(x[i], y[i]) != 0)
      return false;
  return a->bytes == b->bytes;
}

static void round_trip(const Npy *array) {
  char path[64];
  snprintf(path, sizeof path, "%s/out.npy", fuzz_folder());
  Npy back;
  NpyError error;
  REQUIRE(npy_write(path, array, &error));
  REQUIRE(npy_read(path, array->dtype, &back, &error));
  REQUIRE(back.dtype == array->dtype && back.rank == array->rank && back.bytes == array->bytes);
  REQUIRE(memcmp(back.dim, array->dim, sizeof back.dim) == 0);
  REQUIRE(is_same(&back, array));
  npy_free(&back);
  unlink(path);
}

// The first byte of an input chooses the element type.
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size < 1 || size > 40000) // a pipe holds 64 KiB
    return 0;
  rsh_dtype want = (rsh_dtype)(bytes[0] % (RSH_DTYPE_COUNT + 1));
  bytes++, size--;

  static FuzzFile file;
  Npy array, piped;
  NpyError error, pipe_error;
  bool good = read_path(fuzz_file(&file, bytes, size), want, &array, &error);

  int ends[2];
  char path[32];
  REQUIRE(pipe(ends) == 0 && write(ends[1], bytes, size) == (ssize_t)size);
  close(ends[1]);
  snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
  bool from_pipe = read_path(path, want, &piped, &pipe_error);
  close(ends[0]);

  REQUIRE(good == from_pipe);
  if (good) {
    REQUIRE(array.bytes == piped.bytes && is_same(&array, &piped));
    round_trip(&array);
  } else {
    REQUIRE(strcmp(error.kind, pipe_error.kind) == 0);
  }
  npy_free(&array);
  npy_free(&piped);
  return 0;
}
