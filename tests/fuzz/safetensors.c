// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as a file of named tensors. Each tensor is read or refused with a message; all that was read is written to
// another file, and comes back the same.
//
// RUN: %{python} -B %S/Inputs/safetensors_seeds.py %t.seeds
// RUN: %{cc} %{cflags} %s %S/Inputs/mutate.c -o %t %{libs}
// RUN: %t %{count:2000} %t.seeds/*
// RUN: rm -rf %t.corpus && mkdir %t.corpus && tar -xzf %S/Inputs/safetensors-corpus.tar.gz -C %t.corpus
// RUN: %t 0 %t.corpus/*
#define _XOPEN_SOURCE 700
#include "Inputs/fuzz.h"

#include "driver/script/safetensors.h"

#include <string.h>

enum { MOST = 64 };

static void check_again(Arena *arena, const char *path, const SafetensorsEntry *const *entry,
                        const Npy *array, int count) {
  Safetensors file = {0};
  NpyError error;
  REQUIRE(safetensors_open(arena, path, &file, &error) && file.count == count);
  for (int i = 0; i < count; i++) {
    Npy back;
    REQUIRE(safetensors_read(&file, entry[i]->name, &back, &error));
    REQUIRE(back.dtype == array[i].dtype && back.rank == array[i].rank &&
            back.bytes == array[i].bytes);
    REQUIRE(memcmp(back.dim, array[i].dim, sizeof *back.dim * (size_t)back.rank) == 0);
    REQUIRE(memcmp(back.data, array[i].data, back.bytes) == 0);
    npy_free(&back);
  }
}

// Into a file whose name says how much room its header gets at first.
static void write_all(Arena *arena, const SafetensorsEntry *const *entry, const Npy *array,
                      int count, uint64_t header) {
  char path[64];
  NpyError error;
  snprintf(path, sizeof path, "/tmp/fuzz-%ld.safetensors", (long)getpid());
  SafetensorsWriter *writer = safetensors_begin(path, header, &error);
  REQUIRE(writer);
  for (int i = 0; i < count; i++)
    REQUIRE(safetensors_add(writer, entry[i]->name, &array[i], &error));
  REQUIRE(safetensors_end(writer, &error));
  check_again(arena, path, entry, array, count);
  unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static FuzzFile place;
  Arena *arena = arena_new();
  Safetensors file = {0};
  NpyError error;
  const char *path = fuzz_file(&place, bytes, size);
  if (!safetensors_open(arena, path, &file, &error)) {
    REQUIRE(error.kind[0] && error.text[0]);
    arena_free(arena);
    return 0;
  }
  Npy array[MOST], missing;
  const SafetensorsEntry *entry[MOST];
  int count = 0;
  for (int i = 0; i < file.count && count < MOST; i++) {
    const SafetensorsEntry *e = &file.entry[i];
    REQUIRE(e->begin <= e->end && e->end <= size);
    if (safetensors_read(&file, e->name, &array[count], &error)) {
      REQUIRE(array[count].bytes == e->end - e->begin);
      entry[count++] = e;
    } else {
      REQUIRE(error.kind[0] && error.text[0]);
    }
  }
  REQUIRE(!safetensors_read(&file, "a name that no file has", &missing, &error) || file.count > 0);
  if (count > 0)
    write_all(arena, entry, array, count, size % 2 ? file.header : 0);
  for (int i = 0; i < count; i++)
    npy_free(&array[i]);
  arena_free(arena);
  return 0;
}
