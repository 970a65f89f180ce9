// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as a file of named tensors, of each kind. What is read is written to a file of that kind and must come back the
// same.
//
// RUN: %{python} -B %S/Inputs/named_seeds.py %t.seeds
// RUN: %{cc} %{cflags} %s %S/Inputs/mutate.c -o %t %{libs}
// RUN: %t %{count:4000} %t.seeds/*
#define _XOPEN_SOURCE 700
#include "driver/script/named.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define REQUIRE(condition) ((condition) ? (void)0 : abort())

static const char *const endings[] = {"safetensors", "npz", "gguf"};

static void require_reason(const NpyError *error, const char *path) {
  REQUIRE(error->kind[0] && strstr(error->text, path));
}

static void path_of(char path[64], const char *what, int kind) {
  snprintf(path, 64, "/tmp/named-fuzz-%ld-%s.%s", (long)getpid(), what, endings[kind]);
}

static void round_trip(const Npy *array, const char *name, int kind) {
  char path[64];
  Arena *arena = arena_new();
  NamedFile file = {0};
  NpyError error;
  Npy back;
  path_of(path, "out", kind);
  NamedWriter *writer = named_begin(path, 0, &error);
  REQUIRE(writer);
  if (named_add(writer, name, NULL, array, &error)) {
    REQUIRE(named_end(writer, &error) && named_open(arena, path, &file, &error));
    REQUIRE(named_read(&file, name, &back, &error));
    REQUIRE(back.dtype == array->dtype && back.rank == array->rank && back.bytes == array->bytes);
    REQUIRE(memcmp(back.dim, array->dim, sizeof back.dim) == 0);
    REQUIRE(back.dtype == RSH_STRING || memcmp(back.data, array->data, back.bytes) == 0);
    npy_free(&back);
    unlink(path);
  } else { // a name that is none, blocks of .gguf
    require_reason(&error, path);
    named_drop(writer);
  }
  arena_free(arena);
}

// The first byte of an input chooses the kind.
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size < 1)
    return 0;
  int kind = bytes[0] % 3;
  char path[64];
  path_of(path, "in", kind);
  FILE *out = fopen(path, "wb");
  REQUIRE(out && fwrite(bytes + 1, 1, size - 1, out) == size - 1 && fclose(out) == 0);
  Arena *arena = arena_new();
  NamedFile file = {0};
  NpyError error;
  bool good = named_open(arena, path, &file, &error);
  if (!good)
    require_reason(&error, path);
  for (int i = 0; i < file.count && good; i++) {
    Npy array;
    if (named_read(&file, file.entry[i].name, &array, &error)) {
      round_trip(&array, file.entry[i].name, kind);
      npy_free(&array);
    } else {
      require_reason(&error, path);
    }
  }
  arena_free(arena);
  unlink(path);
  return 0;
}
