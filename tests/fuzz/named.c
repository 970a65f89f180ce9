// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as a file of named tensors, of the kind that its first bytes indicate. Each tensor is read or refused with
// a message; all that was read is written to another file, and reads back the same.
//
// RUN: %{python} -B %S/Inputs/safetensors_seeds.py %t.seeds
// RUN: %{python} -B %S/Inputs/named_seeds.py %t.seeds2
// RUN: %{cc} %{cflags} %s %S/Inputs/mutate.c -o %t %{libs}
// RUN: %t %{count:4000} %t.seeds/* %t.seeds2/*
// RUN: rm -rf %t.corpus && mkdir %t.corpus && tar -xzf %S/Inputs/safetensors-corpus.tar.gz -C %t.corpus
// RUN: %t 0 %t.corpus/*
#define _XOPEN_SOURCE 700
#include "Inputs/fuzz.h"

#include "driver/script/named.h"

#include <string.h>

enum { MOST = 64 };

static const char *ending(const uint8_t *bytes, size_t size) {
  if (size >= 4 && memcmp(bytes, "GGUF", 4) == 0)
    return "gguf";
  return size >= 2 && memcmp(bytes, "PK", 2) == 0 ? "npz" : "safetensors";
}

static void path_of(char path[64], const char *what, const char *end) {
  snprintf(path, 64, "%s/%s.%s", fuzz_folder(), what, end);
}

static void check_again(Arena *arena, const char *path, const NamedEntry *const *entry,
                        const Npy *array, int count) {
  NamedFile file = {0};
  NpyError error;
  REQUIRE(named_open(arena, path, &file, &error) && file.count == count);
  for (int i = 0; i < count; i++) {
    Npy back;
    REQUIRE(named_read(&file, entry[i]->name, &back, &error));
    REQUIRE(back.dtype == array[i].dtype && back.rank == array[i].rank &&
            back.bytes == array[i].bytes);
    REQUIRE(memcmp(back.dim, array[i].dim, sizeof *back.dim * (size_t)back.rank) == 0);
    REQUIRE(back.dtype == RSH_STRING || memcmp(back.data, array[i].data, back.bytes) == 0);
    npy_free(&back);
  }
}

// Into a file whose name tells how much room its header gets at first. Tensors that such a file can only hold with a
// description of their type (blocks of .gguf files, names that are not UTF-8) are left out.
static void write_all(Arena *arena, const char *end, const NamedEntry *const *entry,
                      const Npy *array, int count, uint64_t header) {
  const NamedEntry *kept[MOST];
  Npy of[MOST];
  char path[64];
  int written = 0;
  NpyError error;
  path_of(path, "out", end);
  NamedWriter *writer = named_begin(path, header, &error);
  REQUIRE(writer);
  for (int i = 0; i < count; i++) {
    bool good = named_add(writer, entry[i]->name, NULL, &array[i], &error);
    REQUIRE(good || (strcmp(end, "safetensors") != 0 && error.kind[0] && error.text[0]));
    if (good) {
      kept[written] = entry[i];
      of[written++] = array[i];
    }
  }
  if (written < count) {
    named_drop(writer);
    if (written > 0)
      write_all(arena, end, kept, of, written, header);
    return;
  }
  REQUIRE(named_end(writer, &error));
  check_again(arena, path, entry, array, count);
  unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  const char *end = ending(bytes, size);
  char path[64];
  path_of(path, "in", end);
  FILE *in = fopen(path, "wb");
  REQUIRE(in && fwrite(bytes, 1, size, in) == size && fclose(in) == 0);
  Arena *arena = arena_new();
  NamedFile file = {0};
  NpyError error;
  Npy array[MOST], missing;
  const NamedEntry *entry[MOST];
  int count = 0;
  bool good = named_open(arena, path, &file, &error);
  REQUIRE(good || (error.kind[0] && error.text[0]));
  for (int i = 0; i < file.count && count < MOST; i++) {
    const NamedEntry *e = &file.entry[i];
    REQUIRE(e->begin <= e->end && e->end <= size);
    if (named_read(&file, e->name, &array[count], &error))
      entry[count++] = e;
    else
      REQUIRE(error.kind[0] && error.text[0]);
  }
  REQUIRE(!good || file.count > 0 || !named_read(&file, "no tensor", &missing, &error));
  if (count > 0)
    write_all(arena, end, entry, array, count, size % 2 ? file.header : 0);
  for (int i = 0; i < count; i++)
    npy_free(&array[i]);
  arena_free(arena);
  unlink(path);
  return 0;
}
